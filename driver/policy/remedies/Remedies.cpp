// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/remedies/Remedies.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/remedies/Remedy.h"
#include "driver/policy/remedies/RemedyParts.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace support;
using namespace versions;
using llvm::StringRef;

const char *str(Remedy::Kind kind) {
  static constexpr const char *words[] = {"undo",   "framework", "wheel",   "rebuild",
                                          "relink", "order",     "variable"};
  return versions::entryOf<Remedy::Kind::Variable>(words, kind);
}

std::string asFix(const Remedy &remedy) {
  return remedy.commands.empty() ? remedy.text : llvm::join(remedy.commands, " && ");
}

Remedy &RemedyCase::add(Remedy::Kind kind, std::string text) {
  Remedy &remedy = remedies.emplace_back();
  remedy.kind = kind;
  remedy.text = std::move(text);
  return remedy;
}

static std::string withLibraryPath(llvm::ArrayRef<std::string> elements) {
  if (elements.empty())
    return "unset LD_LIBRARY_PATH";
  return "export LD_LIBRARY_PATH=" + shellWord(llvm::join(elements, ":"));
}

/// Drops the elements of LD_LIBRARY_PATH from which a library was loaded (\p onlyCuda: a CUDA
/// library) or at which loading failed.
static void undo(RemedyCase &judged, bool onlyCuda) {
  const ProcessCase &process = judged.process;
  std::vector<std::string> bad;
  auto blame = [&](const std::string &element) {
    if (!llvm::is_contained(bad, element))
      bad.push_back(element);
  };
  auto consider = [&](const LoadedCopy &copy) {
    // An empty element counts: it means the working directory.
    bool isFound = !copy.element.empty() || copy.because == "LD_LIBRARY_PATH";
    if ((copy.isCuda || !onlyCuda) && isFound &&
        llvm::is_contained(process.libraryPath, copy.element))
      blame(copy.element);
  };
  llvm::for_each(process.loaded, consider);
  for (const PartCopy &part : process.parts)
    consider(part.copy);
  for (const std::string &element : process.libraryPath)
    if (!element.empty() && StringRef(process.load->failure).starts_with(element + "/"))
      blame(element);
  if (bad.empty())
    return;
  std::vector<std::string> rest = process.libraryPath.vec();
  llvm::erase_if(rest, [&](const std::string &each) { return llvm::is_contained(bad, each); });
  std::string named = support::joined(bad, " and ", [](const std::string &element) {
    return element.empty() ? "the empty element, which means the working directory," : element;
  });
  Remedy &remedy =
      judged.add(Remedy::Kind::Undo, fmt::format("take {} out of LD_LIBRARY_PATH", named));
  remedy.commands = {withLibraryPath(rest)};
  remedy.change.libraryPath = std::move(rest);
}

/// Libraries of LD_PRELOAD are loaded before everything else.
static void dropPreload(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  auto brought = llvm::find_if(
      process.loaded, [](const LoadedCopy &copy) { return copy.broughtBy == "LD_PRELOAD"; });
  if (process.preload.empty() || brought == process.loaded.end())
    return;
  Remedy &remedy = judged.add(Remedy::Kind::Undo, "unset LD_PRELOAD, which loads " + brought->path);
  remedy.commands = {"unset LD_PRELOAD"};
  remedy.change.withoutPreload = true;
}

static void toRelease(RemedyCase &judged, const tables::TorchRelease &release, StringRef verb) {
  Remedy &remedy = judged.add(Remedy::Kind::Framework, fmt::format("{} torch to {} (CUDA {})", verb,
                                                                   release, release.defaultLine));
  remedy.commands = {fmt::format(
      "{} {}", judged.context.pip,
      pipArguments(judged.process.installed->torch, fmt::format("torch=={}", release)))};
  remedy.change.torch = release.str();
}

/// Proposes PyPI's build of the installed torch release, if another one is installed, and newer
/// releases, of the CUDA major of the file, else of the runtime, oldest first; then, if the file is
/// for an older major or uses torch's own libraries, older releases of its major, newest first. It
/// is decided later whether one works.
static void frameworks(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  if (!process.installed || judged.context.pip.empty())
    return;
  auto has = Version::parse(process.installed->torch);
  if (!has)
    return;
  has->local.clear();
  unsigned own = majorOf(*process.file), line = process.installed->line.major;
  const std::vector<tables::TorchRelease> releases = tables::torchReleases();
  for (const tables::TorchRelease &release : releases) {
    auto version = Version::parse(release.str());
    if (release.defaultLine.major != (own ? own : line))
      continue;
    if (*version == *has && release.defaultLine != process.installed->line)
      toRelease(judged, release, "change");
    else if (*version > *has)
      toRelease(judged, release, "raise");
  }
  // The file was built for an older CUDA major or an older release than the installed torch.
  bool isOlder = own && (own < line || (own == line && mayUseTorch(*process.file)));
  for (const tables::TorchRelease &release : llvm::reverse(releases))
    if (isOlder && release.defaultLine.major == own && *Version::parse(release.str()) < *has)
      toRelease(judged, release, "lower");
}

/// Path from the file's folder to \p folder, starting with $ORIGIN.
static std::string fromOrigin(StringRef file, StringRef folder) {
  llvm::SmallVector<StringRef> from, to;
  file.rsplit('/').first.split(from, '/', -1, false);
  folder.split(to, '/', -1, false);
  auto [own, other] = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
  std::string out = "$ORIGIN";
  for (; own != from.end(); ++own)
    out += "/..";
  for (; other != to.end(); ++other)
    out += fmt::format("/{}", *other);
  return out;
}

/// Libraries to add to the file's own NEEDED: those that its dependencies NEED, those that it uses
/// without NEEDED, and those in its version needs.
static std::vector<std::string> neededOf(const ProcessCase &process) {
  std::vector<std::string> names;
  auto want = [&](StringRef name) {
    if (!name.empty() && !tables::isDriverLibrary(name) &&
        !llvm::is_contained(process.file->needed, name) && !llvm::is_contained(names, name) &&
        name != process.file->soname)
      names.push_back(name.str());
  };
  auto isThere = [&](StringRef name) { return process.installed->find(name) != nullptr; };
  for (const LoadStep &step : process.load->steps)
    if (isThere(step.name))
      want(step.name);
  if (isThere(process.load->missing))
    want(process.load->missing);
  if (process.binding) {
    want(blamed(process));
    if (process.binding->symbol.empty())
      want(process.binding->file);
  }
  return names;
}

static void relink(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  if (!process.installed || process.path.empty())
    return;
  Remedy remedy;
  remedy.kind = Remedy::Kind::Relink;
  Change &change = remedy.change;
  change.relinked = true;
  for (StringRef name : process.file->needed) {
    if (std::string plain = ungrafted(name); !plain.empty() && name == process.load->missing)
      change.renamed.emplace_back(name.str(), plain);
    // A path in NEEDED exists only on the build machine.
    StringRef base = name.rsplit('/').second;
    if (process.installed->find(base))
      change.renamed.emplace_back(name.str(), base.str());
  }
  change.needed = neededOf(process);
  BinaryFacts mended = relinked(*process.file, change);
  for (StringRef name : mended.needed)
    if (const TargetLibrary *library = process.installed->find(name);
        library && !library->path.empty()) {
      std::string element = fromOrigin(process.path, StringRef(library->path).rsplit('/').first);
      if (!llvm::is_contained(change.rpath, element))
        change.rpath.push_back(element);
    }
  if (change.rpath.empty() && change.needed.empty() && change.renamed.empty())
    return;
  for (const std::string &element : process.file->searchPath())
    if (StringRef below = element;
        support::consumeOrigin(below) && !llvm::is_contained(change.rpath, element))
      change.rpath.push_back(element);
  std::string command = "patchelf";
  for (const auto &[from, to] : change.renamed)
    command += fmt::format(" --replace-needed {} {}", shellWord(from), shellWord(to));
  for (const std::string &name : change.needed)
    command += " --add-needed " + shellWord(name);
  if (!change.rpath.empty())
    command += " --force-rpath --set-rpath " + shellWord(llvm::join(change.rpath, ":"));
  remedy.text = "link it through cuda-cc, which makes the same change at the link";
  remedy.commands = {fmt::format("{} {}", command, shellWord(process.path))};
  remedy.price = "patchelf rewrites the file; the next install restores the old one";
  judged.remedies.push_back(std::move(remedy));
}

static void rebuild(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  if (!process.installed || !process.installed->line.known())
    return;
  CudaVersion line = process.installed->line;
  for (const FoundToolkit &toolkit : judged.context.toolkits) {
    if (toolkit.cuda.major != line.major || toolkit.cuda > line)
      continue;
    Remedy &remedy =
        judged.add(Remedy::Kind::Rebuild,
                   fmt::format("build it again with CUDA {}, which is here", toolkit.cuda));
    std::string folder = fmt::format("cuda-{}", toolkit.cuda);
    remedy.commands = {fmt::format("cuda-cc toolchain {} --runtime={} --toolkit={}", folder,
                                   shellWord("env:" + judged.context.prefix),
                                   shellWord(toolkit.root)),
                       fmt::format("export PATH=\"$PWD/{}/bin:$PATH\"", folder)};
    remedy.change.toolkit = toolkit.cuda;
  }
}

static void order(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  std::string name = judged.context.module.empty() ? judged.context.name : judged.context.module;
  bool needsTorch = llvm::any_of(process.file->needed, tables::isTorchLibrary);
  if (!process.before.empty() && !needsTorch) {
    std::string first = llvm::join(process.before, ", ");
    Remedy &remedy =
        judged.add(Remedy::Kind::Order, fmt::format("import {} before {}", name, first));
    if (!judged.context.module.empty())
      remedy.commands = {fmt::format("python -c 'import {}, {}'", name, first)};
    remedy.price = "every program that imports both has to";
    remedy.change.before.emplace();
  }
  bool hasTorch = process.installed && !process.installed->torch.empty();
  if (hasTorch && !llvm::is_contained(process.before, "torch")) {
    Remedy &remedy = judged.add(Remedy::Kind::Order, "import torch before " + name);
    if (!judged.context.module.empty())
      remedy.commands = {fmt::format("python -c 'import torch, {}'", name)};
    remedy.price = "every program that imports it has to";
    remedy.change.before = process.before.vec();
    remedy.change.before->push_back("torch");
  }
}

/// Folders of the environment with further NEEDED libraries that were not loaded, so that one
/// remedy covers everything that is missing.
static std::vector<std::string> otherFolders(const ProcessCase &process, StringRef soname) {
  std::vector<std::string> folders;
  for (StringRef name : process.file->needed) {
    bool isLoaded =
        llvm::any_of(process.load->steps, [&](const LoadStep &step) { return step.name == name; });
    const TargetLibrary *row =
        process.installed && !isLoaded && name != soname ? process.installed->find(name) : nullptr;
    if (row && !row->path.empty())
      folders.push_back(StringRef(row->path).rsplit('/').first.str());
  }
  return folders;
}

/// Proposes variables for each copy of the library that is missing or was taken from elsewhere;
/// copies of the environment first, then those of the rest of the machine.
static void variables(RemedyCase &judged) {
  const ProcessCase &process = judged.process;
  std::string soname = process.load->ok() ? blamed(process) : process.load->missing;
  for (const NotOpened &each : process.load->notOpened)
    if (soname.empty() && !each.isBeside)
      soname = each.library;
  for (const FoundCopy &copy : process.copies) {
    if (copy.soname != soname || copy.where == "LD_LIBRARY_PATH")
      continue;
    std::vector<std::string> elements{StringRef(copy.path).rsplit('/').first.str()};
    for (std::string &folder : otherFolders(process, soname))
      if (!llvm::is_contained(elements, folder))
        elements.push_back(std::move(folder));
    size_t added = elements.size();
    for (const std::string &each : process.libraryPath)
      if (!llvm::is_contained(elements, each))
        elements.push_back(each);
    Remedy &path =
        judged.add(Remedy::Kind::Variable, added == 1 ? "put its folder into LD_LIBRARY_PATH"
                                                      : "put their folders into LD_LIBRARY_PATH");
    path.commands = {withLibraryPath(elements)};
    path.price =
        "it applies to every program of that shell, and other libraries in that folder are "
        "found there too";
    path.change.libraryPath = elements;
    Remedy &preload = judged.add(Remedy::Kind::Variable, "load it before everything else");
    preload.commands = {"export LD_PRELOAD=" + shellWord(copy.path)};
    preload.price = "every program of that shell loads it";
    preload.change.preload = {copy.path};
  }
}

/// Whether the load fails at a damaged file of a package. It is installed again: a copy from
/// elsewhere, or another version, would hide the damage.
static bool isDamagedPackage(const ProcessCase &process, const RemedyContext &context) {
  auto failure = fileFailure(*process.load);
  return failure && (failure->code == Code::Damaged || failure->code == Code::NotLoadable) &&
         context.ownerOf && !context.ownerOf(process.load->unloadable).dist.empty();
}

std::vector<Remedy> remediesFor(const ProcessCase &process, const RemedyContext &context) {
  RemedyCase judged{process, context, {}};
  undo(judged, true);
  undo(judged, false);
  dropPreload(judged);
  if (isDamagedPackage(process, context))
    return std::move(judged.remedies);
  size_t framework = judged.remedies.size();
  frameworks(judged);
  wheels(judged);
  // Installing what the framework requires is the smallest change.
  std::stable_partition(judged.remedies.begin() + framework, judged.remedies.end(),
                        [&](const Remedy &each) { return restores(process, each); });
  rebuild(judged);
  relink(judged);
  order(judged);
  variables(judged);
  // Users of an installed file cannot rebuild it: put what they can do first.
  bool isInstalled = context.ownerOf && !context.ownerOf(process.path).dist.empty();
  if (isInstalled)
    std::stable_partition(judged.remedies.begin(), judged.remedies.end(), [](const Remedy &each) {
      return each.kind != Remedy::Kind::Rebuild && each.kind != Remedy::Kind::Relink;
    });
  return std::move(judged.remedies);
}

} // namespace cudacc::policy
