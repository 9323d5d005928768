// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Script.h"
#include "plugins/cmake/Cache.h"
#include "plugins/cmake/Paths.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using cmake::ScriptCommand;
using testing::ElementsAre;

static std::vector<ScriptCommand> scriptOf(llvm::StringRef text) {
  std::vector<ScriptCommand> out;
  cmake::readScript(text, [&](const ScriptCommand &command) { out.push_back(command); });
  return out;
}

TEST(CMakeScript, hasCommandsWithArgumentsWithoutQuotes) {
  auto commands = scriptOf("# a comment (\nIF(NOT A \"b c\" d;e)\n"
                           "  file(RPATH_CHANGE\n    FILE \"$ENV{DESTDIR}/x\"\n"
                           "    OLD_RPATH \"a\\\"b\"\n    NEW_RPATH \"\\$ORIGIN/../x:/k\")\n");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].name, "if");
  EXPECT_THAT(commands[0].arguments, ElementsAre("NOT", "A", "b c", "d;e"));
  EXPECT_EQ(commands[1].after("OLD_RPATH"), "a\"b");
  EXPECT_EQ(commands[1].after("NEW_RPATH"), "$ORIGIN/../x:/k");
  EXPECT_EQ(commands[1].after("FILE"), "$ENV{DESTDIR}/x");
  EXPECT_EQ(commands[1].after("NONE"), "");
}

TEST(CMakeScript, keepsEmptyTextsAndInnerParentheses) {
  auto commands = scriptOf("f(\"\" (a b) c)g()");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_THAT(commands[0].arguments, ElementsAre("", "(", "a", "b", ")", "c"));
  EXPECT_THAT(commands[1].arguments, ElementsAre());
}

TEST(CMakeScript, readsBracketsAndPassesBracketCommentsOver) {
  auto commands = scriptOf("#[[ f(x)\n]] g([==[a]]\"b]==] #[=[ c ]=] d)");
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_THAT(commands[0].arguments, ElementsAre("a]]\"b", "d"));
}

TEST(CMakeScript, survivesEveryPrefix) {
  std::string text = "set(A \"b\\n\" [=[x]=] (c) #[[d]]\n e)\n#[==[ never closed";
  for (size_t length = 0; length <= text.size(); ++length)
    scriptOf(llvm::StringRef(text).take_front(length));
  EXPECT_THAT(scriptOf("set(A \"b").at(0).arguments, ElementsAre("A", "b"));
}

TEST(CMakeCache, hasEntriesByName) {
  cmake::Cache cache("# comment\n//Help\nA:STRING=x=y\n\"B:C\":PATH=/p\nD:INTERNAL=\n"
                     "E:BOOL=' a '\r\nnothing\n");
  EXPECT_EQ(cache.get("A"), "x=y");
  EXPECT_EQ(cache.get("B:C"), "/p");
  EXPECT_EQ(cache.get("D"), "");
  EXPECT_EQ(cache.get("E"), " a ");
  EXPECT_EQ(cache.get("nothing"), "");
}

TEST(CMakePaths, objectsNameTheirTarget) {
  EXPECT_EQ(cmake::targetOfObject("/b/sub/CMakeFiles/k.dir/Debug/a/k.cu.o"), "k");
  EXPECT_EQ(cmake::targetOfObject("CMakeFiles/k.x.dir/__/k.o"), "k.x");
  EXPECT_EQ(cmake::targetOfObject("/b/CMakeFiles/3.25/x.o"), "");
  EXPECT_EQ(cmake::targetOfObject("/b/MyCMakeFiles/k.dir/x.o"), "");
  EXPECT_EQ(cmake::targetOfObject(""), "");
}

} // namespace cudacc::test
