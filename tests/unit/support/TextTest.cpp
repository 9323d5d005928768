// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Text.h"
#include <gmock/gmock.h>

using namespace cudacc;

TEST(Text, isQuotedInOneShortLine) {
  EXPECT_EQ(support::quoted("a b"), "\"a b\"");
  EXPECT_EQ(support::quoted("a\nb\x1b"), "\"a?b?\"");
  EXPECT_EQ(support::quoted(std::string(40, 'x')), '"' + std::string(40, 'x') + '"');
  EXPECT_EQ(support::quoted(std::string(41, 'x')), '"' + std::string(40, 'x') + "...\"");
  EXPECT_EQ(support::quoted("abc", 2), "\"ab...\"");
}

TEST(Text, isNotCutInsideOfACharacter) {
  EXPECT_EQ(support::quoted(std::string(39, 'x') + "\xc3\xa9y"),
            '"' + std::string(39, 'x') + "...\"");
}

TEST(Text, isJoined) {
  auto text = [](int each) { return std::to_string(each); };
  EXPECT_EQ(support::joined(std::vector<int>{1, 2, 3}, ", ", text), "1, 2, 3");
  EXPECT_EQ(support::joined(std::vector<int>{}, ", ", text), "");
  std::string list;
  support::appendItem(list, "a");
  support::appendItem(list, "b", " and ");
  EXPECT_EQ(list, "a and b");
}
