// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/RuntimePath.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
struct RuntimePath : testing::Test {
  Declaration declaration;
  Target target;
  plan::RuntimeUse use;

  RuntimePath() {
    declaration.installDir = {"pkg", {}};
    for (const char *name : {"cublas", "cusolver"}) {
      TargetLibrary row;
      row.soname = std::string("lib") + name + ".so.12";
      row.folder = std::string("nvidia/") + name + "/lib";
      target.libraries.push_back(row);
    }
    use.rows = {&target.libraries[1]};
  }
};
} // namespace

TEST_F(RuntimePath, isThatOfTheLibrariesUsed) {
  EXPECT_THAT(plan::runtimePath(declaration, target, use),
              ElementsAre("$ORIGIN/../nvidia/cusolver/lib"));
  use.rows.clear();
  EXPECT_THAT(plan::runtimePath(declaration, target, use), IsEmpty());
}

TEST_F(RuntimePath, hasTheFrameworksOwnFolderWhereItsLibrariesAreUsed) {
  use.framework = true;
  EXPECT_THAT(plan::runtimePath(declaration, target, use),
              ElementsAre("$ORIGIN/../nvidia/cusolver/lib"));
  target.torch = "2.5.1+cu124";
  EXPECT_THAT(plan::runtimePath(declaration, target, use),
              ElementsAre("$ORIGIN/../nvidia/cusolver/lib", "$ORIGIN/../torch/lib"));
}

TEST_F(RuntimePath, ofAPlaceOfTheSystemNeedsNoFolder) {
  target.libraries[1].folder.clear();
  EXPECT_THAT(plan::runtimePath(declaration, target, use), IsEmpty());
  target.layout.value.kind = Layout::System;
  target.layout.value.path = "/cuda/lib64";
  EXPECT_THAT(plan::runtimePath(declaration, target, use), ElementsAre("/cuda/lib64"));
  use.rows.clear();
  EXPECT_THAT(plan::runtimePath(declaration, target, use), IsEmpty());
}

// F18.
TEST_F(RuntimePath, placesAreThoseOfTheEnvironment) {
  EXPECT_THAT(plan::runtimePlaces(target, use), IsEmpty());
  target.sitePackages = {"/v/site-packages"};
  EXPECT_THAT(plan::runtimePlaces(target, use),
              ElementsAre("/v/site-packages/nvidia/cusolver/lib"));
  // conda's libraries are not in site-packages.
  target.libraries[1].folder.clear();
  target.libraries[1].path = "/v/lib/libcusolver.so.12";
  EXPECT_THAT(plan::runtimePlaces(target, use), ElementsAre("/v/lib"));
}
