// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Version.h"
#include <gtest/gtest.h>

using cudacc::versions::Version;

namespace {

Version version(const char *text) {
  auto parsed = Version::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Version{});
}

std::string normal(const char *text) { return version(text).str(); }

} // namespace

// The order PEP 440 gives in "Summary of permitted suffixes and relative ordering", completed by
// the cases of its text: pre, post and dev releases of one another, epochs, local labels.
TEST(Version, IsOrderedAsPep440Says) {
  const char *ascending[] = {"1.dev0",        "1.0.dev456",    "1.0a1",
                             "1.0a2.dev456",  "1.0a12.dev456", "1.0a12",
                             "1.0b1.dev456",  "1.0b2",         "1.0b2.post345.dev456",
                             "1.0b2.post345", "1.0rc1.dev456", "1.0rc1",
                             "1.0",           "1.0+abc.5",     "1.0+abc.7",
                             "1.0+5",         "1.0+5-abc",     "1.0.post456.dev34",
                             "1.0.post456",   "1.0.15",        "1.1.dev1",
                             "1.2",           "1.9",           "1.10",
                             "2012.4",        "1!0.5",         "1!1.0"};
  for (size_t i = 0; i < std::size(ascending); ++i)
    for (size_t j = 0; j < std::size(ascending); ++j)
      EXPECT_EQ(version(ascending[i]) <=> version(ascending[j]), i <=> j)
          << ascending[i] << " against " << ascending[j];
}

TEST(Version, TrailingZerosDoNotCount) {
  EXPECT_EQ(version("1.0"), version("1"));
  EXPECT_EQ(version("2.5"), version("2.5.0.0"));
  EXPECT_NE(version("1.0.1"), version("1.0"));
}

// V-CN-07: numbers are compared, never text.
TEST(Version, ComparesNumbers) { EXPECT_GT(version("12.10"), version("12.9")); }

TEST(Version, Normalises) {
  EXPECT_EQ(normal("1.1RC1"), "1.1rc1");
  EXPECT_EQ(normal("00009.01"), "9.1");
  EXPECT_EQ(normal("1.1.a1"), "1.1a1");
  EXPECT_EQ(normal("1.1-a.1"), "1.1a1");
  EXPECT_EQ(normal("1.1alpha1"), "1.1a1");
  EXPECT_EQ(normal("1.1beta2"), "1.1b2");
  EXPECT_EQ(normal("1.1c3"), "1.1rc3");
  EXPECT_EQ(normal("1.1pre4"), "1.1rc4");
  EXPECT_EQ(normal("1.1-preview_5"), "1.1rc5");
  EXPECT_EQ(normal("1.2a"), "1.2a0");
  EXPECT_EQ(normal("1.2-post2"), "1.2.post2");
  EXPECT_EQ(normal("1.0-r4"), "1.0.post4");
  EXPECT_EQ(normal("1.0.rev"), "1.0.post0");
  EXPECT_EQ(normal("1.0-1"), "1.0.post1");
  EXPECT_EQ(normal("1.2.dev"), "1.2.dev0");
  EXPECT_EQ(normal("1.2dev7"), "1.2.dev7");
  EXPECT_EQ(normal("1.0a.post1"), "1.0a0.post1");
  EXPECT_EQ(normal("1.0+ubuntu-1_002.X"), "1.0+ubuntu.1.2.x");
  EXPECT_EQ(normal(" \tv1.0\n"), "1.0");
  EXPECT_EQ(normal("3!1.2.3rc4.post5.dev6+l.7"), "3!1.2.3rc4.post5.dev6+l.7");
}

TEST(Version, ReadsWheelVersions) {
  EXPECT_EQ(version("12.4.127.post1").release, (std::vector<uint64_t>{12, 4, 127}));
  EXPECT_EQ(version("12.4.127.post1").post, 1u);
  EXPECT_EQ(version("13.3.5.0.6").release.size(), 5u);
  EXPECT_GT(version("0.8.1.post1"), version("0.8.1"));
}

TEST(Version, RefusesOtherText) {
  for (const char *text : {"",
                           " ",
                           "v",
                           "a",
                           "1.",
                           ".1",
                           "1..2",
                           "1.0+",
                           "1.0+a..b",
                           "1.0 a",
                           "1.0post1post2",
                           "1!",
                           "!1",
                           "1.0x",
                           "french toast",
                           "1.0.dev1a1",
                           "1.0--1x",
                           "99999999999999999999",
                           "1.\xc3\xa9",
                           "1.0+\xff",
                           "==1.0",
                           "1.0;"})
    EXPECT_FALSE(Version::parse(text)) << text;
}

TEST(Version, SurvivesLongText) {
  std::string text = "1";
  for (int i = 0; i < 100000; ++i)
    text += ".1";
  auto parsed = Version::parse(text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->release.size(), 100001u);
}
