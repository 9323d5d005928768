// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Json.h"
#include <gmock/gmock.h>

using namespace cudacc;
using support::Value;
using testing::ElementsAre;

namespace {

/// `line:column reason`, or empty.
std::string problemOf(llvm::StringRef text, const support::JsonLimits &limits = {}) {
  support::TextError error;
  if (support::readJson(text, error, limits))
    return "";
  return std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.why;
}

Value jsonValue(llvm::StringRef text) {
  support::TextError error;
  auto value = support::readJson(text, error);
  EXPECT_TRUE(value) << error.why;
  return value.value_or(Value{});
}

std::string repeated(llvm::StringRef what, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += what;
  return all;
}

} // namespace

TEST(Json, keepsOrderKindsAndText) {
  Value root = jsonValue(R"( {"b": "x", "a": [1, -2.50e+3, true, false, null], "": {}} )");
  EXPECT_THAT(root.keys, ElementsAre("b", "a", ""));
  EXPECT_EQ(root.textAt("b"), "x");
  const Value &list = root.items[1];
  EXPECT_THAT(list.texts(), ElementsAre("1", "-2.50e+3", "true", "false"));
  EXPECT_EQ(list.items[0].integer(), 1);
  EXPECT_EQ(list.items[1].integer(), std::nullopt);
  EXPECT_EQ(list.items[2].kind, Value::Kind::Boolean);
  EXPECT_EQ(list.items[4].kind, Value::Kind::None);
  EXPECT_TRUE(root.items[2].isTable());
}

TEST(Json, acceptsWhatRfc8259Has) {
  for (const char *good : {"0", "-0", "1E9", "1.0e-2", "\"\"", "[]", "{}", "null", " [ ] ",
                           "\t\r\n1\n", "[[],{}]", "{\"a\":{\"a\":1}}", "\"\xc3\xa9\""})
    EXPECT_EQ(problemOf(good), "") << good;
}

TEST(Json, refusesWhatItDoesNotHave) {
  for (const char *bad : {"",
                          " ",
                          "{",
                          "}",
                          "[",
                          "]",
                          "[1",
                          "[1,]",
                          "[,1]",
                          "[1 2]",
                          "{\"a\"}",
                          "{\"a\":}",
                          "{\"a\":1,}",
                          "{a:1}",
                          "{1:1}",
                          "{,}",
                          "01",
                          "-",
                          "+1",
                          ".5",
                          "1.",
                          "1e",
                          "1e+",
                          "0x1",
                          "NaN",
                          "Infinity",
                          "tru",
                          "nul",
                          "True",
                          "\"",
                          "\"\\",
                          "\"\\\"",
                          "\"\\x\"",
                          "\"\\u12\"",
                          "\"\\u12g4\"",
                          "'a'",
                          "\"\n\"",
                          "\"\t\"",
                          "\"\xff\"",
                          "1 1",
                          "{}{}",
                          "[1]]",
                          "/**/ 1",
                          "[1}",
                          "{\"a\":1]",
                          "\xef\xbb\xbf{}",
                          "{\"a\" 1}",
                          "\"\xc3\"",
                          "\"\xed\xa0\x80\""})
    EXPECT_NE(problemOf(bad), "") << bad;
  EXPECT_NE(problemOf(llvm::StringRef("\0", 1)), "");
  EXPECT_NE(problemOf(llvm::StringRef("1\0", 2)), "");
}

TEST(Json, decodesEscapes) {
  EXPECT_EQ(jsonValue(R"("\"\\\/\b\f\n\r\tA\u00e9")").text, "\"\\/\b\f\n\r\tA\xc3\xa9");
  EXPECT_EQ(jsonValue(R"("a\ud83d\ude00b")").text, "a\xf0\x9f\x98\x80"
                                                   "b");
  EXPECT_EQ(jsonValue(R"("\ud83dx\ud83d\n\ude00\ud83d\u0041")").text,
            "\xef\xbf\xbdx\xef\xbf\xbd\n\xef\xbf\xbd\xef\xbf\xbd"
            "A");
  EXPECT_EQ(jsonValue(R"("\u0000")").text, std::string(1, '\0'));
}

TEST(Json, knowsTheLineOfEachValue) {
  Value root = jsonValue("{\n \"a\":\n  1,\n \"b\": [\n  2,\n  {\"c\": 3}]}\n");
  EXPECT_EQ(root.line, 1u);
  EXPECT_EQ(root.items[0].line, 2u) << "that of its key";
  EXPECT_EQ(root.items[1].line, 4u);
  EXPECT_EQ(root.items[1].items[0].line, 5u);
  EXPECT_EQ(root.items[1].items[1].items[0].line, 6u);
}

TEST(Json, saysWhereAndWhyItIsRefused) {
  EXPECT_EQ(problemOf("{\n \"a\": 1\n \"b\": 2}"), "3:2 expected a comma or '}'");
  EXPECT_EQ(problemOf("[1\n"), "2:1 expected a comma or ']'");
  EXPECT_EQ(problemOf("{\"a\" 1}"), "1:6 expected a colon");
  EXPECT_EQ(problemOf("{1: 1}"), "1:2 expected a key");
  EXPECT_EQ(problemOf("[x]"), "1:2 expected a value");
  EXPECT_EQ(problemOf(""), "1:1 the text ends early");
  EXPECT_EQ(problemOf("1\n2"), "2:1 text behind the end");
  EXPECT_EQ(problemOf("\n\"a\xff\""), "2:3 it is not UTF-8");
}

TEST(Json, refusesAKeyThatOccursTwice) {
  EXPECT_EQ(problemOf("{\"a\": 1,\n \"a\": 2}"), "2:2 the key \"a\" occurs twice");
  EXPECT_EQ(problemOf(R"({"a": 1, "\u0061": 2})").substr(0, 5), "1:10 ");
  EXPECT_EQ(problemOf(R"([{"a": 1}, {"a": 2}])"), "");
  std::string many = "{";
  for (unsigned i = 0; i != 1000; ++i)
    many += "\"k" + std::to_string(i) + "\": 1, ";
  EXPECT_EQ(problemOf(many + "\"k1000\": 1}"), "");
  for (const char *again : {"k0", "k500", "k999"})
    EXPECT_THAT(problemOf(many + "\"" + again + "\": 1}"), testing::HasSubstr("occurs twice"));
}

TEST(Json, isBounded) {
  support::JsonLimits limits;
  limits.depth = 2;
  EXPECT_EQ(problemOf("[[], {\"a\": 1}]", limits), "");
  EXPECT_EQ(problemOf("[[[]]]", limits), "1:3 nested more than 2 deep");
  EXPECT_EQ(problemOf("[{\"a\": {}}]", limits), "1:8 nested more than 2 deep");
  limits = {};
  limits.values = 3;
  EXPECT_EQ(problemOf("[1, 2]", limits), "");
  EXPECT_EQ(problemOf("[1, 2, 3]", limits), "1:8 it has more than 3 values");
  limits = {};
  limits.bytes = 4;
  EXPECT_EQ(problemOf("[1] ", limits), "");
  EXPECT_EQ(problemOf("[1]  ", limits), "1:1 it has more than 4 bytes");
  for (const char *open : {"[", "{\"a\":", "[{\"a\":"})
    EXPECT_THAT(problemOf(repeated(open, 1 << 20)), testing::HasSubstr("nested more than 64 deep"));
}
