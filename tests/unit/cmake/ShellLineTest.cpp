#include "plugins/cmake/ShellLine.h"
#include "plugins/cmake/Paths.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using cmake::splitShellLine;
using testing::ElementsAre;

TEST(ShellLine, hasSimpleCommandsBetweenOperators) {
  EXPECT_THAT(splitShellLine(": && /td/bin/g++ -o x a.o  -lz && :"),
              ElementsAre(ElementsAre(":"), ElementsAre("/td/bin/g++", "-o", "x", "a.o", "-lz"),
                          ElementsAre(":")));
  EXPECT_THAT(splitShellLine("cd /b;a|b & c || d"),
              ElementsAre(ElementsAre("cd", "/b"), ElementsAre("a"), ElementsAre("b"),
                          ElementsAre("c"), ElementsAre("d")));
}

TEST(ShellLine, takesQuotesOffAsShDoes) {
  EXPECT_THAT(splitShellLine(R"(a 'b c' "d \"e\" \n $x" f\ g 'h\' i"j"'k' '' "")"),
              ElementsAre(ElementsAre("a", "b c", "d \"e\" \\n $x", "f g", "h\\", "ijk", "", "")));
}

TEST(ShellLine, leavesRedirectionsOut) {
  EXPECT_THAT(splitShellLine("a b > c 2>&1 d 2> e f"),
              ElementsAre(ElementsAre("a", "b", "d", "f")));
}

TEST(ShellLine, survivesWhatDoesNotEnd) {
  EXPECT_THAT(splitShellLine("a 'b"), ElementsAre(ElementsAre("a", "b")));
  EXPECT_THAT(splitShellLine("a \"b\\"), ElementsAre(ElementsAre("a", "b\\")));
  EXPECT_THAT(splitShellLine("a \\"), ElementsAre(ElementsAre("a", "\\")));
  EXPECT_THAT(splitShellLine("&& > "), ElementsAre());
}

TEST(CMakePaths, objectsNameTheirTarget) {
  EXPECT_EQ(cmake::targetOfObject("/b/sub/CMakeFiles/k.dir/Debug/a/k.cu.o"), "k");
  EXPECT_EQ(cmake::targetOfObject("CMakeFiles/k.x.dir/__/k.o"), "k.x");
  EXPECT_EQ(cmake::targetOfObject("/b/CMakeFiles/3.25/x.o"), "");
  EXPECT_EQ(cmake::targetOfObject("/b/MyCMakeFiles/k.dir/x.o"), "");
  EXPECT_EQ(cmake::targetOfObject(""), "");
}

TEST(CMakePaths, standOnTheirFolder) {
  EXPECT_EQ(cmake::absolute("/b", "x/../y.o"), "/b/y.o");
  EXPECT_EQ(cmake::absolute("/b", "../s/./y"), "/s/y");
  EXPECT_EQ(cmake::absolute("/b", "/a//c"), "/a/c");
  EXPECT_TRUE(cmake::isBelow("/b/x", "/b"));
  EXPECT_FALSE(cmake::isBelow("/bx", "/b"));
  EXPECT_FALSE(cmake::isBelow("/b", "/b"));
}

} // namespace cudacc::test
