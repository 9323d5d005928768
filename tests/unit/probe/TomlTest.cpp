#include "driver/probe/Toml.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/TomlDocument.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::HasSubstr;

namespace {

std::string readTop(const std::string &text) {
  auto entries = probe::readTomlTable(text, "f.toml", {});
  if (entries)
    return "ok";
  Finding finding = takeFinding(entries.takeError());
  return str(finding.code) + " " + finding.message + ": " + finding.facts.front().text;
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
    EXPECT_THAT(readTop(text), HasSubstr("CC2006 f.toml:")) << text.substr(0, 20);
}

TEST(Toml, ordinaryFilesAreNotDeep) {
  EXPECT_EQ(readTop("[a.b.c]\nd = [[1, 2], [3.5, 4]]\n# " + repeat("[.", 1000) + "\ns = '" +
                    repeat("[.", 1000) + "'\nt = \"" + repeat("{.\\\"", 1000) + "\"\nm = '''\n" +
                    repeat("[\n.", 1000) + "'''\nn = \"\"\"\n" + repeat("[.\"", 1000) + "\"\"\"\n"),
            "ok");
}

TEST(Toml, depthNamesThePlace) {
  EXPECT_EQ(readTop("a = 1\nb = " + repeat("[", 70)),
            "CC2006 f.toml:2:69 is not valid TOML: nested more than 64 deep");
  EXPECT_EQ(readTop("b = " + repeat("[", 64) + repeat("]", 64)), "ok");
  EXPECT_EQ(readTop("b = [" + repeat("[[]],", 100) + "]"), "ok");
}

// What a parser that was here before asserted on, in some builds.
TEST(Toml, whatIsNoKeyIsNamed) {
  auto why = [](const std::string &text) {
    return llvm::StringRef(readTop(text)).split("TOML: ").second.str();
  };
  EXPECT_EQ(readTop("[\n"),
            "CC2006 f.toml:1:2 is not valid TOML: expected a key, not the end of the line");
  EXPECT_EQ(why("[("), "expected a key, not '('");
  EXPECT_EQ(why("[="), "expected a key, not '='");
  EXPECT_EQ(why("[[\n"), "expected a key, not the end of the line");
  EXPECT_EQ(why("[[\r\n"), "expected a key, not the end of the line");
  EXPECT_EQ(why("["), "expected a key, not the end of the file");
  EXPECT_EQ(why("[\xc3\xa9]"), "expected a key, not U+00E9");
  EXPECT_EQ(why("[\x1b[31m"), "expected a key, not U+001B");
  EXPECT_EQ(why("\xff"), "it is not UTF-8");
  EXPECT_EQ(why("a = \xc3\xa9"), "expected a value, not U+00E9");
  EXPECT_EQ(why("a = \"\"\"\\\xc3\xa9\"\"\""),
            "expected an escape (b t n f r u U \" \\) behind the backslash, not U+00E9");
  EXPECT_EQ(readTop("a = \"\"\"\\\n\xc3\xa9\"\"\""), "ok");
}

/// The value of `a`, as far as it is text.
std::string valueOf(const std::string &text) {
  probe::TomlError error;
  auto root = probe::parseToml(text, error);
  if (!root)
    return "error";
  const probe::TomlValue *value = root->find("a");
  return value ? value->text : "none";
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
    EXPECT_EQ(valueOf("a = " + std::string(word)), word);
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
    EXPECT_EQ(readTop(wrong).substr(0, 6), "CC2006") << wrong;
}

TEST(Toml, sizeIsBoundedBeforeMemoryIs) {
  EXPECT_THAT(readTop("a = [" + repeat("[],", probe::mostTomlValues + 1) + "]"),
              HasSubstr("it has more than 1048576 values"));
  EXPECT_THAT(readTop(repeat("[[a]]\n", probe::mostTomlValues + 1)),
              HasSubstr("it has more than 1048576 values"));
  // Who looks through all tables for each header takes minutes.
  std::string many;
  for (unsigned i = 0; i != 100000; ++i)
    many += "[[t" + std::to_string(i) + "]]\n";
  for (unsigned i = 0; i != 100000; ++i)
    many += "[t" + std::to_string(i) + ".u]\nv.w = 1\n";
  EXPECT_EQ(readTop(many), "ok");
}

TEST(Toml, garbageEndsInOneError) {
  for (std::string text :
       {std::string("\0", 1), std::string("a\0=1", 4), std::string("\xef\xbb"),
        std::string("a = \"\\u12"), std::string("a = '''"), std::string("="), std::string("[tool"),
        std::string("a = 99999999999999999999"), std::string("a = 1\na = 2"), std::string("\"\"\""),
        std::string("a = \"\\")})
    EXPECT_THAT(readTop(text), HasSubstr("CC2006 f.toml:")) << text;
}

TEST(Toml, tablePathMayBeMissing) {
  llvm::StringRef path[] = {"tool", "cuda-cc"};
  auto none = probe::readTomlTable("[tool.x]\na = 1\n", "f.toml", path);
  ASSERT_TRUE(bool(none));
  EXPECT_FALSE(none->has_value());
  auto wrong = probe::readTomlTable("[tool]\ncuda-cc = 3\n", "f.toml", path);
  ASSERT_FALSE(bool(wrong));
  EXPECT_THAT(takeFinding(wrong.takeError()).message, HasSubstr("f.toml:2:11"));
}

} // namespace
