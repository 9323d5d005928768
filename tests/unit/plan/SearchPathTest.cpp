// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/SearchPath.h"
#include <gmock/gmock.h>

using namespace cudacc;
using plan::searchPath;
using testing::ElementsAre;
using testing::IsEmpty;

static const std::vector<std::string> folders = {"nvidia/nvjitlink/lib", "nvidia/cusparse/lib",
                                                 "nvidia/nvjitlink/lib"};

// F18: both depths if none is declared.
TEST(SearchPath, undeclaredInstallDirGivesBothDepthsEachOnce) {
  EXPECT_THAT(searchPath({}, folders),
              ElementsAre("$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/../nvidia/cusparse/lib",
                          "$ORIGIN/nvidia/nvjitlink/lib", "$ORIGIN/nvidia/cusparse/lib"));
}

TEST(SearchPath, declaredInstallDirGivesItsDepth) {
  core::Declaration declaration;
  declaration.installDir = {"pkg/sub/", {}};
  EXPECT_THAT(searchPath(declaration, {"nvidia/cu13/lib"}),
              ElementsAre("$ORIGIN/../../nvidia/cu13/lib"));
  declaration.installDir = {".", {}};
  EXPECT_THAT(searchPath(declaration, {"nvidia/cu13/lib"}), ElementsAre("$ORIGIN/nvidia/cu13/lib"));
}

TEST(SearchPath, otherLayouts) {
  core::Declaration declaration;
  declaration.layout.value.kind = core::Layout::None;
  EXPECT_THAT(searchPath(declaration, folders), IsEmpty());
  declaration.layout.value.kind = core::Layout::System;
  declaration.layout.value.path = "/usr/local/cuda/lib64";
  EXPECT_THAT(searchPath(declaration, folders), ElementsAre("/usr/local/cuda/lib64"));
  declaration.layout.value.kind = core::Layout::Conda;
  EXPECT_THAT(searchPath(declaration, folders), ElementsAre("$ORIGIN/../../..", "$ORIGIN/../.."));
}

// F18.
TEST(SearchPath, aProgramFindsItsEnvironmentByAbsoluteFolders) {
  EXPECT_THAT(plan::developPath({"/v/lib/python3.11/site-packages"}, {"nvidia/cu13/lib"}),
              ElementsAre("/v/lib/python3.11/site-packages/nvidia/cu13/lib"));
  EXPECT_THAT(plan::developPath({}, {"nvidia/cu13/lib"}), IsEmpty());
}

TEST(SearchPath, nothingNamedNothingAdded) { EXPECT_THAT(searchPath({}, {}), IsEmpty()); }
