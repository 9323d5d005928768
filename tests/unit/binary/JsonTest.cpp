// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Json.h"
#include <gtest/gtest.h>

using cudacc::binary::Json;

static std::string problemOf(const std::string &text) {
  std::string problem;
  return Json::parse(text, problem) ? "" : problem;
}

static Json text(llvm::StringRef value) { return Json::of(value); }

TEST(Json, KeysAreSortedByByteWithoutWhitespace) { // MJ-1
  Json json;
  json.set("schema", Json::of(uint64_t(1)));
  json.set("libnvJitLink.so.12", text("12.4"));
  json.set("kind", text("link"));
  json.set("kind", text("object"));
  EXPECT_EQ(json.str(), R"({"kind":"object","libnvJitLink.so.12":"12.4","schema":1})");
}

TEST(Json, EmptyStringsAreLeftOut) { // MJ-1
  Json json;
  json.set("tool", text(""));
  json.set("", text("x"));
  EXPECT_EQ(json.str(), "{}");
}

TEST(Json, NumbersEndAt53Bits) { // MJ-1
  EXPECT_EQ(Json::of(UINT64_MAX).str(), "9007199254740991");
  EXPECT_EQ(problemOf(R"({"a":9007199254740991})"), "");
  EXPECT_NE(problemOf(R"({"a":9007199254740992})"), "");
}

TEST(Json, OtherBytesArePercentEncodedAndNoEscapeOccurs) { // MJ-2
  Json json;
  json.set("a", text("x\"y\\z\n\xc3\xbc\x7f 100%"));
  EXPECT_EQ(json.str(), R"({"a":"x%22y%5Cz%0A%C3%BC%7F 100%"})");
  std::string problem;
  auto again = Json::parse(json.str(), problem);
  ASSERT_TRUE(again) << problem;
  EXPECT_EQ(again->str(), json.str());
}

TEST(Json, SetsAreSortedAndUnique) { // MJ-3
  EXPECT_EQ(Json::set({"b", "a", "", "b"}).str(), R"(["a","b"])");
  EXPECT_EQ(Json::set({}).str(), "[]");
}

TEST(Json, ReaderRefusesWhatIsNotCanonical) { // MJ-1
  for (const char *bad : {"",
                          "{",
                          "}",
                          "[]",
                          "1",
                          R"("a")",
                          R"({"a":null})",
                          R"({"a":true})",
                          R"({"a":1.5})",
                          R"({"a":1e3})",
                          R"({"a":-1})",
                          R"({"a":01})",
                          R"({"a":""})",
                          R"({"a" :1})",
                          R"( {"a":1})",
                          R"({"a":1} )",
                          R"({"a":1,})",
                          R"({"a":[1,]})",
                          R"({"a"})",
                          R"({"a":})",
                          R"({a:1})",
                          R"({"a":1)",
                          R"({"a":"x)",
                          R"({"a":[1)",
                          R"({"a":"\n"})",
                          "{\"a\":\"\xc3\xbc\"}",
                          R"({"a":1}{})"})
    EXPECT_NE(problemOf(bad), "") << bad;
}

TEST(Json, DuplicateKeysAreRejected) { // RD-6
  EXPECT_EQ(problemOf(R"({"a":1,"a":1})"), "the key \"a\" occurs twice (byte 7)");
}

TEST(Json, FourLevelsAndNoMore) { // RD-6
  EXPECT_EQ(problemOf(R"({"a":{"b":{"c":{}}}})"), "");
  EXPECT_NE(problemOf(R"({"a":{"b":{"c":{"d":{}}}}})"), "");
  EXPECT_NE(problemOf(R"({"a":[[[[]]]]})"), "");
  EXPECT_NE(problemOf("{\"a\":" + std::string(60000, '[')), "");
}

TEST(Json, KeysEndAt256) { // RD-6
  Json json;
  for (unsigned i = 0; i != 256; ++i)
    json.set("k" + std::to_string(i), Json::of(uint64_t(i)));
  EXPECT_EQ(problemOf(json.str()), "");
  json.set("more", Json::of(uint64_t(1)));
  EXPECT_NE(problemOf(json.str()), "");
}

TEST(Json, TextsEndAt64KiB) { // RD-6
  EXPECT_EQ(problemOf("{\"a\":\"" + std::string(65528, 'x') + "\"}"), "");
  EXPECT_NE(problemOf("{\"a\":\"" + std::string(65529, 'x') + "\"}"), "");
}
