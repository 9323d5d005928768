// SPDX-License-Identifier: Apache-2.0
#include "driver/support/ShellWord.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using support::splitShellLine;
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

} // namespace cudacc::test
