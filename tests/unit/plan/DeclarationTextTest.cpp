// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/DeclarationText.h"
#include <gmock/gmock.h>

using namespace cudacc;

TEST(DeclarationText, oneRequirementIsAStringSeveralAreAList) {
  EXPECT_EQ(plan::declarationLines({"torch==2.5.1"}, false), "runtime = \"torch==2.5.1\"\n");
  EXPECT_EQ(plan::declarationLines({"torch==2.5.1", "sm>=80"}, false),
            "runtime = [ \"torch==2.5.1\", \"sm>=80\" ]\n");
  EXPECT_EQ(plan::declarationLines({"torch==2.5.1"}, true),
            "[tool.cuda-cc]\nruntime = \"torch==2.5.1\"\n");
}

TEST(DeclarationText, whatTomlWouldReadOtherwiseIsEscaped) {
  EXPECT_EQ(plan::declarationLines({"env:a\"b\\c\nd"}, false),
            "runtime = \"env:a\\\"b\\\\c\\nd\"\n");
}

TEST(DeclarationText, linesStandBehindABlankLine) {
  EXPECT_EQ(plan::withLines("a = 1\n", "[t]\nx = 2\n"), "a = 1\n\n[t]\nx = 2\n");
  EXPECT_EQ(plan::withLines("a = 1", "[t]\nx = 2\n"), "a = 1\n\n[t]\nx = 2\n");
  EXPECT_EQ(plan::withLines("", "[t]\nx = 2\n"), "[t]\nx = 2\n");
}

TEST(DeclarationText, linesEndAsTheFirstOne) {
  EXPECT_EQ(plan::withLines("a = 1\r\nb = 2", "[t]\nx = 2\n"),
            "a = 1\r\nb = 2\r\n\r\n[t]\r\nx = 2\r\n");
}
