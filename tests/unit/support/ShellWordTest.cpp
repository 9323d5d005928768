// SPDX-License-Identifier: Apache-2.0
#include "driver/support/ShellWord.h"
#include "gtest/gtest.h"

using namespace cudacc::core;
using namespace cudacc::support;

TEST(ShellWords, areQuotedWhereTheyNeedIt) {
  EXPECT_EQ(shellWord("/opt/a-b_1.2"), "/opt/a-b_1.2");
  EXPECT_EQ(shellWord("a>=1,<2"), "'a>=1,<2'");
  EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(shellWord(""), "''");
}
