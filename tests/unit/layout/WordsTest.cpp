// SPDX-License-Identifier: Apache-2.0
// Identifiers, help, messages and pages use standard terms (CONTRIBUTING.md, Style).
#include "Sources.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

/// Words that are never right, and their replacements: in identifiers, comments, texts and pages. A
/// capital letter begins a part of an identifier; phrases contain a blank and are found in any
/// case.
static const std::vector<std::pair<std::string, std::string>> words = {
    {"Hall", "pipeline or command"},
    {"Scene", "EnvironmentSnapshot, Sandbox"},
    {"Sheet", "TraceBuffer"},
    {"Shelf", "FileCache"},
    {"Unlearnt", "Unknown"},
    {"WaysOut", "Fixes"},
    {"Weakest", "MinimumVersions"},
    {"Wish", "Requirement"},
    {"World", "CandidateSet, System"},
    {"hall", "pipeline or command"},
    {"learnt", "determined"},
    {"waysOut", "fixes"},
    {"wish", "requirement"},
    {"ended as it should", "passed"},
    {"go round", "bypass"},
    {"goes round", "bypasses"},
    {"held against", "compared with"},
    {"of the references", "of docs/spec"},
    {"way out", "fix"},
    {"ways out", "fixes"},
};

static bool isSmallLetter(char c) { return c >= 'a' && c <= 'z'; }
static bool isAnyLetter(char c) { return isalpha(static_cast<unsigned char>(c)); }

/// Whether the word or its plural is in the text. `Sheet` is in `theSheets`, `wish` not in
/// `wishful`.
static bool hasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if (end < text.size() && text[end] == 's')
      ++end;
    bool begins = !isSmallLetter(word[0]) || !at || !isAnyLetter(text[at - 1]);
    if (begins && (end == text.size() || !isSmallLetter(text[end])))
      return true;
  }
  return false;
}

/// In lower case, with one blank for white space, for line ends with comment markers, and for
/// quotes between the parts of a string.
static std::string flattened(std::string_view text) {
  std::string out;
  for (char c : text)
    if (!strchr(" \t\n/*#\"", c))
      out += char(tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

static std::vector<std::string> wordsIn(const std::string &text) {
  std::vector<std::string> found;
  std::string flat = flattened(text);
  for (const auto &[word, instead] : words)
    if (hasWord(word.find(' ') == word.npos ? text : flat, word))
      found.push_back(word);
  return found;
}

/// Sources, pages and the files that users include. File names are checked as well.
static std::vector<fs::path> textFiles() {
  static const std::set<std::string> read = {".cpp",   ".h",  ".def", ".md",    ".txt",
                                             ".cmake", ".in", ".py",  ".build", ".json",
                                             ".html",  ".sh", ""};
  std::vector<fs::path> all;
  for (const char *folder : {"driver", "plugins", "docs", "cmake", "meson", "shell", "examples",
                             "python", "packaging", "scripts", "tests"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      std::string path = entry.path().lexically_relative(root);
      // Names that NVIDIA's libraries export, generated data, licenses of others, and this list.
      bool isOurs = path.find("tables/data/symbols/") == path.npos &&
                    path.find("packaging/licenses/") == path.npos &&
                    entry.path().filename() != "copyright" &&
                    entry.path().filename() != "WordsTest.cpp";
      if (entry.is_regular_file() && read.count(entry.path().extension()) && isOurs)
        all.push_back(path);
    }
  for (const auto &entry : fs::directory_iterator(root))
    if (entry.path().extension() == ".md")
      all.push_back(entry.path().filename());
  return all;
}

TEST(Words, areFoundInIdentifiersAndTexts) {
  EXPECT_THAT(wordsIn("struct Wishes; int theWish; // a way\n// out"),
              testing::UnorderedElementsAre("Wish", "way out"));
  EXPECT_THAT(wordsIn("std::string wish = \"Ways \"\n  \"out\";"),
              testing::UnorderedElementsAre("wish", "ways out"));
}

TEST(Words, areNotFoundInOthers) {
  EXPECT_THAT(wordsIn("wishful Shallow worldwide spreadsheet the gateway outside, world-writable"),
              testing::IsEmpty());
}

TEST(Words, areStandardTerms) {
  for (const fs::path &path : textFiles())
    for (const std::string &word : wordsIn(textOf(root / path) + "\n" + path.filename().string())) {
      auto it = std::find_if(words.begin(), words.end(),
                             [&](const auto &each) { return each.first == word; });
      ADD_FAILURE() << path << " has \"" << word << "\": " << it->second;
    }
}
