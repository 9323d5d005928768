// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/config/RuntimeFlags.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Flags, coupledFilesStandInABracketBehindTheOthers) {
  commands::RuntimeFlags flags;
  flags.libraries = {{"cusparse", "libcusparse.so.12", "/a/libcusparse.so.12", false, false},
                     {"nvJitLink", "libnvJitLink.so.12", "/a/libnvJitLink.so.12", false, true}};
  EXPECT_THAT(commands::linkWords(flags),
              ElementsAre("/a/libcusparse.so.12", "-Wl,--push-state,--no-as-needed",
                          "/a/libnvJitLink.so.12", "-Wl,--pop-state"));
  flags.libraries.pop_back();
  EXPECT_THAT(commands::linkWords(flags), ElementsAre("/a/libcusparse.so.12"));
}

TEST(Flags, theFlagOfTheTagGoesWithAPath) {
  core::Declaration declaration;
  EXPECT_THAT(commands::searchPathWords(declaration, {}), IsEmpty());
  EXPECT_THAT(commands::searchPathWords(declaration, {"$ORIGIN/a", "$ORIGIN/b"}),
              ElementsAre("-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/a:$ORIGIN/b"));
  declaration.dtags = {core::Dtags::Runpath, {}};
  EXPECT_THAT(commands::searchPathWords(declaration, {}), ElementsAre("-Wl,--enable-new-dtags"));
  EXPECT_THAT(commands::searchPathWords(declaration, {"/a,b"}),
              ElementsAre("-Wl,--enable-new-dtags", "-Xlinker", "-rpath", "-Xlinker", "/a,b"));
}
