// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Toml.h"
#include "driver/support/TomlCheck.h"
#include <gmock/gmock.h>

using namespace cudacc;
using support::Value;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string readTop(const std::string &text) {
  support::TextError error;
  if (support::readToml(text, error))
    return "ok";
  return std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.why;
}

std::string repeat(const std::string &what, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += what;
  return all;
}

// F24: hostile nesting never reaches the parser.
TEST(Toml, hostileNestingIsRefused) {
  size_t many = 200000;
  for (const std::string &text :
       {"a = " + repeat("[", many), "a = " + repeat("{a=", many), "[" + repeat("a.", many) + "a]",
        repeat("a.", many) + "a = 1", "x = {" + repeat("a.", many) + "a = 1}",
        "[[" + repeat("a . ", many) + "a]]", repeat("\"a\".", many) + "a = 1",
        "s = \"\"\"\n\\\"\"\"\"\n" + repeat("a.", many) + "a = 1"})
    EXPECT_NE(readTop(text), "ok") << text.substr(0, 20);
}

TEST(Toml, ordinaryFilesAreNotDeep) {
  EXPECT_EQ(readTop("[a.b.c]\nd = [[1, 2], [3.5, 4]]\n# " + repeat("[.", 1000) + "\ns = '" +
                    repeat("[.", 1000) + "'\nt = \"" + repeat("{.\\\"", 1000) + "\"\nm = '''\n" +
                    repeat("[\n.", 1000) + "'''\nn = \"\"\"\n" + repeat("[.\"", 1000) + "\"\"\"\n"),
            "ok");
}

TEST(Toml, depthNamesThePlace) {
  EXPECT_EQ(readTop("a = 1\nb = " + repeat("[", 70)), "2:69 nested more than 64 deep");
  EXPECT_EQ(readTop("b = " + repeat("[", 64) + repeat("]", 64)), "ok");
  EXPECT_EQ(readTop("b = [" + repeat("[[]],", 100) + "]"), "ok");
}

/// The text after the position.
std::string why(const std::string &text) {
  return llvm::StringRef(readTop(text)).split(' ').second.str();
}

// Inputs on which toml++ has an assertion before it reports an error.
TEST(Toml, whatIsNoKeyIsNamed) {
  EXPECT_EQ(readTop("[\n"), "1:2 Error while parsing key: expected "
                            "bare key starting character or string delimiter, saw '\\n'");
  EXPECT_THAT(why("[("), HasSubstr("saw '('"));
  EXPECT_THAT(why("[="), HasSubstr("saw '='"));
  EXPECT_THAT(why("[[\n"), HasSubstr("saw '\\n'"));
  EXPECT_THAT(why("[[\r\n"), HasSubstr("saw '\\r'"));
  EXPECT_THAT(why("["), HasSubstr("encountered end-of-file"));
  EXPECT_THAT(why("[\x1b[31m"), HasSubstr("saw '\\u001B'"));
  EXPECT_THAT(why("a = [}"), HasSubstr("could not determine value type"));
  EXPECT_THAT(why("# \xff"), HasSubstr("invalid utf-8"));
  EXPECT_THAT(why("a = \v1"), HasSubstr("expected value, saw"));
  EXPECT_THAT(why("a = 1\f"), HasSubstr("not legal line breaks"));
}

// toml++ calls a function for white space that has no result for such characters.
TEST(Toml, onlyStringsAndCommentsAreBeyondAscii) {
  std::string only = "only strings and comments have characters beyond ASCII";
  EXPECT_EQ(readTop("x = '\xc3\xa9'\ny = '\xc3\xa9' \xc3\xa9"), "2:9 " + only);
  for (const char *wrong :
       {"[\xc3\xa9]", "\xc3\xa9 = 1", "\xff", "a = \xc3\xa9", "a = 1\xc3\xa9", "a = 1\"\xc3\xa9\"",
        "a = 1.'\xc3\xa9'", "a = [1, 2=\"\xc3\xa9\"]", "a = {b = 1[\"\xc3\xa9\"}", "a =\xc2\xa0 1",
        "a = [[1], 1\"\xc3\xa9\"]", "a = [{b = 1}, 1\"\xc3\xa9\"]", "a = [\n1'\xc3\xa9']",
        "a = [1] 1\"\xc3\xa9\"", "a = 1979-05-27 07:32\"\xc3\xa9\"", "\xef\xbb\xbf\xef\xbb\xbf",
        "a = \"\"\"b\"\"\"\"\"\xc3\xa9"})
    EXPECT_EQ(why(wrong), only) << wrong;
  for (const char *wrong : {"a = [1979-05-27 0,\"\xc3\xa9\"]", "a = 1979-05-27 0#\xc3\xa9"})
    EXPECT_EQ(why(wrong), "expected the end of the line or a time, not one character") << wrong;
  for (const char *wrong : {"a = \"\"\"\\\xc3\xa9\"\"\"", "a = \"\\\xc3\xa9\""})
    EXPECT_THAT(why(wrong), HasSubstr("expected an escape (b t n f r u U \" \\)")) << wrong;
  for (const char *right :
       {"a = '\xc3\xa9' # \xc3\xa9", "'\xc3\xa9'.\"\xc3\xa9\" = 1", "['\xc3\xa9']", "1='\xc3\xa9'",
        "a = {1=\"\xc3\xa9\", 2.'\xc3\xa9' = 1}", "a = [{1=\"\xc3\xa9\"}, '\xc3\xa9']",
        "a.b = [1, [2], \"\xc3\xa9\"]\n1=\"\xc3\xa9\"", "a = 1#\xc3\xa9", "a = ['''\n\xc3\xa9''']"})
    EXPECT_EQ(readTop(right), "ok") << right;
}

/// The value of `a`, if it is text.
std::string valueOf(const std::string &text) {
  support::TextError error;
  auto root = support::readToml(text, error);
  if (!root)
    return "error";
  const Value *value = root->find("a");
  return value ? value->text : "none";
}

TEST(Toml, lettersBehindAContinuedLine) {
  EXPECT_EQ(valueOf("a = \"\"\"\\\n  \xc3\xa9\"\"\""), "\xc3\xa9");
  EXPECT_EQ(valueOf("a = \"\"\"x\\  \r\n\n\xd0\x90\xc3\xa9 \\\n\xef\xbc\x81\"\"\""),
            "x\xd0\x90\xc3\xa9 \xef\xbc\x81");
  EXPECT_EQ(valueOf("a = \"\"\"\\\n\xc2\xa0\xc3\xa9\"\"\""), "\xc2\xa0\xc3\xa9");
  EXPECT_EQ(valueOf("a = \"\"\"\\\n\xf0\x9f\x98\x80\\\\\n\xc3\xa9\"\"\""),
            "\xf0\x9f\x98\x80\\\n\xc3\xa9");
  EXPECT_EQ(valueOf("a = '''\\\n\xc3\xa9'''"), "\\\n\xc3\xa9");
  EXPECT_EQ(valueOf("a = \"\"\"\\ \xc3\xa9\"\"\""), "error");
  EXPECT_EQ(why("a = \"\"\"\\\n\xc3\"\"\""), "it is not UTF-8");
}

TEST(Toml, strings) {
  EXPECT_EQ(valueOf("a = 'b\\n'"), "b\\n");
  EXPECT_EQ(valueOf(R"(a = "\b\t\n\f\r\"\\\u00e9\U0001F600")"),
            "\b\t\n\f\r\"\\\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(valueOf("a = ''"), "");
  EXPECT_EQ(valueOf("a = '''\nb\r\nc''d'''''"), "b\nc''d''");
  EXPECT_EQ(valueOf("a = \"\"\"\r\n\"b\" \\ \n \n\t c\"\"\"\""), "\"b\" c\"");
  for (const char *wrong :
       {"a = 'b", "a = 'b\n'", "a = \"b\n\"", R"(a = "\e")", R"(a = "\ud800")",
        R"(a = "\U00110000")", R"(a = "\u12")", "a = '''b''", R"(a = """b"""""")", "a = \"\x01\"",
        "a = '\x7f'", "a = 'b\rc'", "a = '''b\rc'''", R"(a = """\ b""")", "'''a''' = 1"})
    EXPECT_EQ(valueOf(wrong), "error") << wrong;
}

TEST(Toml, numbersAndDates) {
  for (const char *word : {"0",
                           "-0",
                           "+12",
                           "1_000",
                           "0xdead_BEEF",
                           "0o17",
                           "0b101",
                           "9223372036854775807",
                           "-9223372036854775808",
                           "0.5",
                           "-1.5e-07",
                           "1e6",
                           "6E+1_0",
                           "inf",
                           "-nan",
                           "true",
                           "false",
                           "1979-05-27",
                           "1979-05-27T07:32:00Z",
                           "1979-05-27 07:32:00.999-07:00",
                           "07:32:00",
                           "2000-02-29",
                           "2024-12-31t23:59:59z"})
    EXPECT_EQ(readTop("a = " + std::string(word)), "ok") << word;
  for (const char *word : {"01",
                           "1_",
                           "_1",
                           "1__0",
                           "+0x1",
                           "0x",
                           "0xg",
                           "0o8",
                           "0b2",
                           "9223372036854775808",
                           ".5",
                           "5.",
                           "1.e5",
                           "1e",
                           "1e_5",
                           "Inf",
                           "True",
                           "nope",
                           "1979-5-27",
                           "1979-02-29",
                           "1900-02-29",
                           "1979-04-31",
                           "1979-13-01",
                           "24:00:00",
                           "07:60:00",
                           "07:32",
                           "07:32:00.",
                           "07:32:00Z",
                           "1979-05-27T",
                           "1979-05-27  07:32:00",
                           "1979-05-27T07:32:00+24:00",
                           "1-2",
                           "a"})
    EXPECT_EQ(valueOf("a = " + std::string(word)), "error") << word;
}

TEST(Toml, numbersHaveAnEnd) {
  EXPECT_EQ(readTop("a = 0." + repeat("1", 98)), "ok");
  EXPECT_EQ(readTop(repeat("1", 500) + " = 1"), "ok");
  for (const std::string &wrong : {"a = 0." + repeat("1", 99), "a = " + repeat("1", 1 << 20),
                                   "a = 1979-05-2" + repeat("_", 117) + "7 07:32:00"})
    EXPECT_EQ(why(wrong), "more than 100 characters of a number or date") << wrong.size();
  EXPECT_EQ(valueOf("a = 0x1_f"), "31");
  EXPECT_EQ(valueOf("a = true"), "true");
}

TEST(Toml, tablesAreDefinedOnce) {
  for (const char *right :
       {"[a.b.c]\n[a]\n[a.b]", "[a]\nb.c = 1\nb.d = 2\n[a.b.e]", "[[a]]\n[a.b]\n[[a]]\n[a.b]",
        "a.b = 1\na.c.d = 2\n", "a = {b.c = 1, b.d = 2}", "[a]\n[a.b]\n", "[[a.b]]\n[a]\n",
        "[a . 'b' . \"c\"] # text\n", "\xef\xbb\xbf[a]", "a = [\n1, # one\n\n2,\n]\r\n", "a = {}"})
    EXPECT_EQ(readTop(right), "ok") << right;
  for (const char *wrong : {"[a]\n[a]",
                            "a = 1\na = 2",
                            "a = 1\n[a]",
                            "a = 1\n[a.b]",
                            "a.b = 1\n[a]",
                            "[a]\nb.c = 1\n[a.b]",
                            "[a.b]\n[a]\nb.c = 1",
                            "[[a]]\n[a]",
                            "[a]\n[[a]]",
                            "a = []\n[[a]]",
                            "a = [{}]\n[a.b]",
                            "a = {}\n[a.b]",
                            "a = {}\na.b = 1",
                            "a = {b = 1, b = 2}",
                            "a = {b = {}, b.c = 1}",
                            "a = {b = 1,}",
                            "a = {b = 1\n}",
                            "a = 1 b = 2",
                            "[a] b = 1",
                            "[a]]",
                            "[[a]",
                            "[[a] ]",
                            "[ [a]]",
                            "[]",
                            "[a.]",
                            "[.a]",
                            "a. = 1",
                            "a",
                            "a =",
                            "a = [1 2]",
                            "a = [1,,2]",
                            "a = [",
                            "a = {",
                            "# \x01",
                            "a = 1\r",
                            "\xef\xbb\xbf\xef\xbb\xbf"})
    EXPECT_NE(readTop(wrong), "ok") << wrong;
}

TEST(Toml, sizeIsBoundedBeforeMemoryIs) {
  EXPECT_EQ(why("a = [" + repeat("[],", support::mostTomlValues + 1) + "]"),
            "it has more than 1048576 values");
  EXPECT_EQ(why(repeat("a=1\n", support::mostTomlValues + 1)), "it has more than 1048576 values");
}

// toml++ searches all tables for each part of a name.
TEST(Toml, namesOfTablesAreBounded) {
  std::string many = "it has more than 65536 names of tables", headers, keys, inlined;
  for (unsigned i = 0; i != support::mostTomlNames + 1; ++i) {
    std::string name = "t" + std::to_string(i);
    headers += "[[" + name + "]]\n";
    keys += name + ".a = 1\n";
    inlined += "{" + name + ".a = 1.5},";
  }
  EXPECT_EQ(why(headers), many);
  EXPECT_EQ(why(keys), many);
  EXPECT_EQ(why("a = [" + inlined + "]"), many);
  EXPECT_EQ(readTop("a = [" + repeat("1.5, [2.5],", 100000) + "]"), "ok");
  EXPECT_EQ(readTop(repeat("[[a.b]]\n", support::mostTomlNames / 2)), "ok");
}

TEST(Toml, garbageEndsInOneError) {
  for (std::string text :
       {std::string("\0", 1), std::string("a\0=1", 4), std::string("\xef\xbb"),
        std::string("a = \"\\u12"), std::string("a = '''"), std::string("="), std::string("[tool"),
        std::string("a = 99999999999999999999"), std::string("a = 1\na = 2"), std::string("\"\"\""),
        std::string("a = \"\\")})
    EXPECT_NE(readTop(text), "ok") << text;
}

TEST(Toml, valuesHavePlacesAndKinds) {
  support::TextError error;
  auto root =
      support::readToml("b = 'x'\na = [1, true, 1.5, 1979-05-27]\n\n[c.d]\ne = {}\n", error);
  ASSERT_TRUE(root);
  EXPECT_THAT(root->keys, ElementsAre("a", "b", "c"));
  const Value &a = root->items[0];
  EXPECT_EQ(a.line, 2u);
  EXPECT_EQ(a.keyColumn, 1u);
  EXPECT_EQ(a.column, 5u);
  EXPECT_EQ(a.items[0].integer(), 1);
  EXPECT_EQ(a.items[1].kind, Value::Kind::Boolean);
  EXPECT_EQ(a.items[2].kind, Value::Kind::Number);
  EXPECT_EQ(a.items[2].integer(), std::nullopt);
  EXPECT_EQ(a.items[3].kind, Value::Kind::None);
  EXPECT_EQ(root->find("c")->find("d")->line, 4u);
  EXPECT_TRUE(root->find("c")->find("d")->find("e")->isTable());
}

TEST(Toml, whatIsWrittenIsReadAsItWas) {
  std::string text = "a = \"b\\\"\\\\\\n\\u0001\xc3\xa9\"\nn = 1\n\n[t]\n\"g++\" = [ \"x\", \"y\" "
                     "]\n\n[[u.v]]\na = \"1\"\n\n[[u.v]]\na = \"2\"\n";
  support::TextError error;
  auto root = support::readToml(text, error);
  ASSERT_TRUE(root) << error.why;
  EXPECT_EQ(support::writeToml(*root), text);
}

} // namespace
