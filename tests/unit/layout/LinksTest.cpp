// SPDX-License-Identifier: Apache-2.0
// Links in the pages lead to existing files, documents that sources name are in this repository,
// and the list of decisions has each record.
#include "Sources.h"
#include <filesystem>
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static std::vector<fs::path> markdownPages() {
  std::vector<fs::path> all;
  for (const char *folder : {"docs", "examples"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".md")
        all.push_back(entry.path());
  for (const auto &entry : fs::directory_iterator(root))
    if (entry.path().extension() == ".md")
      all.push_back(entry.path());
  return all;
}

/// The targets of `](`, without the anchor.
static std::vector<std::string> linksIn(const std::string &text) {
  std::vector<std::string> found;
  for (size_t at = text.find("]("); at != text.npos; at = text.find("](", at + 1)) {
    size_t end = text.find_first_of(")#\n", at + 2);
    if (end != text.npos && text[end] != '\n' && end != at + 2)
      found.push_back(text.substr(at + 2, end - at - 2));
  }
  return found;
}

TEST(Links, leadToFiles) {
  size_t count = 0;
  for (const fs::path &page : markdownPages())
    for (const std::string &link : linksIn(textOf(page))) {
      EXPECT_TRUE(fs::exists(page.parent_path() / link)) << page << " links " << link;
      ++count;
    }
  EXPECT_GT(count, 100u);
}

/// The names before `.md`, without folders.
static std::vector<std::string> documentsIn(const std::string &text) {
  std::vector<std::string> found;
  for (size_t at = text.find(".md"); at != text.npos; at = text.find(".md", at + 1)) {
    size_t begin = at;
    while (begin && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) ||
                     text[begin - 1] == '-' || text[begin - 1] == '_'))
      --begin;
    bool isWord = at + 3 == text.size() || !std::isalnum(static_cast<unsigned char>(text[at + 3]));
    if (begin != at && isWord)
      found.push_back(text.substr(begin, at + 3 - begin));
  }
  return found;
}

TEST(Links, sourcesNameDocumentsThatAreHere) {
  // PyTorch's, and what tests of links make up.
  std::set<std::string> known = {"RELEASE.md", "PAGE.md", "none.md"};
  std::vector<fs::path> sources;
  for (const char *folder :
       {"docs", "driver", "examples", "packaging", "plugins", "python", "tests"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      std::string extension = entry.path().extension();
      if (extension == ".md")
        known.insert(entry.path().filename());
      else if (std::set<std::string>{".cpp", ".def", ".h", ".json", ".py", ".td"}.count(extension))
        sources.push_back(entry.path());
    }
  for (const auto &entry : fs::directory_iterator(root))
    known.insert(entry.path().filename());
  size_t count = 0;
  for (const fs::path &source : sources)
    for (const std::string &name : documentsIn(textOf(source))) {
      EXPECT_TRUE(known.count(name)) << source << " names " << name;
      ++count;
    }
  EXPECT_GT(count, 50u);
}

TEST(Links, theIndexOfDecisionsNamesEach) {
  std::string index = textOf(root / "docs/adr/README.md");
  for (const auto &entry : fs::directory_iterator(root / "docs/adr")) {
    std::string name = entry.path().filename();
    EXPECT_NE(index.find(name == "README.md" ? "ARCHITECTURE.md" : "(" + name + ")"), index.npos)
        << name;
  }
}

/// The words of a line between backticks.
static std::vector<std::string> quotedIn(const std::string &line) {
  std::vector<std::string> found;
  for (size_t at = line.find('`'); at != line.npos;) {
    size_t end = line.find('`', at + 1);
    if (end == line.npos)
      break;
    found.push_back(line.substr(at + 1, end - at - 1));
    at = line.find('`', end + 1);
  }
  return found;
}

TEST(Links, eachInfluenceHasTests) {
  std::istringstream page(textOf(root / "SECURITY.md"));
  size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| ", 0) != 0 || line.rfind("| influence ", 0) == 0 ||
        line.rfind("| --- ", 0) == 0)
      continue;
    ++rows;
    std::string cell = line.substr(line.rfind('|', line.size() - 2));
    std::vector<std::string> tests = quotedIn(cell);
    EXPECT_FALSE(tests.empty()) << line;
    for (const std::string &test : tests)
      EXPECT_TRUE(fs::exists(root / "tests" / test)) << test;
  }
  EXPECT_GT(rows, 20u);
}
