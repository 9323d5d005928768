// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/Words.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static std::string majorsText(StringRef soname) {
  return support::joined(tables::majorsOf(soname), " and ",
                         [](unsigned major) { return fmt::format("{}", major); });
}

/// Whether the runtime is an environment and the library is neither in its folders nor anywhere
/// else that the loader searches.
static bool knownAbsent(const BinaryCase &judged, StringRef soname) {
  return !judged.target.sitePackages.empty() && judged.input.load &&
         llvm::none_of(judged.input.load->steps, [&](const LoadStep &step) {
           return step.name == soname && step.by != LoadedBy::Root;
         });
}

/// A row of the wheel that usually has the library, if the runtime has that wheel in a version
/// without it: libnvToolsExt.so.1 with nvidia-nvtx-cu12 12.9, libcudnn.so.8 with cuDNN 9. Null
/// otherwise.
static const TargetLibrary *wheelWithout(const Target &target, StringRef soname) {
  StringRef dist = tables::distOf(soname, target.line.major);
  auto it = llvm::find_if(target.libraries, [&](const TargetLibrary &library) {
    return !dist.empty() && library.dist == dist;
  });
  return it == target.libraries.end() ? nullptr : &*it;
}

static void adviseInstalling(const Target &target, StringRef soname, Finding &finding) {
  if (StringRef dist = tables::distOf(soname, target.line.major); !dist.empty())
    finding.addFix(installing(target, dist));
}

/// GR-5: a library outside the toolkit is not rejected, only reported as unchecked. Nor is one of
/// the toolkit at a link with `enforce = "toolkit"`, where judgeLibraries() compares the library
/// itself with the runtime's release.
static void judgeSilence(BinaryCase &judged, StringRef soname, StringRef how,
                         const tables::KnownLibrary &known) {
  const Target &target = judged.target;
  Finding &finding =
      judged.add(Code::NoExportList, fmt::format("the runtime does not determine {}", soname));
  finding.library = soname.str();
  finding.addFact(how.str(), soname.str());
  finding.addFact("runtime", fmt::format("{}, CUDA {}", target.describe(), target.line));
  if (target.sitePackages.empty())
    finding.addFix("declare an environment that has it: env:PATH");
  else
    adviseInstalling(target, soname, finding);
  bool held = judged.input.atLink && target.enforce != Enforce::Symbols;
  if (held || known.origin == tables::LibraryOrigin::Other)
    finding.severity = judged.input.atLink ? Severity::Remark : Severity::Warning;
}

/// The runtime's row for the same library with another SONAME: `libcudart.so.12` for
/// `libcudart.so.13`. Null if there is none.
static const TargetLibrary *otherMajorOf(const Target &target, const tables::KnownLibrary &wanted) {
  auto isIt = [&](const TargetLibrary &library) {
    auto has = tables::libraryByFileName(library.soname);
    return has && has->name == wanted.name;
  };
  auto it = llvm::find_if(target.libraries, isIt);
  return it == target.libraries.end() ? nullptr : &*it;
}

/// Reports a library of NVIDIA's without a row: of another major or wheel, or one that the
/// declaration does not cover.
static void judgeAbsent(BinaryCase &judged, StringRef soname, StringRef how,
                        const tables::KnownLibrary &known) {
  const Target &target = judged.target;
  auto majors = tables::majorsOf(soname);
  bool wrong = !majors.empty() && tables::knowsLibrariesOf(target.line.major) &&
               !llvm::is_contained(majors, target.line.major);
  const TargetLibrary *other = otherMajorOf(target, known);
  if (!other)
    other = wheelWithout(target, soname);
  if (!wrong && !other && !knownAbsent(judged, soname))
    return judgeSilence(judged, soname, how, known);
  Finding &finding = judged.add(Code::NotFound, fmt::format("the runtime has no {}", soname));
  finding.library = soname.str();
  finding.addFact(how.str(), fmt::format("{}{}", soname,
                                         wrong ? " belongs to CUDA " + majorsText(soname) : ""));
  if (other) {
    finding.origin = other->origin;
    finding.addFact("has", fmt::format("{} ({} {}, {})", other->soname, other->dist, other->version,
                                       other->origin));
  }
  finding.addFact("runtime", fmt::format("{}, CUDA {}", target.describe(), target.line));
  if (!wrong && !other)
    return adviseInstalling(target, soname, finding);
  std::string link = wrong ? fmt::format("link the libraries of CUDA {}", target.line.major)
                           : "link " + other->soname;
  auto accepts = [&](StringRef requirement) { return judged.accepts(requirement); };
  auto runtime =
      runtimeServing(target, floorsFor(judged), majors.empty() ? 0 : majors.back(), accepts);
  if (judged.input.atLink)
    judged.forBuilders(finding, link);
  if (runtime)
    finding.addFix(judged.textOf(*runtime));
  if (!judged.input.atLink)
    judged.forBuilders(finding, link);
}

/// The loader asserts that every file with a version need is loaded when it checks the needs
/// (SY-15). libc and the loader always are.
static bool alwaysLoaded(const BinaryCase &judged, StringRef file) {
  if (file == "libc.so.6" || file.starts_with("ld-linux"))
    return true;
  return judged.input.load && llvm::any_of(judged.input.load->steps, [&](const LoadStep &step) {
           return step.name == file || StringRef(step.path).ends_with(fmt::format("/{}", file));
         });
}

static void judgeVersionFiles(BinaryCase &judged) {
  std::set<StringRef> needed(judged.file.needed.begin(), judged.file.needed.end());
  for (StringRef file : judged.file.versionFiles) {
    if (needed.count(file) || judged.full(Code::VersionNodes) || alwaysLoaded(judged, file))
      continue;
    Finding &finding = judged.add(Code::VersionNodes,
                                  fmt::format("{} has a version need and is not NEEDED", file));
    finding.library = file.str();
    finding.addFact("because", "the loader stops the process on such a file, by an "
                               "assertion in dl-version.c");
    if (judged.inFramework) {
      finding.severity = Severity::Warning;
      finding.addFact("but", "the framework, which this file NEEDs, may have loaded it");
    }
    judged.forBuilders(finding,
                       fmt::format("link against {} again; `patchelf --remove-needed` leaves "
                                   "version needs behind, --replace-needed renames both",
                                   file));
  }
}

/// SY-12 to SY-14: the runtime has the library, but its version information does not match.
static void judgeNodes(BinaryCase &judged, const LibraryImports &imports,
                       const TargetLibrary &library) {
  std::set<StringRef> nodes;
  for (const LibraryImports::Name &name : imports.names)
    if (!name.node.empty())
      nodes.insert(name.node);
  if (nodes.empty())
    return;
  if (!library.path.empty()) {
    // A process that was simulated with the file has met it, or ended before.
    if (judged.input.load || judged.input.exports->versioned(library.path).value_or(true))
      return;
    Finding &finding = judged.add(Code::VersionNodes, imports.soname + " has no versions there");
    finding.library = imports.soname;
    finding.origin = library.origin;
    finding.addFact("library", library.path);
    finding.addFact("because", "a versioned import from a library without DT_VERSYM ends "
                               "the process, by an assertion in dl-lookup.c");
    finding.addFix(reinstalling(library));
    return;
  }
  auto shape = tables::shapeOf(library.soname, library.dist, library.version);
  if (!shape || !shape->exact || shape->nodes.empty())
    return;
  for (StringRef node : nodes) {
    if (llvm::is_contained(shape->nodes, node))
      continue;
    Finding &finding =
        judged.add(Code::VersionNodes,
                   fmt::format("the runtime's {} has no version {}", imports.soname, node));
    finding.library = imports.soname;
    finding.origin = library.origin;
    finding.addFact("has", fmt::format("{} {}, with {}", library.dist, library.version,
                                       llvm::join(shape->nodes, ", ")));
    judged.forBuilders(finding, fmt::format("build with {} <= {}", library.dist, library.version));
  }
}

/// NVIDIA's libraries are built for glibc, and a process has only one libc. musl's calls itself
/// libc.so; Alpine's has the machine in its name.
static void judgeLibc(BinaryCase &judged) {
  const std::vector<std::string> &needed = judged.file.needed;
  auto libc = llvm::find_if(
      needed, [](StringRef name) { return name == "libc.so" || name.starts_with("libc.musl-"); });
  if (libc == needed.end() || llvm::none_of(needed, isNvidiaLibrary))
    return;
  Finding &finding = judged.add(Code::NotFound, "built for musl, the runtime is for glibc");
  finding.library = *libc;
  finding.addFact("needed", *libc);
  finding.addFact("runtime", judged.target.describe());
  finding.addFix("build on a system with glibc (manylinux)");
}

void judgeNeeds(BinaryCase &judged) {
  judgeLibc(judged);
  std::set<std::string> seen;
  auto look = [&](StringRef soname, StringRef how) {
    auto known = tables::runtimeLibrary(soname);
    // A library may name itself among the libraries that it opens.
    if (judged.full(Code::NotFound) || !known || soname == judged.file.soname)
      return;
    if (!judged.target.find(soname) && seen.insert(soname.str()).second)
      judgeAbsent(judged, soname, how, *known);
  };
  for (StringRef needed : judged.file.needed)
    look(needed, "needed");
  size_t before = judged.findings.size();
  for (const LibraryImports &imports : judged.imports)
    look(imports.soname, "imported");
  // A file that uses symbols of a library without NEEDED relies on others to load one.
  for (size_t i = before; i < judged.findings.size(); ++i)
    if (judged.findings[i].code == Code::NoExportList)
      judged.findings[i].severity = std::min(judged.findings[i].severity, Severity::Warning);
  before = judged.findings.size();
  for (StringRef opened : judged.file.dlopens)
    look(opened, "opened");
  // A program can handle that a library cannot be opened.
  for (size_t i = before; i < judged.findings.size(); ++i)
    judged.findings[i].severity = std::min(judged.findings[i].severity, Severity::Warning);
  judgeVersionFiles(judged);
  for (const LibraryImports &imports : judged.imports)
    if (const TargetLibrary *library = judged.target.find(imports.soname))
      judgeNodes(judged, imports, *library);
}

} // namespace cudacc::policy
