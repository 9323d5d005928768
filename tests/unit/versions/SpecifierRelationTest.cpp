// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Version.h"
#include <gtest/gtest.h>

using namespace cudacc::versions;

namespace {

SpecifierSet set(const char *text) {
  auto parsed = SpecifierSet::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(SpecifierSet());
}
bool overlaps(const char *one, const char *other) {
  EXPECT_EQ(overlap(set(one), set(other)), overlap(set(other), set(one)));
  return overlap(set(one), set(other));
}
bool implied(const char *narrow, const char *wide) { return implies(set(narrow), set(wide)); }

} // namespace

TEST(SpecifierRelation, setsOverlapWhereOneReleaseMatchesBoth) {
  EXPECT_TRUE(overlaps(">=12.4.5.8,<13", ">=12.9"));
  EXPECT_TRUE(overlaps(">=12.4.5.8,<13", "==12.4.5.8"));
  EXPECT_TRUE(overlaps(">=12.4.5.8,<13", "==12.*"));
  EXPECT_TRUE(overlaps("~=12.4", ">12.9"));
  EXPECT_TRUE(overlaps(">12.4", "<12.4.1"));
  EXPECT_TRUE(overlap(SpecifierSet(), set("==1.0")));
}

TEST(SpecifierRelation, setsWithoutACommonRelease) {
  EXPECT_FALSE(overlaps(">=12.4.5.8,<13", "==12.1.3.1"));
  EXPECT_FALSE(overlaps(">=12.4.5.8,<13", ">=13"));
  EXPECT_FALSE(overlaps(">=12.4.5.8,<13", "==11.*"));
  EXPECT_FALSE(overlaps("==12.4.5.8", "!=12.4.5.8"));
  EXPECT_FALSE(overlaps("~=12.4.1", ">=12.5"));
}

TEST(SpecifierRelation, aNarrowSetImpliesAWideOne) {
  EXPECT_TRUE(implied("==12.9.1.4", ">=12.4.5.8,<13"));
  EXPECT_TRUE(implied(">=12.5,<12.9", ">=12.4.5.8,<13"));
  EXPECT_TRUE(implied(">=12.4.5.8,<13", ">=12.4.5.8,<13"));
  EXPECT_TRUE(implied("==12.9.*", ">=12.4.5.8,<13"));
  EXPECT_FALSE(implied(">=12.4.5.8", ">=12.4.5.8,<13"));
  EXPECT_FALSE(implied("<13", ">=12.4.5.8,<13"));
  EXPECT_FALSE(implied(">=12.4.5.8,<13", ">=12.4.5.8,<13,!=12.6.0.0"));
  EXPECT_FALSE(implies(SpecifierSet(), set("<13")));
}
