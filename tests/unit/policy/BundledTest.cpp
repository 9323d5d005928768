// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Bundled.h"
#include <gtest/gtest.h>

using namespace cudacc;
using policy::broughtAs;
using policy::nameBeforeGraft;

static core::Target withCublas() {
  core::Target target;
  target.libraries.emplace_back().soname = "libcublas.so.12";
  return target;
}

// LS-44
TEST(Bundled, namesBeforeAuditwheelCopiedTheFile) {
  EXPECT_EQ(nameBeforeGraft("libcublas-96c42e41.so.12.4.5.8"), "libcublas.so.12.4.5.8");
  EXPECT_EQ(nameBeforeGraft("libgomp-a-0129acdf.so.1"), "libgomp-a.so.1");
  for (const char *name : {"libcublas.so.12", "libcublas-96c42e4.so.12", "libcublas-96C42E41.so.12",
                           "libx-notahash.so.1", "cublas-96c42e41.so.12"})
    EXPECT_EQ(nameBeforeGraft(name), name);
}

TEST(Bundled, copiesOfTheRuntimesLibraries) {
  for (const char *name : {"libcublas.so.12", "libcublas.so.12.4.5.8", "libcublas-96c42e41.so.12",
                           "libcublas-96c42e41.so.12.4.5.8"})
    EXPECT_EQ(broughtAs(name, withCublas()), "libcublas.so.12") << name;
}

TEST(Bundled, otherFilesAreNoCopies) {
  for (const char *name : {"libcublas.so.11", "libcublas.so.120", "libcublasLt.so.12",
                           "libcublas.so", "libcublas-96c42e41.so.11", "ext.so"})
    EXPECT_EQ(broughtAs(name, withCublas()), "") << name;
}
