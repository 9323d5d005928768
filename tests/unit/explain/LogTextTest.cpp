// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/LogText.h"
#include <gmock/gmock.h>

using namespace cudacc;

static std::string readAs(llvm::StringRef bytes, size_t step = 1 << 20) {
  explain::LogText reader;
  std::string out;
  for (; !bytes.empty(); bytes = bytes.drop_front(std::min(step, bytes.size())))
    reader.add(bytes.take_front(step), out);
  reader.finish(out);
  return out;
}

TEST(LogText, blanksAndLines) {
  EXPECT_EQ(readAs("  a \t b  \r\n\r\n\n c"), "a b\nc\n");
  EXPECT_EQ(readAs("a\rb"), "a\nb\n");
  EXPECT_EQ(readAs(""), "");
}

TEST(LogText, escapeSequencesAndZerosAreDropped) {
  EXPECT_EQ(readAs("\033[1;31mred\033[0m \033]8;;http://x\033\\link\033]8;;\a."), "red link.\n");
  EXPECT_EQ(readAs(llvm::StringRef("n\0v\0l\0i\0n\0k\0", 12)), "nvlink\n");
  // A truncated sequence ends with its line.
  EXPECT_EQ(readAs("a\033[31\nb\033]x\nc\033"), "a\nb\nc\n");
}

TEST(LogText, whatPytestAndRichPutAroundALineIsDropped) {
  EXPECT_EQ(readAs("E   ImportError: x\nE       y\nE x\nError\nE"),
            "ImportError: x\ny\nE x\nError\nE\n");
  EXPECT_EQ(readAs("\u2502 ImportError: a \u2502\n\u2570\u2500> b\n"), "ImportError: a\n> b\n");
}

TEST(LogText, quotesAreStraight) {
  EXPECT_EQ(readAs("`a' \u2018b\u2019 \u201cc\u201d"), "'a' 'b' \u201cc\u201d\n");
}

TEST(LogText, isTheSameHoweverItIsCut) {
  const char *text = "E   a\033[1m b\u2502\u2018c\u2019 \xe2\xe2\x94 d\xe2\nE\t\te \u00e9\n";
  for (size_t step = 1; step < 9; ++step)
    EXPECT_EQ(readAs(text, step), readAs(text)) << step;
  EXPECT_EQ(readAs("a\xe2"), "a\xe2\n");
}

TEST(LogText, countsLines) {
  explain::LogText reader;
  std::string out;
  reader.add("a\n\n\nb", out);
  EXPECT_EQ(reader.lines(), 3u);
}
