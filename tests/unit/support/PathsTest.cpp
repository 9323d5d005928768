// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Paths.h"
#include <gtest/gtest.h>

using namespace cudacc;

TEST(Paths, areResolvedAsTheyAreWritten) {
  EXPECT_EQ(support::resolvePath("/b", "x/../y.o"), "/b/y.o");
  EXPECT_EQ(support::resolvePath("/b", "../s/./y"), "/s/y");
  EXPECT_EQ(support::resolvePath("/b", "/a//c"), "/a/c");
  EXPECT_EQ(support::resolvePath("/b", "/../c/"), "/c");
  EXPECT_EQ(support::resolvePath("", "a/b"), "a/b");
}

TEST(Paths, lieBelowAFolderOrAreIt) {
  EXPECT_TRUE(support::isBelow("/b/x", "/b"));
  EXPECT_TRUE(support::isBelow("/b/x", "/b/"));
  EXPECT_TRUE(support::isBelow("/b", "/b"));
  EXPECT_TRUE(support::isBelow("/b", "/"));
  EXPECT_FALSE(support::isBelow("/bx", "/b"));
  EXPECT_FALSE(support::isBelow("/b", ""));
}

TEST(Paths, haveANameAndAFolder) {
  EXPECT_EQ(support::nameOf("/a/b/"), "b");
  EXPECT_EQ(support::nameOf("b"), "b");
  EXPECT_EQ(support::nameOf("/"), "");
  EXPECT_EQ(support::parentOf("/a/b/"), "/a");
  EXPECT_EQ(support::parentOf("/a"), "/");
  EXPECT_EQ(support::parentOf("a"), "");
}
