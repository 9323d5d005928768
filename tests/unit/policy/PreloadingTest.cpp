// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Preloading.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::InstalledPackage;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

struct Preloading : testing::Test {
  std::vector<InstalledPackage> packages;
  std::vector<core::InstalledLibrary> libraries;
  unsigned major = 0;

  Preloading() { packages.reserve(16); }

  InstalledPackage &package(std::string name, std::string version,
                            std::vector<std::string> binaries = {},
                            std::vector<std::string> required = {}) {
    packages.push_back({std::move(name),
                        std::move(version),
                        "/env/site",
                        std::move(required),
                        std::move(binaries),
                        {}});
    return packages.back();
  }
  void library(std::string soname, bool bundled = false) {
    core::InstalledLibrary each;
    each.path = "/env/site/nvidia/x/lib/" + soname;
    each.soname = std::move(soname);
    each.bundled = bundled;
    libraries.push_back(std::move(each));
  }
  policy::Preloading of(const InstalledPackage &owner, std::string path) {
    std::vector<const InstalledPackage *> required, all;
    for (const InstalledPackage &each : packages) {
      all.push_back(&each);
      for (const std::string &name : owner.required)
        if (each.name == name)
          required.push_back(&each);
    }
    policy::PackageCase file{&owner, std::move(path), required, all, libraries, major};
    return policy::preloadingOf(file);
  }
  static std::vector<std::string> paths(const std::vector<policy::Preloaded> &steps) {
    std::vector<std::string> found;
    for (const policy::Preloaded &step : steps)
      found.push_back(step.path + (step.isGlobal ? " for all" : ""));
    return found;
  }
};

// In an environment with wheels of two majors torch opens those of its own.
TEST_F(Preloading, TorchOpensLibrariesOfItsOwnMajor) {
  library("libnvrtc.so.13");
  libraries.back().folder = "nvidia/cu13/lib";
  library("libnvrtc.so.12");
  libraries.back().folder = "nvidia/cuda_nvrtc/lib";
  auto &torch = package("torch", "2.9.1", {"torch/lib/libtorch_python.so"});
  major = 12;
  EXPECT_THAT(paths(of(torch, "torch/lib/libtorch_python.so").first),
              ElementsAre("/env/site/nvidia/x/lib/libnvrtc.so.12"));
  major = 13;
  EXPECT_THAT(paths(of(torch, "torch/lib/libtorch_python.so").first),
              ElementsAre("/env/site/nvidia/x/lib/libnvrtc.so.13"));
}

TEST_F(Preloading, FaissOpensWhatIsInstalledForEverybody) {
  library("libcudart.so.12");
  library("libcublas.so.12");
  auto &faiss = package("faiss-gpu-cu12", "1.14.1", {"faiss/_swigfaiss.so"});
  auto found = of(faiss, "faiss/_swigfaiss.so");
  EXPECT_THAT(paths(found.first), ElementsAre("/env/site/nvidia/x/lib/libcudart.so.12 for all",
                                              "/env/site/nvidia/x/lib/libcublas.so.12 for all"));
  EXPECT_TRUE(found.isKnownNotToOpen("libcublasLt.so.12"));
  EXPECT_FALSE(found.isKnownNotToOpen("libcublas.so.12"));
  EXPECT_EQ(found.first[0].package, "faiss-gpu-cu12");
  EXPECT_THAT(found.frameworks, IsEmpty());
  EXPECT_THAT(of(faiss, "other/x.so").first, IsEmpty());
}

TEST_F(Preloading, SomeAreOpenedWhenThePackageIsUsed) {
  library("libcusparse.so.12");
  auto &jax = package("jax-cuda12-plugin", "0.10.2", {"jax_cuda12_plugin/_versions.so"});
  auto found = of(jax, "jax_cuda12_plugin/_versions.so");
  ASSERT_THAT(found.used, SizeIs(6));
  EXPECT_EQ(found.used[5].library, "libcusparse.so.12");
  EXPECT_THAT(found.used[5].names,
              ElementsAre("/env/site/nvidia/x/lib/libcusparse.so.12", "libcusparse.so.12"));
  EXPECT_EQ(found.used[5].raises, "RuntimeError: Unable to load cuSPARSE. Is it installed?");
  EXPECT_THAT(found.used[4].names, ElementsAre("libcublas.so.12"));
  // They are not opened before the file.
  EXPECT_THAT(found.first, IsEmpty());
}

// The loader looks for it, as the file's search path says: no path of the environment is tried.
TEST_F(Preloading, WhatTheFileItselfSearchesForHasNoPath) {
  library("libcudart.so.11.0");
  auto &tensorflow = package("tensorflow", "2.6.0", {"tensorflow/libtensorflow_framework.so.2"});
  auto found = of(tensorflow, "tensorflow/libtensorflow_framework.so.2");
  ASSERT_THAT(found.used, SizeIs(1));
  EXPECT_TRUE(found.used[0].isSearched);
  EXPECT_EQ(found.used[0].names.front(), "libcudart.so.11.0");
}

TEST_F(Preloading, ARequiredPackageOpensItsOwn) {
  package("rapids-logger", "0.3", {"rapids_logger/lib64/librapids_logger.so"});
  package("librmm-cu12", "26.10.0", {"librmm/lib64/librmm.so"}, {"rapids-logger"});
  auto &rmm = package("rmm-cu12", "26.10.0", {"rmm/mr.abi3.so"}, {"librmm-cu12"});
  EXPECT_THAT(paths(of(rmm, "rmm/mr.abi3.so").first),
              ElementsAre("/env/site/rapids_logger/lib64/librapids_logger.so",
                          "/env/site/librmm/lib64/librmm.so"));
  // A file is not opened before itself.
  EXPECT_THAT(paths(of(packages[1], "librmm/lib64/librmm.so").first),
              ElementsAre("/env/site/rapids_logger/lib64/librapids_logger.so"));
}

TEST_F(Preloading, TorchGoesFirstWhereItIsRequired) {
  package("torch", "2.6.0", {"torch/lib/libtorch_global_deps.so"});
  auto &bits = package("bitsandbytes", "0.50.2", {"bitsandbytes/libx.so"}, {"torch", "numpy"});
  EXPECT_THAT(of(bits, "bitsandbytes/libx.so").frameworks, ElementsAre("torch"));
  EXPECT_THAT(of(packages[0], "torch/_C.so").frameworks, IsEmpty());
  auto &other = package("other", "1", {"o.so"}, {"numpy"});
  EXPECT_THAT(of(other, "o.so").frameworks, IsEmpty());
}

TEST_F(Preloading, ASecondTryIsApart) {
  library("libnvJitLink.so.12");
  library("libcublas.so.12", /*bundled=*/true);
  auto &torch = package("torch", "2.6.0", {"torch/lib/libtorch_global_deps.so"});
  auto found = of(torch, "torch/lib/libtorch_global_deps.so");
  EXPECT_THAT(found.first, IsEmpty());
  EXPECT_THAT(paths(found.fallback), ElementsAre("/env/site/nvidia/x/lib/libnvJitLink.so.12"));
}

TEST_F(Preloading, OnlyNvidiasFolderIsLookedInto) {
  package("triton", "3.2.0", {"triton/backends/nvidia/lib/cupti/libcupti.so.12"});
  package("nvidia-libnvcomp-cu12", "5", {"nvidia/libnvcomp/lib64/libnvcomp.so.5"});
  package("libcudf-cu12", "26.10.2", {"libcudf/lib64/libcudf.so"});
  auto &torch = package("torch", "2.6.0", {"torch/lib/libtorch_global_deps.so"});
  EXPECT_THAT(of(torch, "torch/lib/libtorch_global_deps.so").fallback, IsEmpty());
  EXPECT_THAT(paths(of(packages[2], "libcudf/lib64/libcudf.so").first),
              ElementsAre("/env/site/nvidia/libnvcomp/lib64/libnvcomp.so.5"));
}

TEST_F(Preloading, AnOlderReleaseDoesOtherwise) {
  library("libcublas.so.12");
  const char *file = "cupy_backends/cuda/libs/cublas.cpython-311-x86_64-linux-gnu.so";
  EXPECT_THAT(of(package("cupy-cuda12x", "13.6.0", {file}), file).first, IsEmpty());
  packages.clear();
  EXPECT_THAT(of(package("cupy-cuda12x", "14.2.0", {file}), file).first, SizeIs(1));
}

TEST_F(Preloading, ALibraryBesideIsOpenedFromSomeReleaseOn) {
  std::string folder = "numba_cuda_mlir/_mlir/_mlir_libs/", file = folder + "libMLIRToLLVM70.so";
  std::vector<std::string> binaries = {folder + "libMLIRPythonCAPI.so", file};
  EXPECT_THAT(paths(of(package("numba-cuda-mlir", "0.6.0", binaries), file).first),
              ElementsAre("/env/site/" + binaries[0]));
  packages.clear();
  EXPECT_THAT(of(package("numba-cuda-mlir", "0.5.9", binaries), file).first, IsEmpty());
}

TEST_F(Preloading, TransformerEngineLeavesNcclToTorch) {
  const char *file = "transformer_engine/wheel_lib/libtransformer_engine.so";
  package("nvidia-cublas", "13", {"nvidia/cu13/lib/libcublas.so.13"});
  package("nvidia-nccl-cu13", "2", {"nvidia/nccl/lib/libnccl.so.2"});
  auto &engine = package("transformer-engine-cu13", "2.20.2", {file});
  EXPECT_THAT(paths(of(engine, file).first),
              ElementsAre("/env/site/nvidia/cu13/lib/libcublas.so.13 for all"));
}

TEST_F(Preloading, NobodysFileHasNone) {
  policy::PackageCase nobody;
  EXPECT_THAT(policy::preloadingOf(nobody).first, IsEmpty());
  EXPECT_THAT(policy::siblingsOf(nobody), IsEmpty());
}

TEST_F(Preloading, ModulesAreTheFirstSiblings) {
  auto &faiss = package(
      "faiss-gpu-cu12", "1",
      {"f.libs/libgomp-1.so", "f.libs/libfaiss-2.so", "faiss/_swigfaiss.so", "faiss/x.abi3.so"});
  policy::PackageCase file{&faiss, "f.libs/libfaiss-2.so", {}, {}, {}};
  EXPECT_THAT(policy::siblingsOf(file),
              ElementsAre("/env/site/faiss/_swigfaiss.so", "/env/site/faiss/x.abi3.so",
                          "/env/site/f.libs/libgomp-1.so"));
}

TEST_F(Preloading, UsersImportTheFolderOfMostSources) {
  auto &package = this->package("faiss-gpu-cu12", "1");
  EXPECT_EQ(policy::moduleOf(package), "");
  package.sources = {"setup.py", "tests/a.py", "faiss/__init__.py", "faiss/loader.py"};
  EXPECT_EQ(policy::moduleOf(package), "faiss");
  package.sources = {"setup.py"};
  EXPECT_EQ(policy::moduleOf(package), "");
  package.sources = {"a/x.py", "z/x.py"};
  EXPECT_EQ(policy::moduleOf(package), "a");
  package.sources.push_back("z/y.py");
  EXPECT_EQ(policy::moduleOf(package), "z");
}

TEST_F(Preloading, AModuleMayBeNamedLikeALibrary) {
  auto &owner = package("p", "1", {"p/libone.so", "p/libtwo.cpython-311-x86_64-linux-gnu.so"});
  policy::PackageCase file{&owner, "p/x.so", {}, {}, {}};
  EXPECT_THAT(
      policy::siblingsOf(file),
      ElementsAre("/env/site/p/libtwo.cpython-311-x86_64-linux-gnu.so", "/env/site/p/libone.so"));
}

TEST_F(Preloading, OnlyAnErrorThatRejectsIsForWantOfALibrary) {
  core::Finding finding = core::makeFinding(core::Code::NotFound, "m");
  finding.library = "libfoo.so.1";
  EXPECT_TRUE(policy::isForWantOf(finding, "libfoo.so.1"));
  EXPECT_FALSE(policy::isForWantOf(finding, "libbar.so.1"));
  finding.severity = core::Severity::Warning;
  EXPECT_FALSE(policy::isForWantOf(finding, "libfoo.so.1"));
  finding = core::makeFinding(core::Code::LoadedByPackage, "m");
  finding.library = "libfoo.so.1";
  finding.severity = core::Severity::Error;
  EXPECT_FALSE(policy::isForWantOf(finding, "libfoo.so.1"));
}

TEST_F(Preloading, TheFindingNamesTheLine) {
  core::LibraryCall call{"/env/site/foo/load.py", 47, "ctypes.CDLL(path)", "load", {}, {}};
  core::Finding finding = policy::loadedByPackage(
      call, "foo", "libfoo.so.1", "libfoo.so.1: cannot open shared object file",
      "/env/site/foo/a b.so", "foo", {"/env/site/foo/lib/libfoo.so.1", "/env/b.so"});
  EXPECT_EQ(finding.code, core::Code::LoadedByPackage);
  EXPECT_EQ(core::info(finding.code).codeClass, core::CodeClass::Unknown);
  EXPECT_EQ(finding.message, "libfoo.so.1 is opened by the package itself");
  ASSERT_THAT(finding.facts, SizeIs(3));
  EXPECT_EQ(finding.facts[2].text, "/env/site/foo/load.py:47: ctypes.CDLL(path), in load()");
  call.function.clear();
  EXPECT_THAT(
      finding.fixes,
      ElementsAre("see what it does: cuda-cc trace -- python -c 'import foo'",
                  "name what is loaded before: cuda-cc doctor '/env/site/foo/a b.so' --before "
                  "/env/site/foo/lib/libfoo.so.1 --before /env/b.so"));
  finding = policy::loadedByPackage(call, "foo", "l.so", "w", "f", "", {});
  EXPECT_THAT(finding.fixes, IsEmpty());
  EXPECT_EQ(finding.facts[2].text, "/env/site/foo/load.py:47: ctypes.CDLL(path)");
  finding = policy::maybeLoadedByPackage("cannot read /env/site/foo/load.py: Permission denied",
                                         "foo", "libfoo.so.1", "words", "f.so", "foo", {});
  EXPECT_EQ(finding.code, core::Code::LoadedByPackage);
  EXPECT_EQ(finding.message, "libfoo.so.1 may be opened by the package itself");
  EXPECT_EQ(finding.facts[2].text, "cannot read /env/site/foo/load.py: Permission denied");
}

TEST_F(Preloading, WhatItOpensForOneFileIsKnownForAll) {
  library("libcudart.so.12");
  package("torch", "2.6.0", {"torch/lib/libtorch_cpu.so"});
  auto &mine = package("mine", "1", {"mine/x.so"}, {"torch"});
  for (auto &found : {of(packages[0], "torch/lib/libtorch_cpu.so"), of(mine, "mine/x.so")}) {
    EXPECT_TRUE(found.isKnown("libcudart.so.12"));
    EXPECT_FALSE(found.isKnownNotToOpen("libcudart.so.12"));
    // The path has no file, or the library of another major.
    EXPECT_TRUE(found.isKnownNotToOpen("libcupti.so.12"));
    EXPECT_TRUE(found.isKnownNotToOpen("libcudart.so.13"));
    EXPECT_FALSE(found.isKnown("libother.so.12"));
    EXPECT_FALSE(found.isKnownNotToOpen("libother.so.12"));
  }
}

} // namespace
