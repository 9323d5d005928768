// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/LibraryShape.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

/// RUNPATH switches RPATH off (LS-10).
static llvm::ArrayRef<std::string> entriesOf(const BinaryFacts &file) {
  return file.hasRunpath ? file.runpath : file.rpath;
}

static bool consumeOrigin(StringRef &entry) {
  return entry.consume_front("$ORIGIN") || entry.consume_front("${ORIGIN}");
}

static bool hasPart(StringRef entry, StringRef part) {
  llvm::SmallVector<StringRef, 8> parts;
  entry.split(parts, '/');
  return llvm::is_contained(parts, part);
}

/// `$ORIGIN/../../x` from a folder of depth 1 leads out.
static bool escapes(StringRef entry, int depth) {
  llvm::SmallVector<StringRef, 8> parts;
  entry.split(parts, '/', -1, false);
  for (StringRef part : parts) {
    if (part == ".")
      continue;
    depth += part == ".." ? -1 : 1;
    if (depth < 0)
      return true;
  }
  return false;
}

/// Whether \p path is \p folder, or lies in it as it is written.
static bool isBelow(StringRef path, StringRef folder) {
  folder = folder.rtrim('/');
  if (path.rtrim('/') == folder)
    return true;
  return path.consume_front(folder) && path.starts_with("/") && !hasPart(path, "..");
}

/// Of one kind.
static constexpr size_t shownEntries = 8;

static void addEntry(BinaryCase &judged, Code code, const std::string &message, StringRef entry,
                     const char *because, std::optional<Severity> severity = std::nullopt) {
  std::string text = entry.empty() ? "(empty)" : entry.str();
  // One finding for all of a kind.
  auto [kind, isNew] = judged.entries.try_emplace({code, message + (severity ? " (remark)" : "")});
  if (!isNew) {
    if (++kind->second.count <= shownEntries)
      judged.findings[kind->second.finding].addFact("entry", text);
    return;
  }
  kind->second = {judged.findings.size(), 1};
  Finding &finding = judged.add(code, message);
  if (severity)
    finding.severity = *severity;
  finding.addFact("entry", text);
  finding.addFact("because", because);
  if (judged.ofNvidia)
    finding.severity = Severity::Remark;
}

/// How many entries each finding stands for.
static void countEntries(BinaryCase &judged) {
  for (const auto &[kind, entries] : judged.entries) {
    if (entries.count < 2)
      continue;
    Finding &finding = judged.findings[entries.finding];
    finding.message += fmt::format(", and {} more", entries.count - 1);
    // Together, and what is said of all of them last.
    llvm::stable_sort(finding.facts, [](const Fact &one, const Fact &other) {
      return one.label == "entry" && other.label != "entry";
    });
    if (entries.count > shownEntries)
      finding.addFact("and", fmt::format("{} more", entries.count - shownEntries));
  }
}

/// Meson keeps room for install_rpath with an element of X alone (1.0.1 to 1.12.1), which its
/// installation takes away.
static bool isMesonsRoom(StringRef entry) { return !entry.empty() && entry.trim('X').empty(); }

/// `lib` of a Python that is not the system's: its LDFLAGS put it into whatever setuptools links
/// (pyenv, conda, manylinux images). Where that Python is not here the shape of the path tells.
static bool isPythonFolder(const BinaryCase &judged, StringRef entry) {
  entry = entry.rtrim('/');
  if (judged.subject.isPythonFolder)
    if (std::optional<bool> isKnown = judged.subject.isPythonFolder(entry))
      return *isKnown;
  if (!entry.consume_back("/lib"))
    return false;
  auto [above, name] = entry.rsplit('/');
  bool isPyenv = above.ends_with("/.pyenv/versions") || above.ends_with("/pyenv/versions");
  if (isPyenv || above == "/opt/python")
    return true;
  auto isConda = [](StringRef folder) {
    folder = folder.rsplit('/').second;
    return llvm::any_of(std::initializer_list<StringRef>{"conda", "forge", "mamba"},
                        [&](StringRef part) {
                          return folder.trim(".").rtrim("0123456789").ends_with_insensitive(part);
                        });
  };
  return isConda(entry) || (above.consume_back("/envs") && isConda(above));
}

static void judgeEntry(BinaryCase &judged, StringRef entry) {
  const char *workingDirectory = "it is the working directory of whoever runs the program";
  StringRef rest = entry;
  if (entry.empty())
    return addEntry(judged, Code::BadPathEntry, "an empty search path entry", entry,
                    workingDirectory);
  if (hasPart(entry, "stubs"))
    return addEntry(judged, Code::BadPathEntry, "a stubs directory in the search path", entry,
                    "a stub has the SONAME of the real library and none of its code");
  // Where the file will lie is not where it lies now.
  if (judged.subject.atLink && (entry.starts_with("/") || entry.starts_with("$")))
    return;
  if (entry.starts_with("/")) {
    bool inside = llvm::any_of(judged.target.sitePackages,
                               [&](StringRef root) { return isBelow(entry, root); });
    // F18: an in-place build has the environment's own directories.
    inside &= !StringRef(judged.file.path).contains('!');
    // The declaration itself says that the libraries lie there, on every machine.
    inside |= judged.target.layout == Layout::System && isBelow(entry, judged.target.systemPath);
    if (inside || llvm::is_contained(judged.entriesOfHere, entry))
      return;
    if (isPythonFolder(judged, entry))
      addEntry(
          judged, Code::AbsolutePath, "the build's Python in the search path", entry,
          "its LDFLAGS add its library folder to every extension; CUDA's libraries are not there",
          Severity::Remark);
    else
      addEntry(judged, Code::AbsolutePath, "an absolute search path entry", entry,
               "it is valid on the build machine only");
    return;
  }
  if (!consumeOrigin(rest)) {
    if (!entry.starts_with("$"))
      addEntry(judged, Code::BadPathEntry, "a relative search path entry", entry, workingDirectory);
    return;
  }
  if (auto depth = depthOf(judged); depth && escapes(rest, *depth))
    addEntry(judged, Code::AbsolutePath, "a search path entry leaves the wheel", entry,
             "auditwheel drops it, and no file of the wheel is there");
}

/// Libraries that those which the file NEEDs are coupled to by minor (SY-9, LS-1). A provider with
/// DT_RPATH takes its own neighbour whatever comes first elsewhere.
static std::vector<StringRef> coupledOf(const BinaryCase &judged) {
  std::vector<StringRef> coupled;
  for (StringRef needed : judged.file.needed) {
    const TargetLibrary *library = judged.target.find(needed);
    if (!library)
      continue;
    auto shape = tables::shapeOf(library->soname, library->dist, library->version);
    if (shape && shape->hasRpath && !shape->hasRunpath)
      continue;
    for (const tables::Need &need :
         tables::needsOf(library->soname, library->dist, library->version)) {
      StringRef stem = need.soname.take_until([](char each) { return each == '.'; });
      bool byMinor = stem == "libnvJitLink" || stem == "libcublasLt";
      if (need.reach == tables::Reach::Needed && byMinor &&
          !llvm::is_contained(coupled, need.soname))
        coupled.push_back(need.soname);
    }
  }
  return coupled;
}

static void judgeCoupled(BinaryCase &judged) {
  const BinaryFacts &file = judged.file;
  // Without a path of its own the file takes what others have loaded; nothing is to be added here.
  if (judged.ofNvidia || (!file.hasRpath && !file.hasRunpath))
    return;
  auto coupled = coupledOf(judged);
  if (coupled.empty())
    return;
  if (file.hasRunpath) {
    Finding &finding =
        judged.add(Code::RunpathOverridable, "LD_LIBRARY_PATH overrides the search path");
    finding.library = coupled.front().str();
    finding.addFact("coupled", fmt::format("{}, of which an older copy breaks", coupled.front()));
    finding.addFact("because", "it is a RUNPATH; a DT_RPATH is searched first");
    finding.addFix("link with -Wl,--disable-new-dtags (dtags = \"rpath\")");
  }
  for (StringRef soname : coupled) {
    if (llvm::is_contained(file.needed, soname))
      continue;
    Finding &finding =
        judged.add(Code::CoupledNotNeeded, fmt::format("{} is not NEEDED directly", soname));
    finding.library = soname.str();
    finding.addFact("because", "a library that this file NEEDs has a search path of its "
                               "own, which LD_LIBRARY_PATH overrides");
    finding.addFix(fmt::format("link through cuda-cc, or add -Wl,--no-as-needed -l:{}", soname));
  }
}

static void judgeNames(BinaryCase &judged) {
  const BinaryFacts &file = judged.file;
  StringRef path = file.path;
  StringRef name = path.substr(path.find_last_of("/!") + 1);
  StringRef soname = file.soname;
  // libx.so.1.2 with SONAME libx.so.1, and the development link libx.so, are as they should be.
  if (!soname.empty() && !name.empty() && !name.starts_with(soname) && !soname.starts_with(name)) {
    Finding &finding =
        judged.add(Code::SonameDiffers, fmt::format("SONAME {} in {}", soname, name));
    finding.addFact("because", "a file that links it makes the loader search for the SONAME");
    if (judged.ofNvidia)
      finding.severity = Severity::Remark;
  }
  auto grafted = [&](StringRef each, const char *how) {
    std::string real = ungrafted(each);
    if (real.empty() || !isNvidiaLibrary(real))
      return;
    Finding &finding = judged.add(Code::GraftedCopy, fmt::format("{} is a copy of {}", each, real));
    finding.library = real;
    finding.addFact(how, each.str());
    finding.addFact("because", "the process has two copies as soon as another package "
                               "loads the real one");
    finding.addFix(
        fmt::format("auditwheel repair --exclude '{}.so*'", real.substr(0, real.find(".so"))));
  };
  grafted(soname.empty() ? name : soname, "file");
  for (StringRef needed : file.needed)
    grafted(needed, "needed");
}

void judgePathEntries(BinaryCase &judged) {
  if (!judged.isLinked())
    return;
  std::set<StringRef> seen;
  llvm::ArrayRef<std::string> entries = entriesOf(judged.file);
  // R43: CMake keeps room with colons behind the search path of a build, which the installation
  // takes away.
  while (judged.subject.atLink && !entries.empty() && entries.back().empty())
    entries = entries.drop_back();
  for (StringRef entry : entries)
    if (seen.insert(entry).second && !(judged.subject.atLink && isMesonsRoom(entry)))
      judgeEntry(judged, entry);
  countEntries(judged);
  if (judged.subject.atLink)
    return;
  if (judged.target.declared)
    judgeCoupled(judged);
  judgeNames(judged);
}

} // namespace cudacc::policy
