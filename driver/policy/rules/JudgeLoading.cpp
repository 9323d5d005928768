// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/policy/rules/VersionRules.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static bool isAskedByOther(const BinaryCase &judged, const LoadResult &load) {
  return !load.askedBy.empty() && load.askedBy != judged.file.path;
}

static void addSearch(const BinaryCase &judged, const LoadResult &load, Finding &finding) {
  finding.library = load.missing;
  if (isAskedByOther(judged, load))
    finding.addFact("needed by", load.askedBy);
  finding.addFact("loader", load.failure);
  finding.addFact("searched", searchedText(load));
  for (const std::string &skipped : load.skipped)
    finding.addFact("passed over", skipped);
}

/// Whether the runtime's own copy was found but is for another machine.
static bool isForeign(const LoadResult &load, const TargetLibrary &library) {
  return llvm::any_of(load.skipped, [&](StringRef skipped) {
    auto [path, reason] = skipped.rsplit(": ");
    return (reason.starts_with("ELF of machine") || skipped.contains(": wrong ELF class")) &&
           skipped.contains(fmt::format("/{}/", library.folder));
  });
}

/// Whether others load the file, and find what it NEEDs or are rejected themselves: NVIDIA's own
/// libraries without a run path (cusolverMg, cufile_rdma) are loaded only by libraries that find
/// their siblings, or after them; auditwheel's copies by files of the package.
static bool isLoadedByOthers(const BinaryCase &judged) {
  return judged.ofNvidia || judged.input.isCopy;
}

static void explainOthers(const BinaryCase &judged, Finding &finding) {
  finding.severity = Severity::Remark;
  finding.addFact("because", judged.ofNvidia
                                 ? "NVIDIA's own library, loaded only by libraries that find it"
                                 : "auditwheel's copy, loaded only by files of the package");
}

/// $ORIGIN followed by the steps from the file to site-packages.
static std::string originOf(const BinaryCase &judged) {
  std::string text = "$ORIGIN";
  if (StringRef place = installedAt(judged); place.consume_front("../../../")) {
    for (size_t i = place.count('/'); i > 0; --i)
      text += "/..";
    return text + "/lib/python3.X/site-packages";
  }
  for (int i = depthToSearch(judged); i > 0; --i)
    text += "/..";
  return text;
}

/// The file's entry that leads to \p folder of the runtime from another depth than the file's own;
/// empty if it has none.
static std::string entryOfOtherDepth(const BinaryCase &judged, StringRef folder) {
  const BinaryFacts &file = judged.file;
  for (StringRef entry : file.searchPath()) {
    StringRef rest = entry;
    if (!support::consumeOrigin(rest))
      continue;
    int steps = 0;
    for (; rest.consume_front("/.."); ++steps)
      ;
    if (rest.trim('/') == folder && steps != depthToSearch(judged))
      return entry.str();
  }
  return {};
}

/// The file was linked with the runtime's folder, for another place than where it lies.
static void adviseOnDepth(BinaryCase &judged, StringRef entry, StringRef folder, Finding &finding) {
  int lies = depthToSearch(judged), made = int(entry.count("/.."));
  finding.addFact("entry", fmt::format("{}, right at depth {} below site-packages", entry, made));
  finding.addFact("but", fmt::format("it lies at depth {}: {}", lies, judged.input.load->place));
  judged.forBuilders(finding, fmt::format("declare install-dir = \"{}\", and link it again",
                                          support::parentOf(judged.input.load->place)));
  judged.forBuilders(
      finding, fmt::format("link with -Xlinker -rpath -Xlinker '{}/{}'", originOf(judged), folder));
}

/// Whether cuda-cc links the file, or did for this CUDA line: it added the folders of what the line
/// names, so that this library came another way, as through a linker script or another library.
static bool isLinkedThrough(const BinaryCase &judged) {
  return judged.input.atLink ||
         llvm::any_of(judged.file.manifest.links, [&](const LinkRecord &link) {
           return link.targetCuda == judged.target.line.str();
         });
}

/// Reports a library of the runtime that the search path does not find (AV-E03).
static void judgeUnreached(BinaryCase &judged, const LoadResult &load,
                           const TargetLibrary &library) {
  bool loaded = judged.inFramework && tables::isRequiredByTorch(library.dist);
  Finding &finding = judged.add(Code::NotFound, library.soname + " is not on the search path");
  if (loaded) {
    finding.severity = Severity::Remark;
    finding.message = library.soname + " is found because torch loads it first";
  }
  finding.origin = library.origin;
  addSearch(judged, load, finding);
  if (!library.folder.empty())
    finding.addFact("runtime", "has it in site-packages/" + library.folder);
  if (judged.target.sitePackages.empty())
    finding.addFact("layout", judged.target.describeLayout());
  if (isLoadedByOthers(judged))
    explainOthers(judged, finding);
  if (!loaded && !library.folder.empty() && isForeign(load, library)) {
    finding.message = library.soname + " of the runtime is for another machine";
    finding.addFix(reinstalling(library));
    return;
  }
  if (loaded || isLoadedByOthers(judged))
    return;
  std::string entry = installedAt(judged).empty() || installedAt(judged).starts_with("../")
                          ? ""
                          : entryOfOtherDepth(judged, library.folder);
  if (library.folder.empty())
    judged.forBuilders(finding, "link through cuda-cc, which adds the runtime's directories");
  else if (!entry.empty())
    adviseOnDepth(judged, entry, library.folder, finding);
  else
    // Separate words, which gcc, clang and nvcc all accept. A RUNPATH holds for the file's own
    // NEEDED alone.
    judged.forBuilders(
        finding, fmt::format("link {}with {}-Xlinker -rpath -Xlinker '{}/{}'",
                             isLinkedThrough(judged) ? "" : "through cuda-cc, or ",
                             isAskedByOther(judged, load) ? "-Xlinker --disable-new-dtags " : "",
                             originOf(judged), library.folder));
}

/// The library in the file's own NEEDED through which the object at \p path is loaded; empty if
/// that is the file itself, or not known.
static std::string namedFor(const BinaryCase &judged, StringRef path) {
  const std::vector<LoadStep> &steps = judged.input.load->steps;
  for (size_t i = 0; i != steps.size(); ++i) {
    auto step = llvm::find_if(steps, [&](const LoadStep &each) { return each.path == path; });
    if (step == steps.end() || step->by == LoadedBy::Root)
      return {};
    if (llvm::is_contained(judged.file.needed, step->name))
      return step->name;
    path = step->askedBy;
  }
  return {};
}

/// Reports a missing library that a dependency NEEDs.
static void judgeUnbrought(BinaryCase &judged, const LoadResult &load) {
  std::string named = namedFor(judged, load.askedBy);
  std::string what = named.empty()
                         ? "the runtime has no " + load.missing
                         : fmt::format("{} needs {}, which is missing", named, load.missing);
  addSearch(judged, load, judged.add(Code::NotFound, what));
}

/// The entry that leads from the file to the folder of \p path, both below one installation root;
/// empty if the file's place there is not known.
static std::string entryTo(const BinaryCase &judged, StringRef path) {
  if (!depthOf(judged))
    return {};
  return fmt::format("{}/{}", originOf(judged), support::parentOf(path));
}

/// Reports a library of the file's own package that its search path does not reach.
static void judgeOwn(BinaryCase &judged, const LoadResult &load) {
  Finding &finding =
      judged.add(Code::NotFound, load.missing + " of the same package is not on the search path");
  addSearch(judged, load, finding);
  finding.addFact("package", "has it as " + load.elsewhere);
  if (std::string entry = entryTo(judged, load.elsewhere); !entry.empty())
    judged.forBuilders(finding, fmt::format("link with -Xlinker -rpath -Xlinker '{}'", entry));
}

static void judgeFailure(BinaryCase &judged, const LoadResult &load) {
  if (std::optional<Finding> own = fileFailure(load)) {
    judged.findings.push_back(std::move(*own));
    return;
  }
  // It is installed with the driver, never with the runtime.
  if (tables::isDriverLibrary(load.missing))
    return;
  if (tables::isTorchLibrary(load.missing)) {
    if (!judged.target.sitePackages.empty() && judged.target.torch.empty()) {
      Finding &finding =
          judged.add(Code::NotFound, load.missing + " is missing: the environment has no torch");
      addSearch(judged, load, finding);
      finding.addFix("install torch there, in the release the file was built with");
      return;
    }
    Finding &finding = judged.add(Code::NotFound, load.missing + " is found once torch is loaded");
    finding.severity = Severity::Remark;
    addSearch(judged, load, finding);
    return;
  }
  if (isNvidiaLibrary(load.missing)) {
    if (const TargetLibrary *library = judged.target.find(load.missing))
      judgeUnreached(judged, load, *library);
    // judgeNeeds() already reported the file's own NEEDED without a row. Left are those of its
    // dependencies, and all of them if no CUDA line is declared.
    else if (!judged.target.declared)
      addSearch(judged, load, judged.add(Code::NotFound, load.missing + " is not found"));
    else if (!llvm::is_contained(judged.file.needed, load.missing))
      judgeUnbrought(judged, load);
    return;
  }
  // The caller's own libraries may be installed anywhere later.
  if (judged.input.atLink)
    return;
  if (!load.elsewhere.empty())
    return judgeOwn(judged, load);
  Finding &finding =
      judged.add(Code::NotFound, load.missing.empty() ? "the file cannot be loaded"
                                                      : load.missing + " is not found");
  addSearch(judged, load, finding);
  // Not a library of the runtime: another machine or package may have it.
  if (!load.missing.empty()) {
    finding.severity = Severity::Warning;
    finding.addFact("but", "it is not part of the CUDA runtime");
  }
}

/// For an environment: reports CUDA libraries that the loader takes from elsewhere.
static void judgeTaken(BinaryCase &judged) {
  for (const LoadStep &step : judged.input.load->steps) {
    if (step.by == LoadedBy::Root || step.by == LoadedBy::AlreadyLoaded ||
        step.by == LoadedBy::SameFile)
      continue;
    const TargetLibrary *library = judged.target.find(step.name);
    if (!library || library->path.empty() || library->path == step.path)
      continue;
    Finding &finding = judged.add(Code::NotFound,
                                  fmt::format("another {} than the runtime's is taken", step.name));
    finding.library = step.name;
    finding.origin = library->origin;
    finding.addFact("taken", step.path);
    if (!step.element.empty())
      finding.addFact("through",
                      step.element + (step.elementOf.empty() ? "" : " of " + step.elementOf));
    finding.addFact("runtime", library->path);
    bool loaded = judged.inFramework && tables::isRequiredByTorch(library->dist);
    if (loaded)
      finding.severity = Severity::Remark;
    else if (isLoadedByOthers(judged))
      explainOthers(judged, finding);
    else
      judged.forBuilders(finding, "put the runtime's directory first: link through cuda-cc");
  }
}

/// A library whose SONAME is the same in two majors can load one of the wrong major:
/// libcusparse.so.12 of CUDA 13 needs libnvJitLink.so.13.
static void judgeDragged(BinaryCase &judged) {
  unsigned line = judged.target.line.major;
  for (const LoadStep &step : judged.input.load->steps) {
    auto majors = tables::majorsOf(step.name);
    if (majors.empty() || llvm::is_contained(majors, line) || !isNvidiaLibrary(step.name) ||
        llvm::is_contained(judged.file.needed, step.name) || step.by == LoadedBy::Root)
      continue;
    // A library of that major alone is right with it: libcublas.so.13, for the files that NEED it.
    auto ofAsker = tables::majorsOf(support::nameOf(step.askedBy));
    if (!ofAsker.empty() && !llvm::is_contained(ofAsker, line))
      continue;
    std::string named = namedFor(judged, step.askedBy);
    Finding &finding = judged.add(
        Code::NotFound,
        named.empty() ? step.name + " of another CUDA major is loaded"
                      : fmt::format("{} requires {} of another CUDA major", named, step.name));
    finding.library = step.name;
    finding.addFact("needed by", step.askedBy);
    finding.addFact("taken", step.path);
    finding.addFact("runtime",
                    fmt::format("{}, CUDA {}", judged.target.describe(), judged.target.line));
    judged.forBuilders(
        finding, fmt::format("put the directories of CUDA {} first: link through cuda-cc", line));
  }
}

/// Lists NEEDED libraries that are outside the tables: which package installs them is not known.
static void listOthers(BinaryCase &judged) {
  std::vector<StringRef> others;
  llvm::StringSet<> needed;
  needed.insert(judged.file.needed.begin(), judged.file.needed.end());
  for (const LoadStep &step : judged.input.load->steps)
    if (step.by == LoadedBy::Default && !isNvidiaLibrary(step.name) &&
        !tables::isTorchLibrary(step.name) && !isSystemLibrary(step.name) &&
        needed.contains(step.name))
      others.push_back(step.name);
  if (others.empty())
    return;
  Finding &finding = judged.add(Code::NotJudged, "libraries that are not CUDA's");
  finding.addFact("not judged", listOf(others));
  finding.addFact("because", "the tables know CUDA's and torch's; an environment, "
                             "env:PATH, has them all");
}

/// Reports what is not found when the code that was loaded is used.
static void judgeOpened(BinaryCase &judged) {
  for (const NotOpened &each : judged.input.load->notOpened) {
    Finding &finding = judged.add(Code::OpenedMissing, each.library + " is not found at run time");
    finding.library = each.library;
    if (each.isBeside)
      finding.severity = Severity::Warning;
    finding.addFact("opened by", each.opener);
    if (isOfLibrary(each))
      finding.addFact("when", firstCall(each.endsProcess));
    if (!each.raises.empty())
      finding.addFact("raises", each.raises);
    if (judged.file.hasRunpath && judged.target.find(each.library))
      judged.forBuilders(finding, "link with -Wl,--disable-new-dtags (dtags = \"rpath\")");
  }
}

void judgeLoading(BinaryCase &judged) {
  const LoadResult &load = *judged.input.load;
  if (judged.target.sitePackages.empty() && !judged.input.atLink)
    listOthers(judged);
  if (!load.ok() && !judgeHere(judged)) {
    judgeFailure(judged, load);
    for (const LoadResult &next : load.behind)
      judgeFailure(judged, next);
  }
  judgeOpened(judged);
  if (judged.target.declared) {
    judgeTaken(judged);
    judgeDragged(judged);
  }
  if (!load.ok() || load.unknown.empty())
    return;
  Finding &finding = judged.add(Code::UnreadableFile,
                                "the search of the loader depends on files that could not be read");
  for (const std::string &clause : load.unknown)
    finding.addFact("unknown", clause);
}

} // namespace cudacc::policy
