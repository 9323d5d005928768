// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Version.h"
#include <gtest/gtest.h>

using cudacc::versions::SpecifierSet;
using cudacc::versions::Version;

namespace {

bool matches(const char *specifiers, const char *version, bool pre = false) {
  auto set = SpecifierSet::parse(specifiers);
  EXPECT_TRUE(set) << specifiers;
  auto candidate = Version::parse(version);
  EXPECT_TRUE(candidate) << version;
  return set && candidate && set->contains(*candidate, pre);
}

} // namespace

// V-CN-01
TEST(Specifier, RangeHoldsItsFloor) {
  EXPECT_TRUE(matches(">=12.9,<13", "12.9"));
  EXPECT_FALSE(matches(">=12.9,<13", "13.0"));
}

// V-CN-02
TEST(Specifier, UpperBoundIsExclusive) {
  EXPECT_FALSE(matches("<12.9", "12.9"));
  EXPECT_TRUE(matches("<12.9", "12.8"));
}

// V-CN-03
TEST(Specifier, RefusesBareVersion) { EXPECT_FALSE(SpecifierSet::parse("13.2")); }

// V-CN-04
TEST(Specifier, RefusesEmptyText) {
  EXPECT_FALSE(SpecifierSet::parse(""));
  EXPECT_FALSE(SpecifierSet::parse("  "));
}

// V-CN-05
TEST(Specifier, PrefixMatches) {
  EXPECT_TRUE(matches("==12.*", "12.4"));
  EXPECT_FALSE(matches("==12.*", "13.4"));
  EXPECT_FALSE(matches("!=12.*", "12.4"));
  EXPECT_TRUE(matches("==1.0.*", "1"));
  EXPECT_TRUE(matches("==1.1.*", "1.1.post1"));
  EXPECT_TRUE(matches("==1.1.*", "1.1a1", true));
  EXPECT_FALSE(matches("==1.1.*", "1!1.1"));
  EXPECT_TRUE(matches("==2.6.*", "2.6.0+cu126"));
}

// V-CN-06
TEST(Specifier, CompatibleRelease) {
  EXPECT_TRUE(matches("~=12.4", "12.9"));
  EXPECT_FALSE(matches("~=12.4", "13.0"));
  EXPECT_FALSE(matches("~=12.4", "12.3"));
  EXPECT_TRUE(matches("~=2.2.post3", "2.3"));
  EXPECT_FALSE(matches("~=2.2.post3", "2.2"));
  EXPECT_TRUE(matches("~=1.4.5a4", "1.4.9"));
  EXPECT_FALSE(matches("~=1.4.5a4", "1.5"));
  EXPECT_FALSE(SpecifierSet::parse("~=12"));
}

// V-CN-07
TEST(Specifier, ComparesNumbers) {
  EXPECT_FALSE(matches(">=12.10", "12.9"));
  EXPECT_TRUE(matches(">=12.9", "12.10"));
}

TEST(Specifier, LocalLabels) {
  EXPECT_TRUE(matches("==2.6.0", "2.6.0+cu126"));
  EXPECT_TRUE(matches("==2.6.0+cu126", "2.6.0+cu126"));
  EXPECT_FALSE(matches("==2.6.0+cu126", "2.6.0"));
  EXPECT_FALSE(matches("==2.6.0+cu126", "2.6.0+cu124"));
  EXPECT_FALSE(matches("!=2.6.0", "2.6.0+cu126"));
  EXPECT_TRUE(matches("!=2.6.0+cu124", "2.6.0+cu126"));
  EXPECT_TRUE(matches("<=2.6.0", "2.6.0+cu126"));
  EXPECT_TRUE(matches(">=2.6.0", "2.6.0+cu126"));
  EXPECT_FALSE(matches(">2.6.0", "2.6.0+cu126"));
  EXPECT_FALSE(SpecifierSet::parse(">=2.6.0+cu126"));
  EXPECT_FALSE(SpecifierSet::parse("~=2.6.0+cu126"));
}

TEST(Specifier, ExclusiveOrderLeavesOutVariantsOfTheBound) {
  EXPECT_FALSE(matches(">2.5", "2.5.post1"));
  EXPECT_TRUE(matches(">2.5", "2.5.1"));
  EXPECT_TRUE(matches(">2.5.post1", "2.5.post2"));
  EXPECT_FALSE(matches("<2.6", "2.6rc1", true));
  EXPECT_TRUE(matches("<2.6rc2", "2.6rc1"));
  EXPECT_TRUE(matches("<2.6", "2.5rc1", true));
  EXPECT_TRUE(matches("<2.6.post1", "2.6rc1", true));
  EXPECT_FALSE(matches("<2.6.post1", "2.6.post1.dev1", true));
  EXPECT_TRUE(matches(">2.6rc1", "2.6.post1"));
  EXPECT_FALSE(matches(">2.6rc1", "2.6rc1.post1"));
  EXPECT_TRUE(matches(">2.6.dev1", "2.6+cu126"));
  EXPECT_FALSE(matches(">2.6.post1", "2.6.post1+cu126"));
}

TEST(Specifier, PreReleasesOnlyWhenNamed) {
  EXPECT_FALSE(matches(">=13.4", "13.5rc1"));
  EXPECT_TRUE(matches(">=13.4", "13.5rc1", true));
  EXPECT_TRUE(matches(">=13.4rc1", "13.5rc1"));
  EXPECT_TRUE(matches("==13.4.0rc1", "13.4.0rc1"));
  EXPECT_FALSE(matches("!=13.4.0rc1", "13.5.0rc1"));
  EXPECT_FALSE(matches(">=1.0", "1.1.dev1"));
}

TEST(Specifier, ArbitraryEquality) {
  EXPECT_TRUE(matches("===2.6.0+CU126", "2.6.0+cu126"));
  EXPECT_FALSE(matches("===2.6", "2.6.0"));
  EXPECT_TRUE(SpecifierSet::parse("===whatever"));
  EXPECT_FALSE(SpecifierSet::parse("=== "));
}

TEST(Specifier, RefusesMalformedClauses) {
  for (const char *text : {"=12.4", "==", ">=", "==12.4,", ",==12.4", "==12.4,,<13", ">12.*",
                           "==12.*.*", "==1.0a1.*", "==1.0 .*", "==1.0+x.*", "==1.0.dev0.*", "=>12",
                           "== 12.4 13", "~=1.0.*", "<>12", "!", "==12.4;<13"})
    EXPECT_FALSE(SpecifierSet::parse(text)) << text;
}

TEST(Specifier, BlanksDoNotMatter) {
  EXPECT_TRUE(matches(" >= 12.4 , < 13 ", "12.4"));
  EXPECT_EQ(SpecifierSet::parse(" >= 12.4 , < 13 ")->str(), ">=12.4,<13");
}
