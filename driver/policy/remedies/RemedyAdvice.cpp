// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/TorchThatServes.h"
#include "driver/policy/remedies/RemedyParts.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/TorchWords.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace support;
using namespace versions;
using llvm::StringRef;

namespace {

/// A file that the loader could not use, and the reason in the loader's words.
struct BadFile {
  StringRef path, reason;
};

} // namespace

static BadFile split(StringRef words) {
  auto [path, reason] = words.split(": ");
  return {path, reason};
}

static std::vector<BadFile> badFilesOf(const LoadResult &load) {
  std::vector<BadFile> files;
  for (const std::string &each : load.skipped)
    files.push_back(split(each));
  // The message follows the path, or the name that was asked for.
  StringRef failure = load.failure;
  if (!load.unloadable.empty() &&
      (failure.consume_front(load.unloadable) || failure.consume_front(load.missing)))
    files.push_back({load.unloadable, failure.ltrim(": ")});
  else if (failure.starts_with("/") && failure.contains(": "))
    files.push_back(split(failure));
  return files;
}

/// A command that reinstalls the package if it is known, else a description.
static std::string installAgain(const RemedyContext &context, StringRef path) {
  Owner owner = context.ownerOf ? context.ownerOf(path) : Owner();
  if (owner.dist.empty())
    return fmt::format("reinstall the package that contains {}", path);
  std::string pip = context.pip.empty() ? "pip install" : context.pip;
  return fmt::format("{} --force-reinstall --no-deps {}", pip,
                     shellWord(fmt::format("{}=={}", owner.dist, owner.version)));
}

static void adviseOnFile(const RemedyContext &context, const BadFile &file, Finding &finding) {
  StringRef reason = file.reason;
  std::string path = file.path.str(), because;
  if (reason.starts_with("Permission denied")) {
    finding.addFact("because", "this user may not read " + path);
    finding.addFix("chmod a+r " + shellWord(path));
    return;
  }
  if (reason == "dangling link")
    because = path + " is a link to a file that is gone; with UV_LINK_MODE=copy uv makes none";
  else if (reason.starts_with("wrong ELF class") || reason.starts_with("ELF of machine"))
    because = fmt::format("{} is for another machine: {}", path, reason);
  else if (finding.code != Code::Damaged && finding.code != Code::NotLoadable)
    because = fmt::format("{} is damaged: {}", path, reason);
  if (!because.empty())
    finding.addFact("because", because);
  finding.addFix(installAgain(context, file.path));
}

/// Says which release of the C or C++ library the file needs, if the system's is too old.
static void adviseOnSystem(const ProcessCase &process, const RemedyContext &context,
                           Finding &finding) {
  StringRef node = process.binding->node;
  std::string release = tables::systemReleaseOf(node);
  if (release.empty())
    return;
  finding.addFact("needs", fmt::format("{} or newer ({})", release, node));
  Owner owner = context.ownerOf ? context.ownerOf(process.binding->importer) : Owner();
  std::string package = owner.dist.empty() ? "the package" : owner.dist;
  if (node.starts_with("GLIBC_")) {
    finding.addFix(fmt::format("install a release of {} with a wheel for an older system "
                               "(manylinux_2_NN: glibc 2.NN)",
                               package));
    finding.addFix(
        fmt::format("run it on a system or in a container with {} or newer: the C library of a "
                    "system cannot be raised by itself",
                    release));
    finding.addFix("build it again on the oldest system that it is for, as the "
                   "manylinux_2_28 container is (glibc 2.28, gcc with an old libstdc++)");
    return;
  }
  std::string gcc = release.substr(4);
  finding.addFix(
      fmt::format("let a newer libstdc++ be taken: conda install -c conda-forge 'libstdcxx>={}', "
                  "or the system's own in front of an older copy",
                  gcc));
  finding.addFix(fmt::format("install a release of {} that was built with an older gcc", package));
  finding.addFix(
      fmt::format("build it again with a gcc older than {}, or link with -static-libstdc++", gcc));
}

/// Finds auditwheel's folder of bundled libraries under another name: `renamed.libs` for
/// `ext.libs`.
static void adviseOnFolder(const ProcessCase &process, const RemedyContext &context,
                           Finding &finding) {
  for (StringRef folder : process.load->searched) {
    if (!folder.ends_with(".libs") || !context.besides)
      continue;
    for (const std::string &path : context.besides(folder, process.load->missing)) {
      std::string there = StringRef(path).rsplit('/').first.str();
      finding.addFact("lies in", there);
      std::string wanted =
          fmt::format("{}/{}", StringRef(there).rsplit('/').first, folder.rsplit('/').second);
      finding.addFix(fmt::format("mv {} {}", shellWord(there), shellWord(wanted)));
      finding.addFix(installAgain(context, path));
      return;
    }
  }
}

/// A package each of whose releases is for one release of torch.
struct Companion {
  StringRef dist;
  /// The first release of torch whose companion has the same version; empty if none has, and pip
  /// finds it by its requirement `torch==`.
  StringRef sameSince;
};
static constexpr Companion companions[] = {{"torchaudio", "2.1"}, {"torchvision", ""}};

/// ` --index-url https://...`: the index that has the installed build of torch; empty for PyPI's.
static std::string indexOption(const Target &installed, Version torch) {
  bool isLabelled = !torch.local.empty();
  torch.local.clear();
  bool isOfPyPI = llvm::any_of(tables::torchReleases(), [&](const tables::TorchRelease &release) {
    return *Version::parse(release.str()) == torch && release.defaultLine == installed.line;
  });
  return isOfPyPI || !isLabelled ? "" : fmt::format(" --index-url {}", indexOf(installed.torch));
}

/// Adds the command that installs a companion's release for the installed torch.
static void adviseOnCompanion(const ProcessCase &process, const RemedyContext &context,
                              Finding &finding) {
  Owner owner = context.ownerOf ? context.ownerOf(process.path) : Owner();
  auto companion =
      llvm::find_if(companions, [&](const Companion &each) { return each.dist == owner.dist; });
  if (companion == std::end(companions) || !process.installed || context.pip.empty())
    return;
  auto torch = Version::parse(process.installed->torch);
  auto own = Version::parse(owner.version);
  if (!torch || !own)
    return;
  std::string index = indexOption(*process.installed, *torch);
  // pip takes a companion for another CUDA line for the one of that version.
  bool isOtherBuild = index.empty() ? !own->local.empty() : own->local != torch->local;
  own->local.clear();
  torch->local.clear();
  std::string wanted, option;
  if (companion->sameSince.empty()) {
    option = isOtherBuild ? "--force-reinstall " : "--upgrade ";
    wanted = fmt::format("{} torch=={}", owner.dist, *torch);
  } else if (*torch >= *Version::parse(companion->sameSince) && (isOtherBuild || *own != *torch)) {
    option = *own == *torch ? "--force-reinstall --no-deps " : "";
    wanted = fmt::format("{}=={}", owner.dist, *torch);
  } else {
    return;
  }
  finding.addFix(fmt::format("{} {}{}{}", context.pip, option, wanted, index));
}

/// The file whose need is not met: the one that imports, or that NEEDs what is missing.
static StringRef askerOf(const ProcessCase &process) {
  StringRef asker = process.binding ? process.binding->importer : process.load->askedBy;
  return asker.empty() ? StringRef(process.path) : asker;
}

/// Whether another CUDA than the environment's is asked for, so that another build of the package
/// that asks would serve: by the major of the library, or by names that the environment's own copy
/// lacks. It would not if the copy that was taken is another one, or the library is the package's.
static bool isOfOtherCuda(const ProcessCase &process, const Finding &finding) {
  unsigned line = process.installed->line.major;
  if (finding.code == Code::NotFound) {
    auto majors = tables::majorsOf(finding.library);
    return !majors.empty() && !llvm::is_contained(majors, line);
  }
  if (finding.code != Code::ImportMissing && finding.code != Code::NvJitLinkNewer)
    return false;
  const TargetLibrary *own = process.installed->find(finding.library);
  const TargetLibrary *taken = process.target->find(finding.library);
  return own && taken && own->path == taken->path;
}

/// Adds what users of the package that asks can do, and whom they can ask.
static void adviseOnRelease(const ProcessCase &process, const RemedyContext &context,
                            Finding &finding) {
  bool isOfTorch = finding.code == Code::TorchLacks || finding.code == Code::TorchStrings;
  if (!context.ownerOf || !process.installed || !process.installed->line.known() ||
      (!isOfTorch && !isOfOtherCuda(process, finding)))
    return;
  StringRef asker = askerOf(process);
  Owner owner = context.ownerOf(asker);
  // What a copy of the system asks for is nobody's package.
  if (owner.dist.empty() || owner.dist == "torch" || isNvidiaLibrary(nameOf(asker)))
    return;
  if (owner.dist != context.ownerOf(process.path).dist)
    finding.addFact("asked by", fmt::format("{}, of {} {}", asker, owner.dist, owner.version));
  if (isOfTorch) {
    // Who installed the package does not build it: that comes last.
    finding.fixes.insert(finding.fixes.end() - !finding.fixes.empty(),
                         releaseForTorch(owner.dist, process.torch));
    return;
  }
  for (std::string &fix : fixesOfPackage(owner.dist, process.installed->line))
    finding.addFix(std::move(fix));
}

void advise(const ProcessCase &process, const RemedyContext &context,
            std::vector<Finding> &findings) {
  auto first =
      llvm::find_if(findings, [](const Finding &each) { return each.severity == Severity::Error; });
  if (first == findings.end())
    return;
  if (first->code == Code::OtherMachine) {
    // Nothing is damaged or missing: the package was installed for another machine.
    if (context.ownerOf && !context.ownerOf(process.path).dist.empty())
      first->fixes.insert(first->fixes.begin(), installAgain(context, process.path));
    return;
  }
  for (const BadFile &file : badFilesOf(*process.load))
    adviseOnFile(context, file, *first);
  if (process.binding && !process.binding->node.empty() && process.binding->symbol.empty())
    adviseOnSystem(process, context, *first);
  if (!process.load->ok())
    adviseOnFolder(process, context, *first);
  adviseOnCompanion(process, context, *first);
  adviseOnRelease(process, context, *first);
}

} // namespace cudacc::policy
