// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/FewestSets.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;

/// Each text is a set; its characters say which items are in it.
static std::vector<unsigned> fewest(std::initializer_list<llvm::StringRef> texts) {
  std::vector<llvm::BitVector> sets;
  for (llvm::StringRef text : texts) {
    llvm::BitVector &set = sets.emplace_back(8);
    for (char item : text)
      set.set(item - 'a');
  }
  return plan::fewestSets(sets);
}

TEST(FewestSets, nothingToCover) {
  EXPECT_THAT(fewest({}), IsEmpty());
  EXPECT_THAT(fewest({"", ""}), IsEmpty());
}

TEST(FewestSets, fewerBeatPreferred) { EXPECT_THAT(fewest({"a", "b", "ab"}), ElementsAre(2)); }

TEST(FewestSets, ofEquallyFewTheFirst) {
  EXPECT_THAT(fewest({"abc", "abc"}), ElementsAre(0));
  EXPECT_THAT(fewest({"a", "ab", "bc"}), ElementsAre(0, 2));
  EXPECT_THAT(fewest({"bc", "ab", "a"}), ElementsAre(0, 1));
}

// The largest set need not be in the choice.
TEST(FewestSets, exactWhereTheLargestFirstIsNot) {
  EXPECT_THAT(fewest({"cdbf", "ace", "bdf"}), ElementsAre(0, 1));
  EXPECT_THAT(fewest({"abcd", "ace", "bdf"}), ElementsAre(1, 2));
}
