// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/BinaryCase.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static bool hasPart(StringRef entry, StringRef part) {
  llvm::SmallVector<StringRef, 8> parts;
  entry.split(parts, '/');
  return llvm::is_contained(parts, part);
}

/// Whether the entry leaves the wheel: `$ORIGIN/../../x` does from a folder of depth 1.
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

/// Whether \p path is \p folder or below it, compared as text.
static bool isBelow(StringRef path, StringRef folder) {
  folder = folder.rtrim('/');
  if (path.rtrim('/') == folder)
    return true;
  return path.consume_front(folder) && path.starts_with("/") && !hasPart(path, "..");
}

/// Entries shown per finding.
static constexpr size_t shownEntries = 8;

static void addEntry(BinaryCase &judged, Code code, const std::string &message, StringRef entry,
                     const char *because, std::optional<Severity> severity = std::nullopt) {
  std::string text = entry.empty() ? "(empty)" : entry.str();
  // One finding for all entries of a kind.
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

/// Adds the number of entries to each finding.
static void countEntries(BinaryCase &judged) {
  for (const auto &[kind, entries] : judged.entries) {
    if (entries.count < 2)
      continue;
    Finding &finding = judged.findings[entries.finding];
    finding.message += fmt::format(", and {} more", entries.count - 1);
    // Entries first, then facts that apply to all of them.
    std::stable_partition(finding.facts.begin(), finding.facts.end(),
                          [](const Fact &each) { return each.label == "entry"; });
    if (entries.count > shownEntries)
      finding.addFact("and", fmt::format("{} more", entries.count - shownEntries));
  }
}

/// Meson (1.0.1 to 1.12.1) reserves room for install_rpath with an element of X characters, which
/// its installation removes.
static bool isMesonsRoom(StringRef entry) { return !entry.empty() && entry.trim('X').empty(); }

/// `lib` of a Python other than the system's: its LDFLAGS add it to everything that setuptools
/// links (pyenv, conda, manylinux images). If that Python is not on this machine, the form of the
/// path decides.
static bool isPythonFolder(const BinaryCase &judged, StringRef entry) {
  entry = entry.rtrim('/');
  if (auto known = judged.input.pythonFolders.find(entry);
      known != judged.input.pythonFolders.end())
    return known->second;
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
  // The values of $LIB and $PLATFORM begin with no slash.
  if (!support::consumeOrigin(rest) && !entry.starts_with("/"))
    return addEntry(judged, Code::BadPathEntry, "a relative search path entry", entry,
                    workingDirectory);
  // At the link the file's final place is not known.
  if (judged.input.atLink)
    return;
  if (entry.starts_with("/")) {
    bool inside = llvm::any_of(judged.target.sitePackages,
                               [&](StringRef root) { return isBelow(entry, root); });
    // F18: in a wheel, the environment's own directories come from an in-place build.
    inside &= !StringRef(judged.file.path).contains('!');
    // The declared layout says that the libraries are in that directory on every machine.
    const LayoutChoice &layout = judged.target.layout.value;
    inside |= layout.kind == Layout::System && isBelow(entry, layout.path);
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
  bool ofConda = judged.target.layout.value.kind == Layout::Conda ||
                 llvm::any_of(judged.target.libraries, [](const auto &row) { return row.ofConda; });
  auto depth = depthOf(judged);
  if (!depth || ofConda || !escapes(rest, *depth))
    return;
  if (llvm::StringRef(judged.file.path).contains('!'))
    addEntry(judged, Code::AbsolutePath, "a search path entry leaves the wheel", entry,
             "auditwheel drops it, and no file of the wheel is there");
  else
    addEntry(judged, Code::AbsolutePath, "a search path entry leaves site-packages", entry,
             "no package installs a file there");
}

/// Libraries that must match the file's NEEDED libraries in the minor version, and that these NEED
/// (SY-9, LS-1). A library with DT_RPATH finds its own neighbours, whatever the search path.
static std::vector<StringRef> coupledOf(const BinaryCase &judged) {
  std::vector<StringRef> coupled;
  for (StringRef needed : judged.file.needed) {
    const TargetLibrary *library = judged.target.find(needed);
    if (!library)
      continue;
    auto shape = tables::shapeOf(library->soname, library->dist, library->version);
    if (!shape || (shape->hasRpath && !shape->hasRunpath))
      continue;
    for (StringRef soname : shape->needed) {
      StringRef stem = soname.take_until([](char each) { return each == '.'; });
      bool byMinor = stem == "libnvJitLink" || stem == "libcublasLt";
      if (byMinor && !llvm::is_contained(coupled, soname))
        coupled.push_back(soname);
    }
  }
  return coupled;
}

static void judgeCoupled(BinaryCase &judged) {
  const BinaryFacts &file = judged.file;
  // A file without a search path uses libraries that others have loaded; nothing can be improved
  // here.
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
  // SONAME libx.so.1 is correct for libx.so.1.2 and for the development link libx.so.
  if (!name.starts_with(soname) && !soname.starts_with(name)) {
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
  llvm::ArrayRef<std::string> entries = judged.file.searchPath();
  // R43: CMake reserves room with colons after the search path of a build, which the installation
  // removes.
  while (judged.input.atLink && !entries.empty() && entries.back().empty())
    entries = entries.drop_back();
  for (StringRef entry : entries)
    if (seen.insert(entry).second && !(judged.input.atLink && isMesonsRoom(entry)))
      judgeEntry(judged, entry);
  countEntries(judged);
  if (judged.input.atLink)
    return;
  judgeCoupled(judged);
  judgeNames(judged);
}

} // namespace cudacc::policy
