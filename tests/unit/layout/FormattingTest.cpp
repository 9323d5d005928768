// SPDX-License-Identifier: Apache-2.0
// fmt formats every text: no source joins three pieces with `+`, or writes out a piece only to join
// it (docs/ARCHITECTURE.md).
#include "Sources.h"
#include <filesystem>
#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// The operands of `+` between two separators, at one depth of brackets.
struct Sum {
  unsigned pluses = 0;
  bool hasText = false, hasStr = false;

  bool isChain() const { return hasText && (pluses > 1 || (pluses == 1 && hasStr)); }
};

/// Reads C++ as far as brackets, separators, `+` and literals go.
class Scanner {
public:
  explicit Scanner(std::string text) : text(std::move(text)) {}

  /// The lines on which chains end.
  std::vector<size_t> chains() {
    while (at < text.size())
      step();
    return lines;
  }

private:
  bool sees(const char *what) const { return text.compare(at, strlen(what), what) == 0; }
  bool isBehind(const std::string &what) const {
    size_t end = text.find_last_not_of(" \n", at - 1) + 1;
    return at && end >= what.size() && text.compare(end - what.size(), what.size(), what) == 0;
  }
  void skipTo(const std::string &end) {
    size_t found = text.find(end, at + 1);
    at = found == std::string::npos ? text.size() : found + end.size();
  }
  void skipLiteral(char quote) {
    while (++at < text.size() && text[at] != quote)
      at += text[at] == '\\';
    ++at;
  }
  void endOperand() { sums.back().hasStr |= isBehind(".str()"); }
  void report() { lines.push_back(1 + std::count(text.begin(), text.begin() + at, '\n')); }
  void endSum() {
    endOperand();
    if (sums.back().isChain())
      report();
    sums.back() = {};
  }

  void step() {
    if (sees("//"))
      return skipTo("\n");
    if (sees("R\"(")) {
      sums.back().hasText = true;
      return skipTo(")\"");
    }
    char c = text[at];
    if (c == '"') {
      sums.back().hasText = true;
      return skipLiteral('"');
    }
    if (c == '\'' && !(at && isdigit(text[at - 1])))
      return skipLiteral('\'');
    if (sees("::") || sees("==") || sees("!=") || sees("+=")) {
      if (c != ':')
        endSum();
      at += 2;
      return;
    }
    if (strchr("([{", c))
      sums.emplace_back();
    else if (strchr(")]}", c))
      close();
    else if (strchr(",;?:=&|", c))
      endSum();
    else if (c == '+' && at && isspace(text[at - 1])) {
      endOperand();
      ++sums.back().pluses;
    }
    ++at;
  }

  /// `("lib" + name).str()` is a Twine that is written out at once.
  void close() {
    Sum inner = sums.back();
    size_t next = at + 1;
    bool isWritten = text.compare(next, 6, ".str()") == 0;
    if (isWritten && inner.hasText && inner.pluses && !inner.isChain())
      report();
    endSum();
    if (sums.size() > 1)
      sums.pop_back();
  }

  std::string text;
  size_t at = 0;
  std::vector<Sum> sums{Sum{}};
  std::vector<size_t> lines;
};

} // namespace

static size_t chainsIn(const std::string &text) { return Scanner(text).chains().size(); }

TEST(Formatting, findsChains) {
  EXPECT_EQ(chainsIn("return \"torch \" + version + \" is old\";"), 1u);
  EXPECT_EQ(chainsIn("text += name + \" of\" +\n    other;"), 1u);
  EXPECT_EQ(chainsIn("add(\"torch==\" + release.str());"), 1u);
  EXPECT_EQ(chainsIn("add(soname.str() + \" is gone\", x);"), 1u);
  EXPECT_EQ(chainsIn("std::string name = (\"lib\" + stem).str();"), 1u);
}

TEST(Formatting, leavesTwoPiecesAndNumbersAlone) {
  for (const char *text :
       {"add(folder + \"/bin\");", "add(\"a\" + b, \"c\" + d);", "size_t end = at + size + 1;",
        "x = c ? \"a\" + b : \"c\" + d;", "add(fmt::format(\"{} + {} + {}\", a, b, c));",
        "// \"a\" + b + \"c\"\n", "add(\"sm\" + arch.str(\"_\"));", "text += \"a\"; text += b;"})
    EXPECT_EQ(chainsIn(text), 0u) << text;
}

/// Files that write records of numbers one by one, in every compile.
static const std::vector<std::string> counted = {
    "driver/cache/EnvironmentCodec.cpp", "driver/pipeline/Declared.cpp",
    "driver/cache/StoreCodec.cpp", "driver/cache/TargetCodec.cpp",
    "driver/plan/toolchain/DirectoryCodec.cpp"};

static bool isIn(const std::string &path, const std::vector<std::string> &places) {
  for (const std::string &place : places)
    if (path.rfind(place, 0) == 0)
      return true;
  return false;
}

TEST(Formatting, sourcesFormatTheirTexts) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      std::string path = entry.path().lexically_relative(root);
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
        continue;
      std::string text = textOf(entry.path());
      for (size_t line : Scanner(text).chains())
        ADD_FAILURE() << path << ":" << line << " chains pieces: fmt::format";
      if (!isIn(path, counted)) {
        EXPECT_EQ(text.find("std::to_string("), std::string::npos) << path;
      }
    }
}
