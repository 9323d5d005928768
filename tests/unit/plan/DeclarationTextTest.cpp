#include "driver/plan/toolchain/DeclarationText.h"
#include <gmock/gmock.h>

using namespace cudacc;

TEST(DeclarationText, oneRequirementIsAStringSeveralAreAList) {
  EXPECT_EQ(plan::runtimeLine({"torch==2.5.1"}), "runtime = \"torch==2.5.1\"\n");
  EXPECT_EQ(plan::runtimeLine({"torch==2.5.1", "sm>=80"}),
            "runtime = [\"torch==2.5.1\", \"sm>=80\"]\n");
}

TEST(DeclarationText, whatTomlWouldReadOtherwiseIsEscaped) {
  EXPECT_EQ(plan::runtimeLine({"env:a\"b\\c\nd"}), "runtime = \"env:a\\\"b\\\\c\\u000Ad\"\n");
}

TEST(DeclarationText, theTableStandsBehindABlankLine) {
  EXPECT_EQ(plan::withOwnTable("a = 1\n", "x = 2\n"), "a = 1\n\n[tool.cuda-cc]\nx = 2\n");
  EXPECT_EQ(plan::withOwnTable("a = 1", "x = 2\n"), "a = 1\n\n[tool.cuda-cc]\nx = 2\n");
  EXPECT_EQ(plan::withOwnTable("", "x = 2\n"), "[tool.cuda-cc]\nx = 2\n");
}

TEST(DeclarationText, linesEndAsTheFirstOne) {
  EXPECT_EQ(plan::withOwnTable("a = 1\r\nb = 2", "x = 2\n"),
            "a = 1\r\nb = 2\r\n\r\n[tool.cuda-cc]\r\nx = 2\r\n");
}
