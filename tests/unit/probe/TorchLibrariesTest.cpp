// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/probe/LinkedFiles.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct TorchLibraries : test::Libraries {
  std::vector<std::string> find() {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    auto namesOf = [](llvm::StringRef) { return probe::LibraryNames{}; };
    auto suffixOf = [](llvm::StringRef) { return CudaVersion{}; };
    std::vector<std::string> all;
    for (const FoundTorch &found : probe::findTorchLibraries(call, nullptr, host ? &*host : nullptr,
                                                             env, files, {namesOf, suffixOf}))
      all.push_back(found.foundBy + " " + found.path + " " + found.release.str() +
                    (found.label.empty() ? "" : "+" + found.label));
    return all;
  }
  void wheel(const std::string &torch, const std::string &version) {
    files.file(torch + "/version.py", "__version__ = '" + version + "'\ncuda = '13.0'\n");
    for (auto *name : {"libc10.so", "libtorch.so", "libtorch_cpu.so"})
      files.file(torch + "/lib/" + name);
  }
};

TEST_F(TorchLibraries, ofAWheelOnceForAllOfThem) {
  wheel("/venv/torch", "2.15.0+cu130");
  call.libraryDirs = {"/venv/torch/lib"};
  l("c10").l("torch").l("torch_cpu").l("m");
  EXPECT_THAT(find(), ElementsAre("-lc10 /venv/torch/lib/libc10.so 2.15.0+cu130"));
}

TEST_F(TorchLibraries, byPathAndThroughALink) {
  wheel("/venv/torch", "2.15.0+cu130");
  files.symlink("/elsewhere/libc10.so", "/venv/torch/lib/libc10.so");
  input("/elsewhere/libc10.so");
  EXPECT_THAT(find(), ElementsAre("/elsewhere/libc10.so /elsewhere/libc10.so 2.15.0+cu130"));
}

TEST_F(TorchLibraries, theFirstFolderCounts) {
  wheel("/a/torch", "2.11.0+cu130");
  wheel("/b/torch", "2.15.0+cu130");
  call.libraryDirs = {"/a/torch/lib", "/b/torch/lib"};
  l("c10").l(":libtorch.so");
  EXPECT_THAT(find(), ElementsAre("-lc10 /a/torch/lib/libc10.so 2.11.0+cu130"));
}

TEST_F(TorchLibraries, theCxxDistributionAPrefixAndAFileName) {
  files.file("/libtorch/lib/libtorch.so").file("/libtorch/build-version", "2.6.0+cu124\n");
  files.file("/conda/lib/libtorch.so")
      .file("/conda/include/torch/csrc/api/include/torch/version.h",
            "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 5\n"
            "#define TORCH_VERSION_PATCH 1\n");
  files.file("/usr/lib/x86_64-linux-gnu/libtorch.so.2.6.0")
      .symlink("/usr/lib/x86_64-linux-gnu/libtorch.so", "libtorch.so.2.6.0");
  input("/libtorch/lib/libtorch.so")
      .input("/conda/lib/libtorch.so")
      .input("/usr/lib/x86_64-linux-gnu/libtorch.so");
  EXPECT_THAT(find(), ElementsAre("/libtorch/lib/libtorch.so /libtorch/lib/libtorch.so 2.6.0+cu124",
                                  "/conda/lib/libtorch.so /conda/lib/libtorch.so 2.5.1",
                                  "/usr/lib/x86_64-linux-gnu/libtorch.so "
                                  "/usr/lib/x86_64-linux-gnu/libtorch.so 2.6.0"));
}

TEST_F(TorchLibraries, whatSaysNoRelease) {
  files.file("/own/lib/libtorch.so").file("/own/version.py", "__version__ = '3.0'\n");
  files.file("/own/lib/libtorchaudio.so");
  input("/own/lib/libtorch.so").input("/own/lib/libtorchaudio.so").l("c10");
  EXPECT_THAT(find(), IsEmpty());
}

} // namespace
