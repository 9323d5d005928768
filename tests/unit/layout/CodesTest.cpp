// SPDX-License-Identifier: Apache-2.0
// Each code of the table is given by the program and expected by a test.
#include "tests/unit/layout/Sources.h"
#include <cctype>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Row {
  std::string name, number, classes;
};

const std::vector<Row> rows = {
#define CUDACC_CODE(NAME, NUMBER, CLASS, SYMBOLS, TITLE) {#NAME, #NUMBER, SYMBOLS},
#include "driver/core/Diagnostic.def"
#undef CUDACC_CODE
};

/// The files below a folder as one text, but for the list of all codes.
std::string textBelow(const fs::path &folder) {
  const std::set<std::string> kinds = {".cpp", ".h", ".py", ".test", ".json", ".txt"};
  std::string all;
  for (const auto &entry : fs::recursive_directory_iterator(root / folder))
    if (kinds.count(entry.path().extension()) && entry.path().filename() != "codes.txt")
      all += textOf(entry.path());
  return all;
}

bool mentionsName(const std::string &text, const std::string &word) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size())
    if (unsigned char next = text[at + word.size()]; !std::isalnum(next) && next != '_')
      return true;
  return false;
}

} // namespace

TEST(Codes, eachIsGivenByTheProgram) {
  std::string text = textBelow("driver") + textBelow("plugins");
  for (const Row &row : rows)
    EXPECT_TRUE(mentionsName(text, "Code::" + row.name)) << "nothing gives CC" << row.number;
}

TEST(Codes, eachIsExpectedByATest) {
  std::string text = textBelow("tests");
  std::map<std::string, unsigned> codesOfClass;
  for (const Row &row : rows)
    ++codesOfClass[row.classes];
  for (const Row &row : rows) {
    bool isNamed = mentionsName(text, "Code::" + row.name) || mentionsName(text, "CC" + row.number);
    bool isClassNamed = codesOfClass[row.classes] == 1 && mentionsName(text, row.classes);
    EXPECT_TRUE(isNamed || isClassNamed) << "no test expects CC" << row.number;
  }
}

TEST(Codes, numbersAreNotUsedAgain) {
  std::string table = textOf(root / "driver/core/Diagnostic.def");
  size_t at = table.find("Codes that went"), end = table.find('\n', at);
  ASSERT_NE(at, std::string::npos);
  std::string gone = table.substr(at, end - at);
  for (const Row &row : rows)
    EXPECT_EQ(gone.find(row.number), std::string::npos) << row.number << " was another code";
}
