// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include <gtest/gtest.h>
#include <set>

using namespace cudacc::core;

TEST(Diagnostic, CodesAreReadInEverySpelling) {
  for (const char *text : {"CC3001", "cc3001", "Cc3001", "3001"})
    EXPECT_EQ(parseCode(text), Code::TargetNewer) << text;
  EXPECT_EQ(str(Code::TargetNewer), "CC3001");
}

TEST(Diagnostic, SymbolicClassesAreRead) {
  EXPECT_EQ(parseCode("E_TARGET_NEWER"), Code::TargetNewer);
  EXPECT_EQ(parseCode("e_target_newer"), Code::TargetNewer);
  EXPECT_EQ(parseCode("AV-E01"), Code::ImportMissing);
  EXPECT_EQ(parseCode("N_PIPE_MAJOR_UNPROMISED"), Code::LtoIrOlderMajor);
}

TEST(Diagnostic, OtherTextIsNoCode) {
  for (const char *text : {"", " ", "CC", "CC3", "CC99999999999", "CC3001x", "E_TARGET", "-3001"})
    EXPECT_FALSE(parseCode(text)) << text;
}

TEST(Diagnostic, NumbersAreAscendingAndTheirFirstDigitSaysTheClass) {
  unsigned last = 0;
  for (const CodeInfo &row : allCodes()) {
    EXPECT_GT(unsigned(row.code), last);
    last = unsigned(row.code);
    EXPECT_EQ(&info(row.code), &row);
    EXPECT_EQ(parseCode(str(row.code)), row.code);
    EXPECT_FALSE(row.title.empty());
    switch (row.codeClass) {
    case CodeClass::Usage:
      EXPECT_EQ(last / 1000, 1u);
      break;
    case CodeClass::Unknown:
      EXPECT_TRUE(last / 1000 == 2 || last / 1000 == 5 || last / 1000 == 6) << last;
      break;
    case CodeClass::Internal:
      EXPECT_EQ(last / 1000, 9u);
      break;
    default:
      EXPECT_TRUE(last / 1000 >= 2 && last / 1000 <= 6) << last;
    }
  }
}

TEST(Diagnostic, FindingsTravelInErrors) {
  Finding found = toFinding(makeError(Code::UnknownRelease, "torch 9 is not known",
                                      {{"newest", "2.15.0"}}, {"use cuda=="}));
  EXPECT_EQ(found.code, Code::UnknownRelease);
  EXPECT_EQ(found.message, "torch 9 is not known");
  ASSERT_EQ(found.facts.size(), 1u);
  EXPECT_EQ(found.facts[0].label, "newest");
  EXPECT_EQ(exitOf(found), Exit::Undetermined);
}

TEST(Diagnostic, ForeignErrorsAreInternal) {
  Finding found = toFinding(llvm::createStringError(llvm::inconvertibleErrorCode(), "boom"));
  EXPECT_EQ(found.code, Code::Internal);
  EXPECT_EQ(found.message, "boom");
  EXPECT_EQ(exitOf(found), Exit::Internal);
}

TEST(Diagnostic, NearestName) {
  llvm::StringRef keys[] = {"runtime", "enforce", "toolkit", "layout"};
  EXPECT_EQ(nearest("runtme", keys), "runtime");
  EXPECT_EQ(nearest("enfroce", keys), "enforce");
  EXPECT_EQ(nearest("chekc", {"check"}), "check");
  EXPECT_EQ(nearest("kchec", {"check"}), "");
  EXPECT_EQ(nearest("layout", keys), "layout");
  EXPECT_EQ(nearest("colour", keys), "");
  EXPECT_EQ(nearest("", keys), "");
  EXPECT_EQ(nearest("runtime", {}), "");
}
