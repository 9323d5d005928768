// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/trace/TraceOutput.h"
#include "driver/report/text/CheckParts.h"
#include "driver/support/Paths.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using namespace report;
using namespace rtld;
using namespace versions;
using llvm::StringRef;

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// How many symbols, requests, folders and differences are printed before the rest is counted.
constexpr size_t symbolsShown = 4, requestsShown = 6, foldersShown = 12, differencesShown = 8;

/// Widths of the columns that all libraries of a report share.
struct Widths {
  unsigned name = 0, version = 0;
};

/// A candidate for the first line; the lowest rank is the worst.
struct Headline {
  unsigned rank = 0;
  std::string text;
};

} // namespace

/// `.../torch/lib/libtorch_cuda.so`: enough to recognise the file.
static std::string shortPath(StringRef path) {
  constexpr unsigned parts = 3;
  size_t at = path.size();
  for (unsigned i = 0; i < parts && at != StringRef::npos && at; ++i)
    at = path.take_front(at).rfind('/');
  if (at == StringRef::npos || at == 0)
    return printable(path);
  return "..." + printable(path.substr(at));
}

static std::string who(const TracedProcess &process, StringRef path) {
  return path.empty() ? printable(support::nameOf(process.program)) : shortPath(path);
}

static std::string versionOf(const TracedCopy &copy) {
  if (!copy.version.empty())
    return printable(copy.version);
  return copy.cuda.known() ? fmt::format("CUDA {}", copy.cuda) : "unknown";
}

static std::string nameOf(const TracedCopy &copy) {
  return printable(copy.soname.empty() ? support::nameOf(copy.path) : StringRef(copy.soname));
}

static std::string listed(llvm::ArrayRef<std::string> words, size_t most) {
  std::string out = llvm::join(words.take_front(most), ", ");
  if (words.size() > most)
    out += fmt::format(" and {} more", words.size() - most);
  return out;
}

static std::vector<std::string> symbolsOf(const TracedCopy &copy) {
  std::vector<std::string> names;
  for (const TracedMissing &each : copy.missing)
    if (std::string name = printable(each.symbol); !llvm::is_contained(names, name))
      names.push_back(std::move(name));
  return names;
}

/// The worst problem of a library; std::nullopt if it has one copy, which has all that is imported.
static std::optional<Headline> headline(const TracedLibrary &library) {
  std::vector<std::string> loaded, passed;
  std::string name;
  for (const TracedCopy &copy : library.copies) {
    (copy.loaded ? loaded : passed).push_back(versionOf(copy));
    if (name.empty())
      name = nameOf(copy);
    if (!copy.missing.empty())
      return Headline{0, fmt::format("{} got {} {}, which lacks {}",
                                     printable(support::nameOf(copy.missing.front().importer)),
                                     nameOf(copy), versionOf(copy), listed(symbolsOf(copy), 1))};
  }
  for (const TracedRequest &request : library.notFound)
    if (!request.byDlopen)
      return Headline{1, printable(request.name) + " was not found"};
  if (loaded.size() > 1)
    return Headline{2, fmt::format("{} is in the process {} times: {}", name, loaded.size(),
                                   listed(loaded, symbolsShown))};
  if (!passed.empty() && !loaded.empty())
    return Headline{3, fmt::format("{} {} was taken, {} passed over", name, loaded.front(),
                                   listed(passed, symbolsShown))};
  // Programs try libraries that they can do without: a driver, a name without a version (LS-5).
  if (!library.notFound.empty())
    return Headline{5, printable(library.notFound.front().name) + " was tried and not found"};
  return std::nullopt;
}

static void headlines(const TracedProcess &process, std::vector<Headline> &out) {
  auto add = [&](unsigned rank, const std::string &text) {
    std::string whole = fmt::format("{}: {}", printable(support::nameOf(process.program)), text);
    if (llvm::none_of(out, [&](const Headline &each) { return each.text == whole; }))
      out.push_back({rank, std::move(whole)});
  };
  for (const TracedLibrary &library : process.libraries)
    if (auto found = headline(library))
      add(found->rank, found->text);
  if (!process.differences.empty())
    add(4, "the loader did not behave as expected");
}

/// The first line if nothing is wrong: how much was seen.
static std::string allIsWell(const TraceReport &report) {
  auto processes = [](size_t number) {
    return number == 1 ? "1 process" : fmt::format("{} processes", number);
  };
  if (!report.allProcesses)
    return "nothing was seen";
  std::set<StringRef> names;
  for (const TracedProcess &process : report.processes)
    for (const TracedLibrary &library : process.libraries)
      names.insert(library.name);
  if (names.empty())
    return fmt::format("no CUDA library was requested ({} in {})",
                       count(report.allObjects, "object"), processes(report.allProcesses));
  std::string text =
      names.size() == 1 ? "1 CUDA library" : fmt::format("{} CUDA libraries", names.size());
  if (report.processes.size() > 1)
    text += " in " + processes(report.processes.size());
  bool isOne = names.size() == 1 && report.processes.size() == 1;
  return text + (isOne ? ", one copy" : ", one copy each");
}

static std::string headline(const TraceReport &report, Style style) {
  std::vector<Headline> found;
  for (const TracedProcess &process : report.processes)
    headlines(process, found);
  if (found.empty())
    return wrapped(allIsWell(report), 0, indent) + "\n";
  llvm::stable_sort(found, [](const Headline &a, const Headline &b) { return a.rank < b.rank; });
  std::string text = found.front().text;
  unsigned rank = found.front().rank;
  Paint paint = rank < 2 ? Paint::Error : rank < 5 ? Paint::Warning : Paint::Plain;
  if (found.size() > 1)
    text += fmt::format(" (and {} more)", found.size() - 1);
  std::string plain = wrapped(text, 0, indent);
  size_t colon = plain.find(':');
  return fmt::format("{}{}\n", painted(StringRef(plain).take_front(colon), paint, style),
                     plain.substr(colon));
}

static std::string reason(const TracedProcess &process, const TracedRequest &request) {
  static constexpr llvm::StringLiteral words[] = {"by its path",
                                                  "one was loaded already",
                                                  "the file was loaded already",
                                                  "by its path",
                                                  "RPATH",
                                                  "LD_LIBRARY_PATH",
                                                  "RUNPATH",
                                                  "ld.so.cache",
                                                  "a default directory"};
  if (!request.by)
    return "not found";
  std::string text = versions::entryOf<core::LoadedBy::Default>(words, *request.by).str();
  if (!llvm::is_contained({LoadedBy::Rpath, LoadedBy::Runpath, LoadedBy::LibraryPath}, *request.by))
    return text;
  if (!request.element.empty())
    text += fmt::format(" {}", printable(request.element));
  // Most search paths belong to the object that requests the library.
  if (!request.elementOf.empty() && request.elementOf != request.askedBy)
    text += fmt::format(" of {}", who(process, request.elementOf));
  return text;
}

static const TracedCopy *copyAt(const TracedLibrary &library, StringRef path) {
  for (const TracedCopy &copy : library.copies)
    if (copy.path == path)
      return &copy;
  return nullptr;
}

static std::string asked(const TracedProcess &process, const TracedLibrary &library,
                         const TracedRequest &request) {
  std::string text = fmt::format("{} ({}): {}", who(process, request.askedBy),
                                 request.byDlopen ? "dlopen" : "NEEDED", reason(process, request));
  if (const TracedCopy *other = copyAt(library, request.passed))
    text += fmt::format("; its own search leads to {}", versionOf(*other));
  return text;
}

/// Folders that were searched without success.
static std::string searched(const TracedRequest &request, StringRef taken) {
  std::vector<std::string> folders;
  for (const TracedRequest::Tried &each : request.tried) {
    std::string folder = printable(StringRef(each.path).take_front(each.path.rfind('/')));
    if (each.path != taken && !llvm::is_contained(folders, folder))
      folders.push_back(std::move(folder));
  }
  return listed(folders, foldersShown);
}

static std::string lacks(const TracedProcess &process, const TracedCopy &copy) {
  std::vector<std::string> names, importers;
  CudaVersion first;
  bool closed = false;
  for (const TracedMissing &each : copy.missing) {
    first = std::max(first, each.first);
    closed |= llvm::is_contained(process.closedAgain, each.importer);
    if (std::string by = who(process, each.importer); !llvm::is_contained(importers, by))
      importers.push_back(std::move(by));
  }
  std::string text = listed(symbolsOf(copy), symbolsShown);
  if (first.known())
    text += fmt::format(" (first in CUDA {})", first);
  return fmt::format("{}, for {}{}", text, listed(importers, symbolsShown),
                     closed ? ", which was closed again at once" : "");
}

static std::string bound(const TracedProcess &process, const TracedLibrary &library,
                         const TracedCopy &copy) {
  std::vector<std::string> parts;
  for (const TracedBinding &each : copy.bindings) {
    std::string &part =
        parts.emplace_back(fmt::format("{} of {}", each.symbols.size(), who(process, each.from)));
    if (const TracedCopy *other = copyAt(library, each.passed))
      part += fmt::format(" (meant for {})", versionOf(*other));
  }
  return listed(parts, symbolsShown);
}

static void details(const TracedProcess &process, const TracedLibrary &library,
                    const TracedCopy &copy, Rows &rows) {
  for (size_t i = 0; i < copy.requests.size() && i < requestsShown; ++i) {
    const TracedRequest &request = copy.requests[i];
    rows.push_back({i ? "" : "asked by", asked(process, library, request)});
    if (std::string vain = searched(request, copy.path); !vain.empty())
      rows.push_back({"", "not in " + vain});
  }
  if (copy.requests.size() > requestsShown)
    rows.push_back({"", fmt::format("and {} more", copy.requests.size() - requestsShown)});
  if (!copy.bindings.empty())
    rows.push_back({"symbols", bound(process, library, copy)});
  if (!copy.missing.empty())
    rows.push_back({"lacks", lacks(process, copy)});
}

static std::string libraryText(const TracedProcess &process, const TracedLibrary &library,
                               const Widths &widths, Style style) {
  std::string out;
  for (const TracedCopy &copy : library.copies) {
    out += table({{padded(nameOf(copy), widths.name), padded(versionOf(copy), widths.version),
                   copy.loaded ? "loaded" : "passed over"}},
                 indent);
    out += fmt::format("{:{}}{}\n", "", deeper, printable(copy.path));
    Rows rows;
    details(process, library, copy, rows);
    out += table(rows, deeper);
  }
  for (const TracedRequest &request : library.notFound) {
    out += fmt::format("{:{}}{}  {}\n", "", indent, printable(request.name),
                       painted("not found", Paint::Error, style));
    Rows rows = {{"asked by", asked(process, library, request)}};
    if (std::string vain = searched(request, ""); !vain.empty())
      rows.push_back({"", "not in " + vain});
    out += table(rows, deeper);
  }
  return out;
}

static std::string simulation(const TracedProcess &process) {
  Rows rows;
  if (process.differences.empty()) {
    if (process.compared)
      rows.push_back({"simulation", "the same for all of " + count(process.compared, "request")});
  } else {
    rows.push_back({"simulation", fmt::format("differs in {} of {}", process.differences.size(),
                                              process.compared)});
    for (const TracedDifference &each :
         llvm::ArrayRef(process.differences).take_front(differencesShown)) {
      auto path = [](StringRef text) { return text.empty() ? "nothing" : printable(text); };
      rows.push_back(
          {"", fmt::format("{} of {}: the loader took {}, expected was {}", printable(each.name),
                           who(process, each.askedBy), path(each.loader), path(each.simulation))});
    }
  }
  for (const std::string &clause : process.unknown)
    rows.push_back({"unknown", printable(clause)});
  return table(rows, indent);
}

static std::string heading(const TracedProcess &first, size_t alike) {
  std::string others = alike > 1 ? fmt::format(" and {} alike", alike - 1) : "";
  std::string text = fmt::format("process {}{}:", first.pid, others);
  for (const std::string &word : first.words)
    text += fmt::format(" {}", printable(word));
  return wrapped(text, 0, deeper) + "\n";
}

static Widths widthsOf(const TraceReport &report) {
  Widths widths;
  for (const TracedProcess &process : report.processes)
    for (const TracedLibrary &library : process.libraries)
      for (const TracedCopy &copy : library.copies) {
        widths.name = std::max(widths.name, columns(nameOf(copy)));
        widths.version = std::max(widths.version, columns(versionOf(copy)));
      }
  return widths;
}

static std::string body(const TracedProcess &process, const Widths &widths, Style style) {
  std::string out;
  for (const TracedLibrary &library : process.libraries)
    out += libraryText(process, library, widths, style);
  if (process.neverStarted)
    out += fmt::format("{:{}}the program's own code never ran\n", "", indent);
  return out + simulation(process);
}

std::string traceText(const TraceReport &report, Style style) {
  // Processes that did the same, such as workers, are printed once.
  struct Group {
    const TracedProcess *first;
    std::string body;
    size_t alike = 1;
  };
  std::vector<Group> groups;
  Widths widths = widthsOf(report);
  for (const TracedProcess &process : report.processes) {
    std::string text = body(process, widths, style);
    auto same = llvm::find_if(groups, [&](const Group &group) { return group.body == text; });
    if (same == groups.end())
      groups.push_back({&process, std::move(text)});
    else
      ++same->alike;
  }
  std::string out = headline(report, style);
  for (const Group &group : groups) {
    if (report.processes.size() > 1)
      out += painted(heading(*group.first, group.alike), Paint::Dim, style);
    out += group.body;
  }
  Rows rows;
  for (const std::string &clause : report.unknown)
    rows.push_back({"unknown", printable(clause)});
  return out + table(rows, indent);
}

} // namespace cudacc::commands
