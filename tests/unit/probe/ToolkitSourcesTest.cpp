// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/ToolkitSources.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

const std::string packages = "/v/lib/python3.11/site-packages";

struct ToolkitSourcesTest : testing::Test {
  test::MemoryFiles files;
  Toolkit toolkit;
  PythonEnvironment environment;
  Machine machine = *machineNamed("x86_64");

  void use(const std::string &root, ToolkitLayout layout) {
    toolkit.nvcc = toolkit.driver = root + "/bin/nvcc";
    toolkit.root = root;
    toolkit.layout = layout;
    toolkit.components = {{"nvcc", toolkit.nvcc, {13, 0}, "13.0.88", "its own text"}};
    files.program(toolkit.nvcc);
  }
  void library(const std::string &folder, const std::string &soname, bool bundled = false) {
    InstalledLibrary row;
    row.soname = soname;
    row.folder = folder;
    row.path = (folder.empty() ? "/v/lib" : packages + "/" + folder) + "/" + soname;
    row.bundled = bundled;
    files.file(row.path);
    environment.prefix = "/v";
    environment.sitePackages = {packages};
    environment.libraries.push_back(std::move(row));
  }
  ToolkitSources find() {
    return probe::findToolkitSources(toolkit.nvcc.empty() ? nullptr : &toolkit,
                                     environment.prefix.empty() ? nullptr : &environment, machine,
                                     files);
  }
  static std::vector<std::string> libraries(const ToolkitSources &sources) {
    std::vector<std::string> list;
    for (const auto &each : sources.libraries)
      list.push_back(each.folder + (each.shared ? " (shared)" : ""));
    return list;
  }
};

} // namespace

TEST_F(ToolkitSourcesTest, ofAnInstalledToolkit) {
  use("/opt/cuda", ToolkitLayout::Installer);
  files.file("/opt/cuda/bin/nvcc.profile").program("/opt/cuda/nvvm/bin/cicc");
  files.directory("/opt/cuda/targets/x86_64-linux/include/cccl");
  files.directory("/opt/cuda/targets/x86_64-linux/lib/stubs");
  toolkit.includeDirs = {"/opt/cuda/targets/x86_64-linux/include"};
  toolkit.systemIncludeDirs = {"/opt/cuda/targets/x86_64-linux/include/cccl"};
  toolkit.libraryDirs = {"/opt/cuda/targets/x86_64-linux/lib/stubs",
                         "/opt/cuda/targets/x86_64-linux/lib"};
  ToolkitSources sources = find();
  EXPECT_THAT(sources.bin, ElementsAre("/opt/cuda/bin"));
  // `include/cccl` is found through `include`.
  EXPECT_THAT(sources.include, ElementsAre("/opt/cuda/targets/x86_64-linux/include"));
  EXPECT_THAT(libraries(sources), ElementsAre("/opt/cuda/targets/x86_64-linux/lib"));
  EXPECT_EQ(sources.nvvm, "/opt/cuda/nvvm");
  EXPECT_THAT(sources.links, IsEmpty());
  EXPECT_EQ(sources.profile, "");
  EXPECT_EQ(sources.version, "13.0.88");
  EXPECT_THAT(sources.targets, ElementsAre("x86_64-linux"));
}

// Their profile names a `lib64` that does not exist (13.0, 13.1).
TEST_F(ToolkitSourcesTest, ofWheelsOfCuda13) {
  std::string root = packages + "/nvidia/cu13";
  use(root, ToolkitLayout::WheelsCu13);
  files.file(root + "/bin/nvcc.profile").program(root + "/nvvm/bin/cicc");
  files.directory(root + "/include").directory(root + "/lib");
  toolkit.includeDirs = {root + "/include"};
  ToolkitSources sources = find();
  EXPECT_THAT(sources.include, ElementsAre(root + "/include"));
  EXPECT_THAT(libraries(sources), ElementsAre(root + "/lib"));
  EXPECT_EQ(sources.profile, "");
  EXPECT_EQ(sources.nvvm, root + "/nvvm");
}

// Headers and libraries of the runtime precede those that were installed with nvcc.
TEST_F(ToolkitSourcesTest, ofWheelsOfCuda12AndAnNvccFromElsewhere) {
  use("/opt/cuda", ToolkitLayout::Installer);
  files.file("/opt/cuda/bin/nvcc.profile").directory("/opt/cuda/include");
  files.directory("/opt/cuda/lib64");
  toolkit.includeDirs = {"/opt/cuda/include"};
  toolkit.libraryDirs = {"/opt/cuda/lib64"};
  library("nvidia/cublas/lib", "libcublas.so.12");
  library("nvidia/cuda_runtime/lib", "libcudart.so.12");
  for (const char *name : {"cublas", "cuda_runtime", "cuda_cccl"})
    files.directory(packages + "/nvidia/" + name + "/include");
  ToolkitSources sources = find();
  EXPECT_THAT(sources.include,
              ElementsAre(packages + "/nvidia/cublas/include",
                          packages + "/nvidia/cuda_runtime/include",
                          packages + "/nvidia/cuda_cccl/include", "/opt/cuda/include"));
  EXPECT_THAT(libraries(sources),
              ElementsAre(packages + "/nvidia/cublas/lib", packages + "/nvidia/cuda_runtime/lib",
                          "/opt/cuda/lib64"));
  EXPECT_THAT(sources.bin, ElementsAre("/opt/cuda/bin"));
}

// Wheels released separately keep their own folders; a framework's renamed copy is not for linking.
TEST_F(ToolkitSourcesTest, ofComponentsReleasedApart) {
  library("nvidia/cudnn/lib", "libcudnn.so.9");
  library("cuquantum/lib", "libcutensornet.so.2");
  library("torch/lib", "libcudart-9335f6a2.so.11.0", /*bundled=*/true);
  files.directory(packages + "/nvidia/cudnn/include").directory(packages + "/cuquantum/include");
  ToolkitSources sources = find();
  EXPECT_THAT(libraries(sources),
              ElementsAre(packages + "/nvidia/cudnn/lib", packages + "/cuquantum/lib"));
  EXPECT_THAT(sources.include,
              ElementsAre(packages + "/nvidia/cudnn/include", packages + "/cuquantum/include"));
  EXPECT_THAT(sources.bin, IsEmpty());
  EXPECT_EQ(sources.version, "");
}

// nvcc is a script; cicc and libdevice are in folders of the package, the tools beside the script;
// the profile is absolute; headers and libraries are in system folders.
TEST_F(ToolkitSourcesTest, ofDebiansPackage) {
  use("/usr/lib/nvidia-cuda-toolkit", ToolkitLayout::Debian);
  toolkit.nvcc = "/usr/bin/nvcc";
  files.program("/usr/bin/nvcc").program("/usr/bin/ptxas").program("/usr/bin/ls");
  files.program("/usr/lib/nvidia-cuda-toolkit/bin/cicc");
  files.file("/usr/lib/nvidia-cuda-toolkit/bin/nvcc.profile");
  files.directory("/usr/lib/nvidia-cuda-toolkit/libdevice");
  files.directory("/usr/include").directory("/usr/lib/x86_64-linux-gnu");
  toolkit.includeDirs = {"/usr/include"};
  toolkit.libraryDirs = {"/usr/lib/x86_64-linux-gnu"};
  ToolkitSources sources = find();
  EXPECT_THAT(sources.bin, ElementsAre("/usr/lib/nvidia-cuda-toolkit/bin"));
  EXPECT_THAT(sources.links, UnorderedElementsAre(
                                 Pair("bin/ptxas", "/usr/bin/ptxas"),
                                 Pair("nvvm/bin/cicc", "/usr/lib/nvidia-cuda-toolkit/bin/cicc"),
                                 Pair("nvvm/libdevice", "/usr/lib/nvidia-cuda-toolkit/libdevice")));
  EXPECT_EQ(sources.nvvm, "");
  EXPECT_THAT(sources.profile, HasSubstr("TOP              = $(_HERE_)/.."));
  EXPECT_THAT(sources.include, IsEmpty());
  EXPECT_THAT(libraries(sources), ElementsAre("/usr/lib/x86_64-linux-gnu (shared)"));
}

// A prefix has one `bin` and one `lib` for all packages.
TEST_F(ToolkitSourcesTest, ofConda) {
  use("/v", ToolkitLayout::Conda);
  files.file("/v/bin/nvcc.profile").program("/v/bin/ptxas").program("/v/bin/python3");
  files.program("/v/nvvm/bin/cicc").directory("/v/targets/x86_64-linux/include");
  toolkit.includeDirs = {"/v/targets/x86_64-linux/include"};
  toolkit.libraryDirs = {"/v/lib"};
  library("", "libcudart.so.12");
  ToolkitSources sources = find();
  EXPECT_THAT(sources.bin, IsEmpty());
  EXPECT_THAT(sources.links, UnorderedElementsAre(Pair("bin/ptxas", "/v/bin/ptxas"),
                                                  Pair("bin/nvcc.profile", "/v/bin/nvcc.profile")));
  EXPECT_THAT(libraries(sources), ElementsAre("/v/lib (shared)"));
  EXPECT_THAT(sources.include, ElementsAre("/v/targets/x86_64-linux/include"));
  EXPECT_EQ(sources.nvvm, "/v/nvvm");
}

// NVIDIA's packages for cross compilation are installed beside the toolkit's own libraries, which a
// linker for the other machine would only skip.
TEST_F(ToolkitSourcesTest, forAnotherMachineOfAnInstalledToolkit) {
  machine = *machineNamed("aarch64");
  use("/opt/cuda", ToolkitLayout::Installer);
  files.file("/opt/cuda/bin/nvcc.profile").program("/opt/cuda/nvvm/bin/cicc");
  files.directory("/opt/cuda/targets/x86_64-linux/include");
  files.directory("/opt/cuda/targets/x86_64-linux/lib");
  toolkit.includeDirs = {"/opt/cuda/targets/x86_64-linux/include"};
  toolkit.libraryDirs = {"/opt/cuda/targets/x86_64-linux/lib"};
  EXPECT_THAT(libraries(find()), IsEmpty());
  files.directory("/opt/cuda/targets/sbsa-linux/include");
  files.directory("/opt/cuda/targets/sbsa-linux/lib");
  ToolkitSources sources = find();
  EXPECT_THAT(libraries(sources), ElementsAre("/opt/cuda/targets/sbsa-linux/lib"));
  EXPECT_THAT(sources.include, ElementsAre("/opt/cuda/targets/sbsa-linux/include",
                                           "/opt/cuda/targets/x86_64-linux/include"));
  EXPECT_THAT(sources.targets, ElementsAre("sbsa-linux", "aarch64-linux"));
  EXPECT_EQ(sources.nvvm, "/opt/cuda/nvvm");
}

// libnvvm is loaded by nvcc's own tools and is not linked.
TEST_F(ToolkitSourcesTest, forAnotherMachineOfWheels) {
  machine = *machineNamed("aarch64");
  std::string root = "/n/nvidia/cu13";
  use(root, ToolkitLayout::WheelsCu13);
  files.file(root + "/bin/nvcc.profile").program(root + "/nvvm/bin/cicc");
  files.directory(root + "/include").file(root + "/lib/libnvvm.so.4");
  files.file(root + "/lib/libcudart.so.13");
  toolkit.includeDirs = {root + "/include"};
  library("nvidia/cu13/lib", "libcudart.so.13");
  files.directory(packages + "/nvidia/cu13/include");
  ToolkitSources sources = find();
  EXPECT_THAT(libraries(sources), ElementsAre(packages + "/nvidia/cu13/lib"));
  EXPECT_THAT(sources.include, ElementsAre(packages + "/nvidia/cu13/include", root + "/include"));
  EXPECT_THAT(sources.links,
              UnorderedElementsAre(Pair("nvvm/lib64/libnvvm.so.4", root + "/lib/libnvvm.so.4"),
                                   Pair("nvvm/lib64/libnvvm.so", root + "/lib/libnvvm.so.4")));
}

// Its profile names `targets/x86_64-linux`.
TEST_F(ToolkitSourcesTest, forAnotherMachineCondasProfileIsNotTaken) {
  machine = *machineNamed("aarch64");
  use("/v", ToolkitLayout::Conda);
  files.file("/v/bin/nvcc.profile").directory("/v/targets/sbsa-linux/lib");
  ToolkitSources sources = find();
  EXPECT_THAT(sources.profile, HasSubstr("$(TOP)/lib64"));
  EXPECT_THAT(libraries(sources), ElementsAre("/v/targets/sbsa-linux/lib"));
}

TEST_F(ToolkitSourcesTest, ofNothing) {
  ToolkitSources sources = find();
  EXPECT_THAT(sources.bin, IsEmpty());
  EXPECT_THAT(sources.include, IsEmpty());
  EXPECT_THAT(sources.libraries, IsEmpty());
}
