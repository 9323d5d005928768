#include "driver/probe/Toml.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/TomlDepth.h"
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
  auto place = probe::deeperThan("a = 1\nb = " + repeat("[", 70), 64);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 2u);
  EXPECT_EQ(place->column, 69u);
  EXPECT_FALSE(probe::deeperThan("b = " + repeat("[", 64), 64));
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
