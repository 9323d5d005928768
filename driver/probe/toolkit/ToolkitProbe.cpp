// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/ToolkitProbe.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/probe/toolkit/NvccScript.h"
#include "driver/probe/toolkit/Packages.h"
#include "driver/probe/toolkit/Profile.h"
#include "driver/probe/toolkit/ToolVersion.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;

namespace {
enum class PartKind { Program, Header, Other };

struct PartRow {
  llvm::StringLiteral name;
  PartKind kind;
  /// The wheel of CUDA 13; that of CUDA 12 is `wheel12` with `-cu12` appended.
  llvm::StringLiteral wheel, wheel12;
  /// conda packages, separated by spaces, best first.
  llvm::StringLiteral conda;
  /// Key in version.json.
  llvm::StringLiteral json;
};

constexpr PartRow parts[] = {
    {"nvcc", PartKind::Program, "nvidia-cuda-nvcc", "nvidia-cuda-nvcc", "cuda-nvcc-tools cuda-nvcc",
     "cuda_nvcc"},
    {"cicc", PartKind::Program, "nvidia-nvvm", "nvidia-cuda-nvcc",
     "cuda-nvvm-tools cuda-nvcc-tools cuda-nvcc", "cuda_nvcc"},
    {"ptxas", PartKind::Program, "nvidia-cuda-nvcc", "nvidia-cuda-nvcc",
     "cuda-nvcc-tools cuda-nvcc", "cuda_nvcc"},
    {"crt", PartKind::Other, "nvidia-cuda-crt", "nvidia-cuda-nvcc",
     "cuda-crt-dev_linux-64 cuda-nvcc-dev_linux-64 cuda-nvcc", "cuda_nvcc"},
    {"cudart", PartKind::Header, "nvidia-cuda-runtime", "nvidia-cuda-runtime",
     "cuda-cudart-dev_linux-64 cuda-cudart-dev", "cuda_cudart"},
    {"cuda.h", PartKind::Header, "nvidia-cuda-runtime", "nvidia-cuda-runtime",
     "cuda-driver-dev_linux-64 cuda-driver-dev", "cuda_cudart"},
    {"cccl", PartKind::Other, "nvidia-cuda-cccl", "nvidia-cuda-cccl",
     "cuda-cccl_linux-64 cuda-cccl", "cuda_cccl"},
};

class Prober {
public:
  Prober(Toolkit &toolkit, Files &files, const ToolkitPlace &given)
      : toolkit(toolkit), files(files), given(given) {}
  llvm::Error run(llvm::StringRef nvcc);

private:
  void remember(llvm::StringRef path);
  FileStatus::Kind look(llvm::StringRef path);
  llvm::Error follow(llvm::StringRef nvcc);
  void readProfile();
  void findPackages();
  std::string place(const PartRow &row);
  const Package *ownerAmong(llvm::ArrayRef<Package> known, llvm::ArrayRef<std::string> names,
                            llvm::StringRef path);
  const Package *ownerBehind(const PartRow &row, llvm::StringRef path);
  const Package *ownerOf(const PartRow &row, llvm::StringRef path);
  void addPart(const PartRow &row);
  std::vector<std::string> existing(llvm::ArrayRef<std::string> folders);
  std::string headerFolder();

  Toolkit &toolkit;
  Files &files;
  const ToolkitPlace &given;
  Profile profile;
  /// Directory of a script that calls nvcc: Debian keeps ptxas there.
  std::string scriptFolder;
  std::string site;
  std::vector<Package> packages;
  /// Packages of other site-packages directories, by path.
  std::map<std::string, std::vector<Package>> others;
  support::Value versionJson;
  /// What may be there and cannot be read: the facts would be those of a part.
  std::optional<Finding> unread;
};
} // namespace

FileStatus::Kind Prober::look(llvm::StringRef path) {
  FileStatus status = files.stat(path);
  if (status.unreachable && !unread)
    unread = makeFinding(Code::UnreadableFile, fmt::format("cannot read {}", path));
  return status.kind;
}

void Prober::remember(llvm::StringRef path) {
  FileStatus status = files.stat(path);
  if (status.exists() && !llvm::is_contained(toolkit.inputs, status.id))
    toolkit.inputs.push_back(std::move(status.id));
}

std::vector<std::string> Prober::existing(llvm::ArrayRef<std::string> folders) {
  std::vector<std::string> result;
  for (const std::string &folder : folders) {
    std::string path = normalizePath(folder, files);
    if (look(path) == FileStatus::Kind::Directory)
      result.push_back(std::move(path));
  }
  return result;
}

void Prober::readProfile() {
  std::string here = parentOf(given.driver.empty() ? toolkit.driver : toolkit.nvcc).str();
  toolkit.root = parentOf(here).str();
  std::string targetDir;
  for (llvm::StringRef each : ownMachine().targets)
    if (std::string folder = fmt::format("targets/{}", each);
        targetDir.empty() && !each.empty() && files.stat(joinPath(toolkit.root, folder)).exists())
      targetDir = folder;
  std::string path = joinPath(here, "nvcc.profile");
  if (auto text = files.read(path, 64 << 10)) {
    profile = parseProfile(*text, here, targetDir);
    remember(path);
  } else {
    Finding finding = toFinding(text.takeError());
    if (look(path) != FileStatus::Kind::None)
      unread = std::move(finding);
  }
  if (given.includes.empty()) {
    toolkit.includeDirs = existing(profile.includes);
    toolkit.systemIncludeDirs = existing(profile.systemIncludes);
  } else {
    toolkit.includeDirs = given.includes;
  }
  toolkit.libraryDirs = existing(profile.libraries);
  toolkit.pathDirs = existing(profile.path);
}

static ToolkitLayout layoutOf(const Toolkit &toolkit, bool conda, Files &files) {
  llvm::StringRef name = nameOf(toolkit.root);
  if (nameOf(parentOf(toolkit.root)) == "nvidia")
    return name == "cuda_nvcc" ? ToolkitLayout::WheelsCu12 : ToolkitLayout::WheelsCu13;
  if (name == "nvidia-cuda-toolkit")
    return ToolkitLayout::Debian;
  if (conda)
    return ToolkitLayout::Conda;
  return files.stat(joinPath(parentOf(toolkit.driver), "nvcc.profile")).exists()
             ? ToolkitLayout::Installer
             : ToolkitLayout::Unknown;
}

void Prober::findPackages() {
  bool conda = files.stat(joinPath(toolkit.root, "conda-meta")).exists();
  toolkit.layout =
      given.driver.empty() ? layoutOf(toolkit, conda, files) : ToolkitLayout::Installer;
  if (toolkit.layout == ToolkitLayout::WheelsCu12 || toolkit.layout == ToolkitLayout::WheelsCu13) {
    site = sitePackagesOf(toolkit.driver, files);
    packages = distributionsIn(site, files);
    remember(site);
  } else if (conda) {
    packages = condaPackagesIn(toolkit.root, files);
    remember(joinPath(toolkit.root, "conda-meta"));
  }
  std::string path = joinPath(toolkit.root, "version.json");
  if (files.stat(path).exists()) {
    versionJson = readVersionJson(toolkit.root, files);
    remember(path);
  }
}

/// Debian's nvcc names no include directory: its headers are in the compilers' default one.
std::string Prober::headerFolder() {
  std::string folder = toolkit.layout == ToolkitLayout::Debian ? "../../include" : "include";
  return normalizePath(joinPath(toolkit.root, folder), files);
}

std::string Prober::place(const PartRow &row) {
  std::vector<std::string> folders;
  llvm::StringRef name = row.name;
  if (row.kind == PartKind::Program) {
    if (name == "nvcc")
      return toolkit.driver;
    if (name == "cicc" && !profile.ciccPath.empty())
      folders.push_back(profile.ciccPath);
    llvm::append_range(folders, profile.path);
    folders.push_back(parentOf(toolkit.driver).str());
    if (!scriptFolder.empty())
      folders.push_back(scriptFolder);
    if (name == "cicc")
      folders.push_back(joinPath(toolkit.root, "nvvm/bin"));
  } else {
    folders = toolkit.includeDirs;
    llvm::append_range(folders, toolkit.systemIncludeDirs);
    if (toolkit.includeDirs.empty())
      folders.push_back(headerFolder());
    name = llvm::StringSwitch<llvm::StringRef>(name)
               .Case("crt", "crt/host_config.h")
               .Case("cudart", "cuda_runtime_api.h")
               .Case("cccl", "cuda/std/version")
               .Default(name);
  }
  for (const std::string &folder : folders) {
    std::string path = normalizePath(joinPath(folder, name), files);
    if (look(path) == FileStatus::Kind::Regular)
      return path;
  }
  return "";
}

/// The distributions that may own the part at \p path, relative to a site-packages directory.
static llvm::SmallVector<std::string, 3> wheelsOf(const PartRow &row, llvm::StringRef path) {
  // From CUDA 13 on a major has one folder, and its wheels no suffix.
  if (path.consume_front("/nvidia/cu") && path.take_front().find_if(llvm::isDigit) == 0)
    return {row.wheel.str()};
  return {fmt::format("{}-cu12", row.wheel12), fmt::format("{}-cu11", row.wheel12)};
}

const Package *Prober::ownerAmong(llvm::ArrayRef<Package> known, llvm::ArrayRef<std::string> names,
                                  llvm::StringRef path) {
  for (const std::string &name : names) {
    const Package *found = nullptr;
    for (const Package &package : known) {
      if (package.name != name)
        continue;
      if (found && found->version != package.version)
        toolkit.conflicts.push_back(
            fmt::format("{}: both {} and {} claim it", path, found->metadata, package.metadata));
      found = &package;
    }
    if (found)
      return found;
  }
  return nullptr;
}

/// V-EV-20: a symbolic link in a toolchain directory belongs to the wheel that it leads to.
const Package *Prober::ownerBehind(const PartRow &row, llvm::StringRef path) {
  std::string real = files.realPath(path).value_or(path.str());
  std::string folder = sitePackagesOf(real, files);
  if (folder.empty())
    return nullptr;
  auto [it, fresh] = others.try_emplace(folder);
  if (fresh) {
    it->second = distributionsIn(folder, files);
    remember(folder);
  }
  return ownerAmong(it->second, wheelsOf(row, llvm::StringRef(real).drop_front(folder.size())),
                    path);
}

const Package *Prober::ownerOf(const PartRow &row, llvm::StringRef path) {
  if (!given.driver.empty() || (!given.includes.empty() && !path.starts_with(toolkit.root)))
    return ownerBehind(row, path);
  if (!site.empty())
    return path.starts_with(site)
               ? ownerAmong(packages, wheelsOf(row, path.drop_front(site.size())), path)
               : nullptr;
  llvm::SmallVector<llvm::StringRef, 3> conda;
  row.conda.split(conda, ' ');
  return ownerAmong(packages, std::vector<std::string>(conda.begin(), conda.end()), path);
}

static CudaVersion lineOf(const Package &package) {
  auto version = Version::parse(package.version);
  if (!version)
    return {};
  if (package.name.starts_with("nvidia-"))
    return tables::lineOf(package.name, *version);
  // CCCL's conda package has CCCL's version (2.3.2).
  return llvm::StringRef(package.name).starts_with("cuda-cccl")
             ? CudaVersion{}
             : CudaVersion::parse(package.version).value_or(CudaVersion{});
}

void Prober::addPart(const PartRow &row) {
  Component part;
  part.path = place(row);
  if (part.path.empty())
    return;
  part.name = row.name.str();
  remember(part.path);
  if (const Component *known = given.known ? given.known->find(row.name) : nullptr;
      known && row.kind == PartKind::Program && known->path == part.path) {
    toolkit.components.push_back(*known);
    return;
  }
  if (row.kind == PartKind::Program) {
    ToolVersion own = readToolVersion(part.path, files);
    part.cuda = own.cuda;
    part.version = own.version;
    part.evidence = own.cuda.known() ? "its own text" : "";
  } else if (row.kind == PartKind::Header) {
    part.cuda = readHeaderVersion(part.path, files).cuda;
    llvm::StringRef macro = part.name == "cuda.h" ? "CUDA_VERSION" : "CUDART_VERSION";
    part.evidence = part.cuda.known() ? fmt::format("{} in {}", macro, part.path) : "";
  }
  if (const Package *owner = ownerOf(row, part.path)) {
    CudaVersion owned = lineOf(*owner);
    if (part.cuda.known() && owned.known() && owned != part.cuda)
      toolkit.conflicts.push_back(fmt::format("{}: {} says {}, {} says {}", part.path,
                                              part.evidence, part.cuda, owner->metadata, owned));
    if (part.version.empty())
      part.version = owner->version;
    if (part.evidence.empty()) {
      part.cuda = owned;
      part.evidence = owner->metadata;
    }
  }
  if (part.evidence.empty() && versionJson.isTable()) {
    part.version = versionInJson(versionJson, row.json).str();
    part.cuda = part.name == "cccl" ? CudaVersion{}
                                    : CudaVersion::parse(part.version).value_or(CudaVersion{});
    part.evidence = part.version.empty() ? "" : "version.json";
  }
  toolkit.components.push_back(std::move(part));
}

llvm::Error Prober::follow(llvm::StringRef nvcc) {
  remember(nvcc);
  if (!given.driver.empty()) {
    toolkit.nvcc = nvcc.str();
    toolkit.driver = given.driver;
    if (files.stat(toolkit.driver).kind != FileStatus::Kind::Regular)
      return makeError(Code::NoToolkit, "the nvcc behind the toolchain directory is gone",
                       {{"searched", toolkit.driver}, {"directory", grandparentOf(nvcc).str()}});
    remember(toolkit.driver);
    return llvm::Error::success();
  }
  auto followed = followNvcc(nvcc, files);
  if (!followed)
    return followed.takeError();
  toolkit.nvcc = followed->nvcc;
  toolkit.driver = followed->driver;
  for (const std::string &script : followed->scripts)
    remember(script);
  remember(toolkit.driver);
  if (!followed->scripts.empty())
    scriptFolder = parentOf(followed->scripts.front()).str();
  return llvm::Error::success();
}

llvm::Error Prober::run(llvm::StringRef nvcc) {
  if (llvm::Error error = follow(nvcc))
    return error;
  readProfile();
  findPackages();
  for (const PartRow &row : parts)
    addPart(row);
  remember(toolkit.root);
  return unread ? makeError(std::move(*unread)) : llvm::Error::success();
}

llvm::Expected<Toolkit> probeToolkit(llvm::StringRef nvcc, llvm::StringRef foundBy, Files &files,
                                     const ToolkitPlace &place) {
  Toolkit toolkit;
  toolkit.foundBy = foundBy.str();
  if (llvm::Error error = Prober(toolkit, files, place).run(nvcc))
    return error;
  return toolkit;
}

} // namespace cudacc::probe
