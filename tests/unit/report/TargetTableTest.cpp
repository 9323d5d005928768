// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/TargetTable.h"
#include "gmock/gmock.h"

using namespace cudacc;

namespace {

core::TargetLibrary row(std::string soname, std::string dist, llvm::StringRef version,
                        std::string origin) {
  core::TargetLibrary library;
  library.soname = std::move(soname);
  library.dist = std::move(dist);
  library.version = versions::Version::parse(version).value_or(versions::Version());
  library.origin = std::move(origin);
  return library;
}

core::Target torch() {
  core::Target target;
  target.declared = true;
  target.declaredAs = {{"torch==2.5.1", {core::Origin::Kind::Option, "--runtime"}}};
  target.line = {12, 4};
  target.driverFloor = "525.60.13";
  target.libraries = {
      row("libcublas.so.12", "nvidia-cublas-cu12", "12.4.5.8", "pinned by torch 2.5.1"),
      row("libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.4.127", "pinned by torch 2.5.1")};
  return target;
}

} // namespace

// docs/schema
TEST(TargetTable, isTheExampleOfTheContract) {
  EXPECT_EQ(report::targetTable(torch()),
            "torch==2.5.1 (--runtime): CUDA 12.4, driver >= 525.60.13 (machine code), 12.4 (PTX)\n"
            "  library             wheel                  version   from\n"
            "  libcublas.so.12     nvidia-cublas-cu12     12.4.5.8  pinned by torch 2.5.1\n"
            "  libnvJitLink.so.12  nvidia-nvjitlink-cu12  12.4.127  pinned by torch 2.5.1\n"
            "  layout: wheels (nothing declares a layout)\n");
}

TEST(TargetTable, severalRequirementsFloorsAndSettings) {
  core::Target target = torch();
  target.declaredAs = {{"cuda>=12.4,<13", {core::Origin::Kind::File, "cuda-cc.toml", 2}},
                       {"driver>=550", {}}};
  target.libraries = {row("libcudart.so.12", "", "12.4.99", "floor of CUDA 12.4"),
                      row("libfoo.so.1", "", "?", "unknown")};
  target.libraries[0].floats = true;
  target.driverFloor.clear();
  target.enforce = core::Enforce::Warn;
  target.waivers = {"TG-3"};
  EXPECT_EQ(report::targetTable(target),
            "cuda>=12.4,<13 (cuda-cc.toml:2) and driver>=550: CUDA 12.4, driver >= 12.4 (PTX)\n"
            "  library          wheel  version    from\n"
            "  libcudart.so.12         >=12.4.99  floor of CUDA 12.4\n"
            "  libfoo.so.1             unknown    unknown\n"
            "  layout: wheels (nothing declares a layout)\n"
            "  enforce = \"warn\"\n"
            "  waived: TG-3\n");
}

TEST(TargetTable, aLongNameShiftsItsRowUntilTheBlanksMakeUpForIt) {
  core::Target target = torch();
  target.libraries.push_back(row("libcudnn_engines_runtime_compiled.so.9", "nvidia-cudnn-cu12",
                                 "9.1.0.70", "pinned by torch 2.5.1"));
  EXPECT_EQ(
      report::targetTable(target),
      "torch==2.5.1 (--runtime): CUDA 12.4, driver >= 525.60.13 (machine code), 12.4 (PTX)\n"
      "  library                             wheel                  version   from\n"
      "  libcublas.so.12                     nvidia-cublas-cu12     12.4.5.8  pinned by torch "
      "2.5.1\n"
      "  libnvJitLink.so.12                  nvidia-nvjitlink-cu12  12.4.127  pinned by torch "
      "2.5.1\n"
      "  libcudnn_engines_runtime_compiled.so.9  nvidia-cudnn-cu12  9.1.0.70  pinned by torch "
      "2.5.1\n"
      "  layout: wheels (nothing declares a layout)\n");
}

TEST(TargetTable, machinesStandBelowTheLibraries) {
  core::Target target = torch();
  target.libraries.resize(1);
  target.gpus = {{80, 0}, {90, 'a'}};
  target.driver = "535.104";
  target.driverCuda = {12, 2};
  EXPECT_EQ(report::targetTable(target),
            "torch==2.5.1 (--runtime): CUDA 12.4, driver >= 525.60.13 (machine code), 12.4 (PTX)\n"
            "  library          wheel               version   from\n"
            "  libcublas.so.12  nvidia-cublas-cu12  12.4.5.8  pinned by torch 2.5.1\n"
            "  layout: wheels (nothing declares a layout)\n"
            "  GPUs: sm_80, sm_90a\n"
            "  driver: 535.104, CUDA 12.2\n");
  target.driverCuda = {};
  EXPECT_THAT(report::targetTable(target),
              testing::EndsWith("  driver: 535.104, of an unknown CUDA version\n"));
}

// An undeclared layout is an assumption; that of an environment is read.
TEST(TargetTable, theLayoutIsPrintedWithItsOrigin) {
  core::Target target = torch();
  auto says = [&](llvm::StringRef text) {
    return llvm::StringRef(report::targetTable(target)).contains(text);
  };
  target.sitePackages = {"/v/lib/python3.11/site-packages"};
  EXPECT_FALSE(says("layout"));
  target.sitePackages.clear();
  target.layout.value.kind = core::Layout::System;
  target.layout.value.path = "/cuda/lib64";
  target.layout.origin = {core::Origin::Kind::File, "cuda-cc.toml", 3};
  EXPECT_TRUE(says("  layout: system:/cuda/lib64 (cuda-cc.toml:3)\n"));
}

TEST(TargetTable, withoutADeclarationItPrintsHowToDeclare) {
  EXPECT_THAT(report::targetTable({}), testing::StartsWith("no runtime is declared: "));
}

TEST(TargetTable, unknownLineAndHostileText) {
  core::Target target;
  target.declared = true;
  target.declaredAs = {{"torch==\033[0m", {}}};
  EXPECT_EQ(report::targetTable(target), "torch==\\x1b[0m: CUDA line unknown\n");
}

TEST(TargetTable, colourDimsTheHead) {
  EXPECT_THAT(report::targetTable(torch(), {true}), testing::HasSubstr("\033[2m  library"));
}
