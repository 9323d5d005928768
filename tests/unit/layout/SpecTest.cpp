// SPDX-License-Identifier: Apache-2.0
// Identifiers such as TG-2 that the sources quote have an anchor in docs/spec.
#include "Sources.h"
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using Names = std::set<std::string>;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLower(char c) { return c >= 'a' && c <= 'z'; }
static bool isWordChar(char c) {
  return isDigit(c) || isLower(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

/// The texts between \p open and \p close, for each \p open in the text.
static std::vector<std::string> between(const std::string &text, std::string_view open,
                                        char close) {
  std::vector<std::string> found;
  for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    size_t begin = at + open.size(), end = text.find(close, begin);
    if (end != std::string::npos)
      found.push_back(text.substr(begin, end - begin));
  }
  return found;
}

static Names anchorsOf(const std::string &text) {
  std::vector<std::string> ids = between(text, "<a id=\"", '"');
  return Names(ids.begin(), ids.end());
}

/// The pages of docs/spec by name.
static std::map<std::string, std::string> pages() {
  std::map<std::string, std::string> all;
  for (const auto &entry : fs::directory_iterator(root / "docs/spec"))
    all[entry.path().filename()] = textOf(entry.path());
  return all;
}

static Names anchors() {
  Names all;
  for (const auto &[name, text] : pages())
    all.merge(anchorsOf(text));
  return all;
}

/// The entries of the table in docs/spec/README.md.
static Names prefixes() {
  std::vector<std::string> all = between(textOf(root / "docs/spec/README.md"), "\n| `", '`');
  return Names(all.begin(), all.end());
}

/// Digits and at most one letter from a to e.
static bool isNumber(std::string_view text) {
  size_t digits = 0;
  while (digits != text.size() && isDigit(text[digits]))
    ++digits;
  std::string_view rest = text.substr(digits);
  return digits && (rest.empty() || (rest.size() == 1 && rest[0] >= 'a' && rest[0] <= 'e'));
}

/// `TG-2`, `PF-A2`, `AV-W03`, `V-TG-01`; `R13`, `AT4`: with a number of one or two digits.
static bool isId(std::string_view word, const Names &known) {
  // Languages and suffixes of files.
  static const Names others = {"C17", "C23", "C89", "C99", "F90", "F95"};
  if (others.count(std::string(word)))
    return false;
  if (word.starts_with("V-"))
    word.remove_prefix(2);
  size_t hyphen = word.find('-');
  if (hyphen == 2 && known.count(std::string(word.substr(0, 2)))) {
    std::string_view rest = word.substr(3);
    if (!rest.empty() && std::string_view("AEIPTUW").find(rest[0]) != std::string_view::npos)
      rest.remove_prefix(1);
    return isNumber(rest);
  }
  size_t letters = word.starts_with("AT") ? 2 : 1;
  if (word.size() <= letters || !known.count(std::string(word.substr(0, letters))))
    return false;
  std::string_view number = word.substr(letters);
  return isNumber(number) && number[0] != '0' && number.size() <= 3 &&
         !(number.size() == 3 && isDigit(number[2]));
}

/// Words that look like an identifier and are not part of something longer (`V13.0`, `$R1`).
static std::vector<std::string> idsIn(const std::string &text, const Names &known) {
  std::vector<std::string> ids;
  for (size_t at = 0; at < text.size();) {
    if (!isWordChar(text[at])) {
      ++at;
      continue;
    }
    size_t begin = at;
    while (at < text.size() && isWordChar(text[at]))
      ++at;
    char before = begin ? text[begin - 1] : ' ', behind = at < text.size() ? text[at] : ' ';
    bool isPart = std::string_view(".+$%/\\").find(before) != std::string_view::npos ||
                  (behind == '.' && at + 1 < text.size() && isDigit(text[at + 1]));
    std::string_view word(text.data() + begin, at - begin);
    bool mayBe = word.size() < 12 && word[0] >= 'A' && word[0] <= 'Z' && word.size() > 1;
    if (mayBe && !isPart && isId(word, known))
      ids.emplace_back(word);
  }
  return ids;
}

static bool isText(const fs::path &path) {
  static const Names extensions = {".cpp", ".h",  ".def", ".td",   ".py", ".test",
                                   ".md",  ".in", ".txt", ".json", ".sh", ".cmake"};
  return extensions.count(path.extension()) || path.extension().empty();
}

// Tables and recorded builds are data: names in them are not ours.
static bool isData(const fs::path &path) {
  std::string name = path.lexically_relative(root);
  return name.starts_with("driver/tables/data/") || name.find("/builds/") != std::string::npos ||
         name.starts_with("tests/support/");
}

TEST(Spec, everyQuotedIdentifierHasAnAnchor) {
  Names known = prefixes(), defined = anchors();
  ASSERT_GT(known.size(), 20u);
  size_t quoted = 0;
  for (const char *folder : {"driver", "plugins", "tests", "docs", "cmake", "meson", "shell"}) {
    if (!fs::exists(root / folder))
      continue;
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !isText(entry.path()) || isData(entry.path()) ||
          entry.path().filename() == "SpecTest.cpp")
        continue;
      for (const std::string &id : idsIn(textOf(entry.path()), known)) {
        ++quoted;
        EXPECT_TRUE(defined.count(id)) << entry.path() << " quotes " << id;
      }
    }
  }
  EXPECT_GT(quoted, 1000u);
}

TEST(Spec, everyAnchorIsDefinedOnceAndHasAKnownPrefix) {
  Names known = prefixes(), seen;
  for (const auto &[name, text] : pages())
    for (const std::string &id : between(text, "<a id=\"", '"')) {
      EXPECT_TRUE(seen.insert(id).second) << name << " defines " << id << " again";
      bool isClass = id.starts_with("CC") || id.find('_') == 1;
      EXPECT_TRUE(isClass || isId(id, known)) << name << " defines " << id;
    }
}

TEST(Spec, linksLeadToAnchors) {
  std::map<std::string, Names> defined;
  std::map<std::string, std::string> all = pages();
  for (const auto &[name, text] : all)
    defined[name] = anchorsOf(text);
  for (const auto &[name, text] : all)
    for (const std::string &target : between(text, "](", ')')) {
      size_t hash = target.find('#');
      if (hash == std::string::npos || target == "rules.md#codes")
        continue;
      std::string page = hash ? target.substr(0, hash) : name;
      EXPECT_TRUE(defined[page].count(target.substr(hash + 1))) << name << " links to " << target;
    }
}

// `SY_11_...`, `KC1`: a test's name says behaviour; the identifier belongs in a comment.
TEST(Spec, namesOfUnitTestsHoldNoIdentifiers) {
  Names known = prefixes();
  for (const auto &entry : fs::recursive_directory_iterator(root / "tests/unit")) {
    if (entry.path().extension() != ".cpp")
      continue;
    std::string text = textOf(entry.path());
    for (const char *macro : {"\nTEST(", "\nTEST_F(", "\nTEST_P("})
      for (const std::string &test : between(text, macro, ')')) {
        std::istringstream parts(test.substr(test.find(' ') + 1));
        std::vector<std::string> words;
        for (std::string word; std::getline(parts, word, '_');)
          words.push_back(word);
        for (size_t i = 0; i != words.size(); ++i) {
          size_t letters = 0;
          while (letters != words[i].size() && words[i][letters] >= 'A' && words[i][letters] <= 'Z')
            ++letters;
          bool numbered = letters != words[i].size()
                              ? isDigit(words[i][letters])
                              : i + 1 != words.size() && isDigit(words[i + 1][0]);
          EXPECT_FALSE(numbered && known.count(words[i].substr(0, letters)))
              << entry.path() << ": " << test;
        }
      }
  }
}

TEST(Spec, everyCodeHasItsRulesAndNoPageQuotesThem) {
  Names known = prefixes(), codes, rows;
  for (const auto &entry : fs::directory_iterator(root / "docs/codes")) {
    codes.insert(entry.path().stem());
    EXPECT_THAT(idsIn(textOf(entry.path()), known), testing::IsEmpty()) << entry.path();
  }
  for (const std::string &id : anchorsOf(textOf(root / "docs/spec/rules.md")))
    if (id.starts_with("CC"))
      rows.insert(id);
  EXPECT_EQ(rows, codes);
}

TEST(Spec, otherWordsAreNoIdentifiers) {
  Names known = prefixes();
  EXPECT_THAT(idsIn("sm_90a UTF-8 C++20 CRC-32 V13.0.88 C89 TG- R H200 O2 R580 0xFB-1 a/R1 x.T1 "
                    "F08 __N1 TG-x CC3001 -R1 R13a0",
                    known),
              testing::IsEmpty());
  EXPECT_THAT(
      idsIn("(TG-2), V-TG-01: AV-W03; LS-0a PF-A2 R13. AT4 V19b", known),
      testing::ElementsAre("TG-2", "V-TG-01", "AV-W03", "LS-0a", "PF-A2", "R13", "AT4", "V19b"));
}
