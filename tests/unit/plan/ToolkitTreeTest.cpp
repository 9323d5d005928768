// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/ToolkitTree.h"
#include <gmock/gmock.h>
#include <map>

using namespace cudacc::plan;
using cudacc::core::ToolkitSources;
using cudacc::core::TreeEntry;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {

/// Folders by path; a name that ends in a slash is a directory.
class ToolkitTree : public testing::Test {
protected:
  std::map<std::string, std::vector<std::string>> folders;
  ToolkitSources sources;

  ToolkitTree() { sources.targets = {"x86_64-linux"}; }

  std::vector<TreeEntry> tree(std::vector<std::string> ours = {}) {
    return planToolkitTree(sources, ours, [&](llvm::StringRef folder) {
      std::vector<ListedName> names;
      for (llvm::StringRef name : folders[folder.str()]) {
        bool isDirectory = name.consume_back("/");
        names.push_back({name.str(), isDirectory});
      }
      return names;
    });
  }
  /// "path -> to", or "path: text", of the entries below \p prefix.
  std::vector<std::string> below(llvm::StringRef prefix) {
    std::vector<std::string> lines;
    for (const TreeEntry &entry : tree())
      if (llvm::StringRef(entry.path).starts_with(prefix))
        lines.push_back(entry.path + (entry.kind == TreeEntry::Kind::Link ? " -> " : ": ") +
                        entry.text);
    return lines;
  }
};

TEST_F(ToolkitTree, WheelsGetTheNamesThatLinkersLookFor) {
  folders["/w/lib"] = {"libcublas.so.13", "libcublasLt.so.13", "libcudart_static.a"};
  sources.libraries = {{"/w/lib"}};
  EXPECT_THAT(below("lib64"), ElementsAre("lib64/libcublas.so -> libcublas.so.13",
                                          "lib64/libcublas.so.13 -> /w/lib/libcublas.so.13",
                                          "lib64/libcublasLt.so -> libcublasLt.so.13",
                                          "lib64/libcublasLt.so.13 -> /w/lib/libcublasLt.so.13",
                                          "lib64/libcudart_static.a -> /w/lib/libcudart_static.a"));
}

TEST_F(ToolkitTree, AnInstallersNamesAreKept) {
  folders["/t/lib64"] = {"libcublas.so", "libcublas.so.13", "libcublas.so.13.1.0.3"};
  sources.libraries = {{"/t/lib64"}};
  EXPECT_THAT(below("lib64"),
              ElementsAre("lib64/libcublas.so -> /t/lib64/libcublas.so",
                          "lib64/libcublas.so.13 -> /t/lib64/libcublas.so.13",
                          "lib64/libcublas.so.13.1.0.3 -> /t/lib64/libcublas.so.13.1.0.3"));
}

TEST_F(ToolkitTree, TheSonameIsTheShorterOfTwoNames) {
  folders["/t"] = {"libfoo.so.1.2.3", "libfoo.so.1"};
  sources.libraries = {{"/t"}};
  EXPECT_THAT(below("lib64/libfoo.so"), Contains("lib64/libfoo.so -> libfoo.so.1"));
}

TEST_F(ToolkitTree, TheRuntimesLibraryHidesTheToolkits) {
  folders["/env"] = {"libcublas.so.12"};
  folders["/t"] = {"libcublas.so", "libcublas.so.13", "libcublas_static.a", "libcufft.so.12"};
  sources.libraries = {{"/env"}, {"/t"}};
  EXPECT_THAT(below("lib64"), ElementsAre("lib64/libcublas.so -> libcublas.so.12",
                                          "lib64/libcublas.so.12 -> /env/libcublas.so.12",
                                          "lib64/libcublas_static.a -> /t/libcublas_static.a",
                                          "lib64/libcufft.so -> libcufft.so.12",
                                          "lib64/libcufft.so.12 -> /t/libcufft.so.12"));
}

TEST_F(ToolkitTree, OfASharedFolderOnlyNvidiasLibrariesCount) {
  folders["/c/lib"] = {"libcudart.so.12", "libstdc++.so.6", "pkgconfig/"};
  sources.libraries = {{"/c/lib", true}};
  EXPECT_THAT(below("lib64/"), ElementsAre("lib64/libcudart.so -> libcudart.so.12",
                                           "lib64/libcudart.so.12 -> /c/lib/libcudart.so.12"));
}

TEST_F(ToolkitTree, FoldersOfOneNameAreMerged) {
  folders["/nvcc/include"] = {"crt/", "fatbinary_section.h"};
  folders["/cudart/include"] = {"crt/", "cuda.h"};
  folders["/nvcc/include/crt"] = {"host_config.h"};
  folders["/cudart/include/crt"] = {"host_config.h", "host_defines.h"};
  sources.include = {"/nvcc/include", "/cudart/include"};
  EXPECT_THAT(below("include"),
              ElementsAre("include/crt/host_config.h -> /nvcc/include/crt/host_config.h",
                          "include/crt/host_defines.h -> /cudart/include/crt/host_defines.h",
                          "include/cuda.h -> /cudart/include/cuda.h",
                          "include/fatbinary_section.h -> /nvcc/include/fatbinary_section.h"));
}

TEST_F(ToolkitTree, AFolderThatOneSourceHasIsOneLink) {
  folders["/a"] = {"cub/", "cuda.h"};
  folders["/a/cub"] = {"cub.cuh"};
  folders["/b"] = {"cutensor.h"};
  sources.include = {"/a", "/b"};
  EXPECT_THAT(below("include"), ElementsAre("include/cub -> /a/cub", "include/cuda.h -> /a/cuda.h",
                                            "include/cutensor.h -> /b/cutensor.h"));
}

TEST_F(ToolkitTree, CompilersOfOursAreNotLinked) {
  folders["/t/bin"] = {"cicc", "nvcc", "nvcc.profile", "ptxas"};
  sources.bin = {"/t/bin"};
  std::vector<std::string> paths;
  for (const TreeEntry &entry : tree({"nvcc", "g++"}))
    paths.push_back(entry.path);
  EXPECT_THAT(paths, Contains("bin/ptxas"));
  EXPECT_THAT(paths, Contains("bin/nvcc.profile"));
  EXPECT_THAT(paths, Not(Contains("bin/nvcc")));
}

TEST_F(ToolkitTree, ForLaunchersNvccItselfLiesAmongTheOthers) { // R4
  folders["/t/bin"] = {"crt/", "nvcc", "nvcc.profile", "ptxas"};
  folders["/u/bin"] = {"crt/"};
  folders["/t/bin/crt"] = {"link.stub"};
  folders["/u/bin/crt"] = {"prelink.stub"};
  sources.bin = {"/t/bin", "/u/bin"};
  std::vector<TreeEntry> entries = tree({"nvcc"});
  addLaunched("/t/bin/nvcc", entries);
  std::vector<std::string> lines;
  for (const TreeEntry &entry : entries)
    if (llvm::StringRef(entry.path).starts_with("libexec/"))
      lines.push_back(entry.path + " -> " + entry.text);
  EXPECT_THAT(lines, ElementsAre("libexec/crt -> ../bin/crt",
                                 "libexec/nvcc.profile -> ../bin/nvcc.profile",
                                 "libexec/ptxas -> ../bin/ptxas", "libexec/nvcc -> /t/bin/nvcc"));
}

TEST_F(ToolkitTree, AProfileOfOursStandsInForTheToolkits) {
  folders["/t/bin"] = {"nvcc.profile"};
  sources.bin = {"/t/bin"};
  sources.profile = "TOP = $(_HERE_)/..\n";
  EXPECT_THAT(below("bin"), ElementsAre("bin/nvcc.profile: TOP = $(_HERE_)/..\n"));
}

TEST_F(ToolkitTree, LibnvvmLiesWhereNvlinkLooks) {
  folders["/w/nvvm"] = {"bin/", "libdevice/"};
  folders["/w/lib"] = {"libnvvm.so.4"};
  sources.libraries = {{"/w/lib"}};
  sources.nvvm = "/w/nvvm";
  EXPECT_THAT(below("nvvm"), ElementsAre("nvvm/bin -> /w/nvvm/bin",
                                         "nvvm/lib64/libnvvm.so -> ../../lib64/libnvvm.so",
                                         "nvvm/lib64/libnvvm.so.4 -> ../../lib64/libnvvm.so.4",
                                         "nvvm/libdevice -> /w/nvvm/libdevice"));
}

// `lib64` has one for another machine, which nvlink cannot load.
TEST_F(ToolkitTree, ALibnvvmThatLiesApartIsTheOne) {
  folders["/w/nvvm"] = {"bin/"};
  folders["/arm/lib"] = {"libnvvm.so.4"};
  sources.libraries = {{"/arm/lib"}};
  sources.nvvm = "/w/nvvm";
  sources.links = {{"nvvm/lib64/libnvvm.so.4", "/w/lib/libnvvm.so.4"},
                   {"nvvm/lib64/libnvvm.so", "/w/lib/libnvvm.so.4"}};
  EXPECT_THAT(below("nvvm/lib64"), ElementsAre("nvvm/lib64/libnvvm.so -> /w/lib/libnvvm.so.4",
                                               "nvvm/lib64/libnvvm.so.4 -> /w/lib/libnvvm.so.4"));
}

TEST_F(ToolkitTree, AMachineOfTwoNamesHasBoth) {
  sources.targets = {"sbsa-linux", "aarch64-linux"};
  EXPECT_THAT(below("targets"), ElementsAre("targets/aarch64-linux/include -> ../../include",
                                            "targets/aarch64-linux/lib -> ../../lib64",
                                            "targets/sbsa-linux/include -> ../../include",
                                            "targets/sbsa-linux/lib -> ../../lib64"));
}

TEST_F(ToolkitTree, AnInstallersLibnvvmStays) {
  folders["/t/nvvm"] = {"bin/", "lib64/"};
  folders["/t/nvvm/lib64"] = {"libnvvm.so", "libnvvm.so.4"};
  sources.nvvm = "/t/nvvm";
  EXPECT_THAT(below("nvvm/lib64"),
              ElementsAre("nvvm/lib64/libnvvm.so -> /t/nvvm/lib64/libnvvm.so",
                          "nvvm/lib64/libnvvm.so.4 -> /t/nvvm/lib64/libnvvm.so.4"));
}

TEST_F(ToolkitTree, WhatLiesApartIsLinkedWhereItBelongs) {
  sources.links = {{"nvvm/bin/cicc", "/usr/lib/nvidia-cuda-toolkit/bin/cicc"}};
  EXPECT_THAT(below("nvvm"), ElementsAre("nvvm/bin/cicc -> /usr/lib/nvidia-cuda-toolkit/bin/cicc"));
}

TEST_F(ToolkitTree, EveryBuildSystemFindsItsPlace) {
  sources.version = "13.0.88";
  EXPECT_THAT(below("lib"), ElementsAre("lib -> lib64"));
  EXPECT_THAT(below("targets"), ElementsAre("targets/x86_64-linux/include -> ../../include",
                                            "targets/x86_64-linux/lib -> ../../lib64"));
  EXPECT_THAT(below("version.txt"), ElementsAre("version.txt: CUDA Version 13.0.88\n"));
  sources.version.clear();
  EXPECT_THAT(below("version"), IsEmpty());
}

TEST_F(ToolkitTree, EntriesAscendAndAreUnique) {
  folders["/t/bin"] = {"b", "a"};
  folders["/u/bin"] = {"a"};
  sources.bin = {"/t/bin", "/u/bin"};
  EXPECT_THAT(below("bin"), ElementsAre("bin/a -> /t/bin/a", "bin/b -> /t/bin/b"));
}

} // namespace
