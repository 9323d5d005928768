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
  EXPECT_THAT(searchPath({}, {}, folders),
              ElementsAre("$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/../nvidia/cusparse/lib",
                          "$ORIGIN/nvidia/nvjitlink/lib", "$ORIGIN/nvidia/cusparse/lib"));
}

TEST(SearchPath, declaredInstallDirGivesItsDepth) {
  core::Declaration declaration;
  declaration.installDir = {"pkg/sub/", {}};
  EXPECT_THAT(searchPath(declaration, {}, {"nvidia/cu13/lib"}),
              ElementsAre("$ORIGIN/../../nvidia/cu13/lib"));
  declaration.installDir = {".", {}};
  EXPECT_THAT(searchPath(declaration, {}, {"nvidia/cu13/lib"}),
              ElementsAre("$ORIGIN/nvidia/cu13/lib"));
}

TEST(SearchPath, otherLayouts) {
  core::LayoutChoice layout;
  layout.kind = core::Layout::None;
  EXPECT_THAT(searchPath({}, layout, folders), IsEmpty());
  layout.kind = core::Layout::System;
  layout.path = "/usr/local/cuda/lib64";
  EXPECT_THAT(searchPath({}, layout, folders), ElementsAre("/usr/local/cuda/lib64"));
  layout.kind = core::Layout::Conda;
  EXPECT_THAT(searchPath({}, layout, folders), ElementsAre("$ORIGIN/../../..", "$ORIGIN/../.."));
}

// conda's packages may have the libraries that pip's do not.
TEST(SearchPath, condaBesideWheels) {
  EXPECT_THAT(searchPath({}, {}, {"nvidia/cu13/lib", ""}),
              ElementsAre("$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/../../..",
                          "$ORIGIN/nvidia/cu13/lib", "$ORIGIN/../.."));
}

// F18.
TEST(SearchPath, aProgramFindsItsEnvironmentByAbsoluteFolders) {
  EXPECT_THAT(plan::developPath({"/v/lib/python3.11/site-packages"}, {"nvidia/cu13/lib"}),
              ElementsAre("/v/lib/python3.11/site-packages/nvidia/cu13/lib"));
  EXPECT_THAT(plan::developPath({}, {"nvidia/cu13/lib"}), IsEmpty());
}

TEST(SearchPath, nothingNamedNothingAdded) { EXPECT_THAT(searchPath({}, {}, {}), IsEmpty()); }
