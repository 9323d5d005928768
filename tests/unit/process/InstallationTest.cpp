// SPDX-License-Identifier: Apache-2.0
#include "driver/process/Installation.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::LoadedBy;
using process::Installation;
using process::PackageFiles;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static core::TargetLibrary row(const char *soname, const char *dist, const char *version,
                               const char *folder) {
  core::TargetLibrary library;
  library.soname = soname;
  library.dist = dist;
  library.version = *versions::Version::parse(version);
  library.folder = folder;
  return library;
}

/// Libraries of torch 2.5.1 (CUDA 12.4).
static core::Target cuda12() {
  core::Target target;
  target.declared = true;
  target.torch = "2.5.1+cu124";
  target.libraries = {
      row("libcublas.so.12", "nvidia-cublas-cu12", "12.4.5.8", "nvidia/cublas/lib"),
      row("libcublasLt.so.12", "nvidia-cublas-cu12", "12.4.5.8", "nvidia/cublas/lib"),
      row("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.4.127", "nvidia/cuda_runtime/lib"),
      row("libcusolver.so.11", "nvidia-cusolver-cu12", "11.6.1.9", "nvidia/cusolver/lib"),
      row("libcusparse.so.12", "nvidia-cusparse-cu12", "12.3.1.170", "nvidia/cusparse/lib"),
      row("libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.4.127", "nvidia/nvjitlink/lib")};
  return target;
}

static core::BinaryFacts extension(std::vector<std::string> needed, std::vector<std::string> path,
                                   bool runpath = false) {
  core::BinaryFacts facts;
  facts.path = "build/ext.so";
  facts.kind = core::BinaryKind::SharedObject;
  facts.needed = std::move(needed);
  (runpath ? facts.runpath : facts.rpath) = path;
  (runpath ? facts.hasRunpath : facts.hasRpath) = !path.empty();
  return facts;
}

static std::vector<std::string> taken(const core::LoadResult &result) {
  std::vector<std::string> paths;
  for (const core::LoadStep &step : result.steps)
    if (step.by == LoadedBy::Rpath || step.by == LoadedBy::Runpath)
      paths.push_back(step.name);
  return paths;
}

static const std::vector<std::string> onePackageDeep{"/site-packages/package"};

TEST(Installation, placesAreBothDepthsOrTheDeclaredOne) {
  EXPECT_THAT(Installation::placesFor(std::nullopt),
              ElementsAre("/site-packages/package", "/site-packages"));
  EXPECT_THAT(Installation::placesFor("pkg/./sub/"), ElementsAre("/site-packages/pkg/sub"));
  EXPECT_THAT(Installation::placesFor("."), ElementsAre("/site-packages"));
}

/// What libraries of NVRTC and cuDNN do not find at their first call.
static std::vector<std::string> notOpened(const core::LoadResult &result) {
  std::vector<std::string> names;
  for (const core::NotOpened &each : result.notOpened)
    names.push_back(each.opener + ": " + each.library);
  return names;
}

static core::Target nvrtc(const char *dist, const char *version, const char *major,
                          const char *minor, const char *folder) {
  core::Target target;
  target.libraries = {row(minor, dist, version, folder), row(major, dist, version, folder)};
  return target;
}

// The wheel of NVRTC 13.0 has no search path to its builtins; a DT_RPATH of the file serves it,
// too.
TEST(Installation, nvrtcOpensItsBuiltins) {
  const char *folder = "nvidia/cu13/lib";
  core::Target target =
      nvrtc("nvidia-cuda-nvrtc", "13.0.88", "libnvrtc.so.13", "libnvrtc-builtins.so.13.0", folder);
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto file = extension({"libnvrtc.so.13"}, {"$ORIGIN/../nvidia/cu13/lib"}, /*runpath=*/true);
  auto result = tree.load(file, onePackageDeep);
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(notOpened(result), ElementsAre("site-packages/nvidia/cu13/lib/libnvrtc.so.13: "
                                             "libnvrtc-builtins.so.13.0"));
  EXPECT_THAT(notOpened(tree.load(extension({"libnvrtc.so.13"}, {"$ORIGIN/../nvidia/cu13/lib"}),
                                  onePackageDeep)),
              IsEmpty());
  // Its package's code has opened it.
  EXPECT_THAT(notOpened(tree.load(file, onePackageDeep, {"libnvrtc-builtins.so.13.0"})), IsEmpty());
  // A version that was not read: not known.
  target.libraries[1].version = *versions::Version::parse("13.0.999");
  EXPECT_THAT(notOpened(tree.load(file, onePackageDeep)), IsEmpty());
  core::Target older = nvrtc("nvidia-cuda-nvrtc-cu12", "12.4.127", "libnvrtc.so.12",
                             "libnvrtc-builtins.so.12.4", "nvidia/cuda_nvrtc/lib");
  Installation other(older, llvm::ELF::EM_X86_64, package, false);
  EXPECT_THAT(notOpened(other.load(
                  extension({"libnvrtc.so.12"}, {"$ORIGIN/../nvidia/cuda_nvrtc/lib"}, true),
                  onePackageDeep)),
              IsEmpty());
}

// Torch has loaded them before what requires it.
TEST(Installation, whatTheFrameworkLoadedIsThere) {
  core::Target target = nvrtc("nvidia-cuda-nvrtc", "13.0.88", "libnvrtc.so.13",
                              "libnvrtc-builtins.so.13.0", "nvidia/cu13/lib");
  target.torch = "2.11.0+cu130";
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, /*requiresFramework=*/true);
  EXPECT_THAT(notOpened(tree.load(
                  extension({"libnvrtc.so.13"}, {"$ORIGIN/../nvidia/cu13/lib"}, /*runpath=*/true),
                  onePackageDeep)),
              IsEmpty());
}

// auditwheel renames cuDNN, but not what it opens.
TEST(Installation, aBundledCudnnOpensItsParts) {
  core::Target target;
  target.line = {12, 4};
  PackageFiles package;
  core::BinaryFacts copy = extension({}, {"$ORIGIN"});
  copy.soname = "libcudnn-0badf00d.so.9.1.0";
  package.add("/site-packages/app.libs/libcudnn-0badf00d.so.9.1.0", copy, nullptr);
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto file = extension({copy.soname}, {"$ORIGIN/../app.libs"}, /*runpath=*/true);
  EXPECT_THAT(notOpened(tree.load(file, onePackageDeep)), testing::SizeIs(4));
  core::BinaryFacts facts = extension({}, {"$ORIGIN"});
  for (const char *part : {"adv", "cnn", "graph", "ops"})
    package.add(std::string("/site-packages/app.libs/libcudnn_") + part + ".so.9", facts, nullptr);
  EXPECT_THAT(notOpened(tree.load(file, onePackageDeep)), IsEmpty());
}

// The layout of torch's wheels: every library finds the next one through its own run path.
TEST(Installation, wheelChainOfCuda12) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto result = tree.load(
      extension({"libcusolver.so.11"}, {"$ORIGIN/../nvidia/cusolver/lib"}, true), onePackageDeep);
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.unknown, IsEmpty());
  EXPECT_THAT(taken(result),
              testing::IsSupersetOf({"libcusolver.so.11", "libcublas.so.12", "libcusparse.so.12",
                                     "libnvJitLink.so.12", "libcublasLt.so.12"}));
}

TEST(Installation, aMissingSearchPathIsAFailure) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto result = tree.load(extension({"libnvJitLink.so.12"}, {}), Installation::placesFor({}));
  EXPECT_EQ(result.failure,
            "libnvJitLink.so.12: cannot open shared object file: No such file or directory");
  EXPECT_EQ(result.missing, "libnvJitLink.so.12");
}

TEST(Installation, whatIsOpenedBeforeIsThere) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto jitlink = extension({"libnvJitLink.so.12"}, {});
  std::vector<std::string> opened{"libnvJitLink.so.12"}, others{"libcudart.so.12", "libgone.so.1"};
  EXPECT_TRUE(tree.load(jitlink, onePackageDeep, opened).ok());
  EXPECT_EQ(tree.load(jitlink, onePackageDeep, others).missing, "libnvJitLink.so.12");
}

TEST(Installation, aFileOfThePackageIsOpenedBefore) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto own = extension({}, {});
  own.soname = "libown.so.1";
  package.add("/site-packages/package/lib/libown.so.1", own, nullptr);
  auto user = extension({"libown.so.1"}, {});
  EXPECT_EQ(tree.load(user, onePackageDeep).missing, "libown.so.1");
  EXPECT_TRUE(
      tree.load(user, onePackageDeep, std::vector<std::string>{"package/lib/libown.so.1"}).ok());
}

// F18: both depths if none is declared.
TEST(Installation, thePlaceDecides) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto above = extension({"libcudart.so.12"}, {"$ORIGIN/../nvidia/cuda_runtime/lib"});
  auto beside = extension({"libcudart.so.12"}, {"$ORIGIN/nvidia/cuda_runtime/lib"});
  EXPECT_TRUE(tree.load(above, Installation::placesFor("pkg")).ok());
  EXPECT_FALSE(tree.load(above, Installation::placesFor(".")).ok());
  EXPECT_FALSE(tree.load(above, Installation::placesFor("pkg/sub")).ok());
  EXPECT_TRUE(tree.load(beside, Installation::placesFor(".")).ok());
  EXPECT_FALSE(tree.load(beside, Installation::placesFor("pkg")).ok());
  EXPECT_TRUE(tree.load(above, Installation::placesFor({})).ok());
  EXPECT_TRUE(tree.load(beside, Installation::placesFor({})).ok());
}

TEST(Installation, cuda13LiesInOneFolder) {
  core::Target target;
  target.libraries = {row("libcudart.so.13", "nvidia-cuda-runtime", "13.0.96", "nvidia/cu13/lib"),
                      row("libnvJitLink.so.13", "nvidia-nvjitlink", "13.0.88", "nvidia/cu13/lib"),
                      row("libcusparse.so.12", "nvidia-cusparse", "12.6.3.3", "nvidia/cu13/lib")};
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto file = extension({"libcusparse.so.12"}, {"$ORIGIN/../nvidia/cu13/lib"});
  auto result = tree.load(file, onePackageDeep);
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(taken(result), ElementsAre("libcusparse.so.12", "libnvJitLink.so.13"));
  // The folder of CUDA 12 does not exist there.
  file.rpath = {"$ORIGIN/../nvidia/cusparse/lib"};
  EXPECT_EQ(tree.load(file, onePackageDeep).missing, "libcusparse.so.12");
}

TEST(Installation, whatIsNobodysIsTheSystems) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto result = tree.load(extension({"libc.so.6", "libstdc++.so.6", "libm.so.6", "libz.so.1",
                                     "libgcc_s.so.1", "libcuda.so.1", "libnvidia-ml.so.1",
                                     "libpython3.12.so.1.0", "ld-linux-x86-64.so.2"},
                                    {}),
                          onePackageDeep);
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.unknown, IsEmpty());
  EXPECT_EQ(tree.load(extension({"libcudart.so.13"}, {}), onePackageDeep).missing,
            "libcudart.so.13");
}

TEST(Installation, aFileOfTheWheelIsNotTheSystems) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  core::BinaryFacts own = extension({}, {});
  own.soname = "libown.so";
  package.add("/site-packages/package.libs/libown.so", own, nullptr);
  EXPECT_EQ(tree.load(extension({"libown.so"}, {}), onePackageDeep).missing, "libown.so");
  auto found = tree.load(extension({"libown.so"}, {"$ORIGIN/../package.libs"}), onePackageDeep);
  EXPECT_EQ(found.failure, "");
  EXPECT_EQ(found.steps.back().by, LoadedBy::Rpath);
}

// F25: a file of the framework itself is always loaded after it.
TEST(Installation, afterTheFramework) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto plain = extension({"libc10.so", "libtorch.so", "libcudart.so.12"}, {});
  auto result = tree.load(plain, onePackageDeep);
  EXPECT_EQ(result.missing, "libc10.so") << "what import alone would say";
  // With search paths, the framework need not be loaded first.
  auto whole = extension({"libc10.so", "libtorch.so", "libcudart.so.12"},
                         {"$ORIGIN/../torch/lib", "$ORIGIN/../nvidia/cuda_runtime/lib"});
  EXPECT_TRUE(tree.load(whole, onePackageDeep).ok());
  // A SONAME that the runtime does not have is missing in any order (xformers 0.0.33).
  auto wrong = extension({"libc10.so", "libcudart.so.13"}, {});
  result = tree.load(wrong, onePackageDeep);
  EXPECT_EQ(result.missing, "libcudart.so.13");
  // Without the framework's libraries nothing was loaded before.
  EXPECT_FALSE(tree.load(extension({"libcudart.so.12"}, {}), onePackageDeep).ok());
}

TEST(Installation, aRuntimeWithoutTorchHasNoneOfItsLibraries) {
  core::Target target = cuda12();
  target.torch.clear();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto result = tree.load(extension({"libtorch.so"}, {"$ORIGIN/../torch/lib"}), onePackageDeep);
  EXPECT_EQ(result.missing, "libtorch.so");
}

// A range of releases that have a library in different folders: the paths must work for each.
TEST(Installation, everyFolderOfARange) {
  core::Target target;
  target.libraries = {
      row("libcusparseLt.so.0", "nvidia-cusparselt-cu12", "0.6.2", "cusparselt/lib")};
  target.libraries[0].otherFolders = {"nvidia/cusparselt/lib"};
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto file = extension({"libcusparseLt.so.0"}, {"$ORIGIN/../cusparselt/lib"});
  EXPECT_FALSE(tree.load(file, onePackageDeep).ok());
  file.rpath.push_back("$ORIGIN/../nvidia/cusparselt/lib");
  EXPECT_EQ(tree.load(file, onePackageDeep).failure, "");
}

TEST(Installation, whatNoTableKnowsIsUnknown) {
  core::Target target;
  target.libraries = {
      row("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.99.1", "nvidia/new/lib"),
      row("libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.4.127", "")};
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto result =
      tree.load(extension({"libcudart.so.12"}, {"$ORIGIN/../nvidia/new/lib"}), onePackageDeep);
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.unknown, ElementsAre(HasSubstr("what libcudart.so.12 of")));
  result = tree.load(extension({"libnvJitLink.so.12"}, {}), onePackageDeep);
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.unknown, ElementsAre(HasSubstr("where nvidia-nvjitlink-cu12 keeps it")));
}

TEST(Installation, executablesAreStarted) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_X86_64, package, false);
  auto program = extension({"libcudart.so.12"}, {"$ORIGIN/../nvidia/cuda_runtime/lib"}, true);
  program.kind = core::BinaryKind::Executable;
  program.isPie = true;
  EXPECT_EQ(tree.load(program, onePackageDeep).failure, "");
  program.runpath = {"/nothing"};
  EXPECT_EQ(tree.load(program, onePackageDeep).missing, "libcudart.so.12");
}

// On aarch64 the SONAMEs are the same, the system's directories differ.
TEST(Installation, aarch64) {
  core::Target target = cuda12();
  PackageFiles package;
  Installation tree(target, llvm::ELF::EM_AARCH64, package, false);
  auto file = extension({"libc.so.6", "libnvJitLink.so.12"}, {"$ORIGIN/../nvidia/nvjitlink/lib"});
  auto result = tree.load(file, onePackageDeep);
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.steps[1].path, "/lib/aarch64-linux-gnu/libc.so.6");
}

// Where it lies is unknown, so no path is named; conda's `lib` is on the path of conda's Python.
TEST(Installation, aLibraryInNoFolderOfTheTables) {
  core::Target target = cuda12();
  target.libraries.back().folder.clear();
  auto load = [&] {
    PackageFiles package;
    return Installation(target, llvm::ELF::EM_X86_64, package, false)
        .load(extension({"libnvJitLink.so.12"}, {}), onePackageDeep);
  };
  EXPECT_THAT(
      load().unknown,
      ElementsAre("libnvJitLink.so.12: where nvidia-nvjitlink-cu12 keeps it is in no table"));
  target.libraries.back().ofConda = true;
  EXPECT_TRUE(load().ok());
  EXPECT_THAT(load().unknown, IsEmpty());
}
