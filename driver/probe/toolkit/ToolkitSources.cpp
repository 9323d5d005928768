// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/ToolkitSources.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using namespace versions;
using llvm::StringRef;

namespace {

/// As in the toolkit of NVIDIA's installers; all paths are relative to the profile's directory.
constexpr llvm::StringLiteral relativeProfile = R"(TOP              = $(_HERE_)/..

CICC_PATH        = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice

LD_LIBRARY_PATH += $(TOP)/lib64:
PATH            += $(CICC_PATH):$(_HERE_):

INCLUDES        += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES       =+ $(_SPACE_) "-L$(TOP)/lib64/stubs" "-L$(TOP)/lib64"
)";

class Finder {
public:
  /// \p crosses: headers and libraries are for another machine than the one nvcc runs on.
  Finder(Files &files, ToolkitSources &sources, bool crosses)
      : files(files), sources(sources), crosses(crosses) {}

  void addEnvironment(const PythonEnvironment &environment);
  void addToolkit(const Toolkit &toolkit);

private:
  Files &files;
  ToolkitSources &sources;
  bool crosses;

  bool isDirectory(StringRef path) { return files.stat(path).kind == FileStatus::Kind::Directory; }
  /// Host compilers search these anyway; if merged, they would come before the compiler's own.
  static bool isSystem(StringRef folder) {
    return folder == "/usr/include" || folder == "/usr/lib" || folder == "/lib" ||
           folder == "/usr/lib64" || folder == "/lib64" || folder.starts_with("/usr/lib/x86_64-") ||
           folder.starts_with("/usr/lib/aarch64-");
  }
  /// A subdirectory of one already added (`include/cccl`) is reached through that.
  void addInclude(const std::string &folder) {
    if (!isSystem(folder) && !llvm::is_contained(sources.include, parentOf(folder)) &&
        !llvm::is_contained(sources.include, folder) && isDirectory(folder))
      sources.include.push_back(folder);
  }
  void addLibraries(const std::string &folder, bool shared) {
    bool known =
        llvm::any_of(sources.libraries, [&](const auto &each) { return each.folder == folder; });
    if (!known && isDirectory(folder))
      sources.libraries.push_back({folder, shared});
  }
  void addWheelFolders(const std::string &site);
  void addPrograms(const Toolkit &toolkit, const std::string &bin);
  void addNvvm(const Toolkit &toolkit, const std::string &bin);
  void addOwnLibraries(const Toolkit &toolkit);
  void addOtherLibraries(const Toolkit &toolkit);
};

/// Wheels without libraries may have headers: `nvidia/cuda_cccl/include`,
/// `nvidia/cuda_nvcc/include`.
void Finder::addWheelFolders(const std::string &site) {
  std::string nvidia = site + "/nvidia";
  for (const std::string &name : files.list(nvidia))
    addInclude(fmt::format("{}/{}/include", nvidia, name));
}

void Finder::addEnvironment(const PythonEnvironment &environment) {
  for (const InstalledLibrary &library : environment.libraries) {
    if (library.bundled)
      continue;
    std::string folder = parentOf(library.path).str();
    bool shared = library.folder.empty();
    addLibraries(folder, shared);
    if (!shared)
      addInclude(fmt::format("{}/include", support::parentOf(folder)));
  }
  for (const std::string &site : environment.sitePackages)
    addWheelFolders(site);
  // In a conda prefix, the toolkit's headers are in targets/, those of all packages in `include`.
  for (const std::string &name : sources.targets)
    addInclude(fmt::format("{}/targets/{}/include", environment.prefix, name));
}

/// Debian's package has cicc and libdevice in directories of their own.
void Finder::addNvvm(const Toolkit &toolkit, const std::string &bin) {
  sources.nvvm = toolkit.root + "/nvvm";
  if (isDirectory(sources.nvvm + "/bin"))
    return;
  sources.nvvm.clear();
  if (files.executable(bin + "/cicc"))
    sources.links.emplace_back("nvvm/bin/cicc", bin + "/cicc");
  std::string libdevice = fmt::format("{}/libdevice", support::parentOf(bin));
  if (isDirectory(libdevice))
    sources.links.emplace_back("nvvm/libdevice", libdevice);
}

/// If nvcc is in a directory with other programs (a conda prefix, Debian's /usr/bin), only the
/// toolkit's programs are linked.
void Finder::addPrograms(const Toolkit &toolkit, const std::string &bin) {
  bool apart = toolkit.layout != ToolkitLayout::Conda && bin != "/usr/bin";
  if (apart)
    sources.bin.push_back(bin);
  std::string beside = parentOf(toolkit.nvcc).str();
  for (const char *name :
       {"ptxas", "nvlink", "fatbinary", "cudafe++", "bin2c", "cuobjdump", "nvdisasm", "nvprune",
        "cu++filt", "__nvcc_device_query", "crt", "nvcc.profile"}) {
    bool here = files.stat(fmt::format("{}/{}", bin, name)).exists();
    if (here && apart)
      continue;
    if (std::string path = fmt::format("{}/{}", here ? bin : beside, name);
        files.stat(path).exists())
      sources.links.emplace_back(fmt::format("bin/{}", name), path);
  }
}

void Finder::addOwnLibraries(const Toolkit &toolkit) {
  for (const std::string &folder : toolkit.libraryDirs)
    if (std::string path = normalizePath(folder, files); nameOf(path) != "stubs")
      addLibraries(path, isSystem(path) || toolkit.layout == ToolkitLayout::Conda);
  // nvcc's wheels have no `lib64`, which their profile names.
  if (std::string lib = toolkit.root + "/lib"; toolkit.layout == ToolkitLayout::WheelsCu13)
    addLibraries(lib, false);
}

/// Adds the libraries of NVIDIA's cross-compilation packages, which are beside the toolkit's own.
/// libnvvm remains nvcc's own, since nvcc's tools load it.
void Finder::addOtherLibraries(const Toolkit &toolkit) {
  for (const std::string &name : sources.targets) {
    std::string root = fmt::format("{}/targets/{}", toolkit.root, name);
    addInclude(root + "/include");
    addLibraries(root + "/lib", false);
  }
  if (toolkit.layout != ToolkitLayout::WheelsCu13)
    return;
  std::string lib = toolkit.root + "/lib";
  for (const std::string &file : files.list(lib)) {
    if (!StringRef(file).starts_with("libnvvm.so"))
      continue;
    sources.links.emplace_back("nvvm/lib64/" + file, fmt::format("{}/{}", lib, file));
    sources.links.emplace_back("nvvm/lib64/libnvvm.so", fmt::format("{}/{}", lib, file));
  }
}

void Finder::addToolkit(const Toolkit &toolkit) {
  std::string driver = files.realPath(toolkit.driver).value_or(toolkit.driver);
  std::string bin = parentOf(driver).str();
  addPrograms(toolkit, bin);
  addNvvm(toolkit, bin);
  // Conda's profile names `targets/x86_64-linux`, which directories for other machines lack.
  bool relative = files.stat(toolkit.root + "/bin/nvcc.profile").exists() &&
                  toolkit.layout != ToolkitLayout::Debian &&
                  !(crosses && toolkit.layout == ToolkitLayout::Conda);
  if (!relative)
    sources.profile = relativeProfile.str();
  if (crosses)
    addOtherLibraries(toolkit);
  for (const auto *folders : {&toolkit.includeDirs, &toolkit.systemIncludeDirs})
    for (const std::string &folder : *folders)
      addInclude(normalizePath(folder, files));
  if (!crosses)
    addOwnLibraries(toolkit);
  if (const Component *nvcc = toolkit.find("nvcc"))
    sources.version = nvcc->version;
}

} // namespace

ToolkitSources findToolkitSources(const Toolkit *toolkit, const PythonEnvironment *environment,
                                  const Machine &machine, Files &files) {
  ToolkitSources sources;
  for (StringRef name : machine.targets)
    if (!name.empty())
      sources.targets.push_back(name.str());
  Finder finder(files, sources, machine.elf != ownMachine().elf);
  if (environment)
    finder.addEnvironment(*environment);
  if (toolkit)
    finder.addToolkit(*toolkit);
  return sources;
}

} // namespace cudacc::probe
