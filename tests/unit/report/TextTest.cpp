// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Text.h"
#include "llvm/ADT/SmallVector.h"
#include "gmock/gmock.h"

using namespace cudacc;
using core::Code;
using core::Finding;
using core::Severity;

namespace {

Finding example() {
  Finding finding;
  finding.code = Code::TargetNewer;
  finding.message = "toolkit CUDA 12.5 is newer than runtime CUDA 12.4";
  finding.facts = {
      {"toolkit", "nvcc 12.5.82 at /opt/cuda-12.5/bin/nvcc (first on PATH)"},
      {"runtime", "torch==2.5.1 in pyproject.toml:14, which pins nvidia-nvjitlink-cu12 12.4.127"}};
  finding.fixes = {"use a CUDA toolkit <= 12.4 (found: /opt/cuda-12.4)",
                   "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)",
                   "set enforce = \"symbols\" to check the symbols actually used"};
  return finding;
}

Finding withMessage(std::string message, Severity severity = Severity::Error) {
  Finding finding;
  finding.code = Code::UnreadableFile;
  finding.severity = severity;
  finding.message = std::move(message);
  return finding;
}

unsigned widestLine(llvm::StringRef text) {
  unsigned widest = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    widest = std::max(widest, report::columns(line));
  return widest;
}

llvm::StringRef firstLine(llvm::StringRef text) { return text.split('\n').first; }

} // namespace

// MS-2
TEST(Text, isTheExampleOfTheContract) {
  EXPECT_EQ(report::text(example()),
            "cuda-cc: error: toolkit CUDA 12.5 is newer than runtime CUDA 12.4 [CC3001]\n"
            "  toolkit: nvcc 12.5.82 at /opt/cuda-12.5/bin/nvcc (first on PATH)\n"
            "  runtime: torch==2.5.1 in pyproject.toml:14, which pins nvidia-nvjitlink-cu12 "
            "12.4.127\n"
            "  fix: use a CUDA toolkit <= 12.4 (found: /opt/cuda-12.4), or\n"
            "  fix: raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6), or\n"
            "  fix: set enforce = \"symbols\" to check the symbols actually used\n");
}

TEST(Text, severitiesFollowEachOtherWithoutBlankLine) {
  std::vector<Finding> findings = {withMessage("one"), withMessage("two", Severity::Warning),
                                   withMessage("three", Severity::Remark)};
  EXPECT_EQ(report::text(findings), "cuda-cc: error: one [CC2005]\n"
                                    "cuda-cc: warning: two [CC2005]\n"
                                    "cuda-cc: remark: three [CC2005]\n");
}

TEST(Text, nothingForNoFinding) { EXPECT_EQ(report::text(llvm::ArrayRef<Finding>()), ""); }

TEST(Text, factsAreAligned) {
  Finding finding = withMessage("m");
  finding.facts = {{"nvcc", "13.0.88"}, {"cudart headers", "13.5.37"}, {"", "bare"}};
  EXPECT_EQ(report::text(finding), "cuda-cc: error: m [CC2005]\n"
                                   "  nvcc:           13.0.88\n"
                                   "  cudart headers: 13.5.37\n"
                                   "                  bare\n");
}

TEST(Text, overlongLabelDoesNotPushTheOthers) {
  Finding finding = withMessage("m");
  finding.facts = {{"a", "1"}, {"libsomething_with_a_long_name.so.12", "2"}};
  EXPECT_EQ(report::text(finding), "cuda-cc: error: m [CC2005]\n"
                                   "  a: 1\n"
                                   "  libsomething_with_a_long_name.so.12: 2\n");
}

// R2, F22: CMake wraps at 77 columns; the code is in the first line.
TEST(Text, firstLineIsCutAt77) { // R2
  Finding finding = withMessage("the range torch>=2.4,<3 of the declared runtime spans the CUDA "
                                "majors 12 and 13, split at torch 2.9.0");
  EXPECT_EQ(report::text(finding),
            "cuda-cc: error: the range torch>=2.4,<3 of the declared runtime ... [CC2005]\n"
            "  spans the CUDA majors 12 and 13, split at torch 2.9.0\n");
}

TEST(Text, everyLengthKeepsTheFirstLine) { // R2
  for (unsigned length = 1; length < 120; ++length) {
    std::string message;
    while (message.size() < length)
      message += message.size() % 6 == 5 ? ' ' : 'w';
    if (message.back() == ' ')
      message.back() = 'w';
    for (Severity severity : {Severity::Error, Severity::Warning, Severity::Remark}) {
      std::string text = report::text(withMessage(message, severity));
      llvm::StringRef line = firstLine(text);
      EXPECT_LE(report::columns(line), 77u);
      EXPECT_TRUE(line.ends_with(" [CC2005]"));
      EXPECT_EQ(line.contains(" ..."), llvm::StringRef(text).count('\n') == 2);
    }
  }
}

TEST(Text, exactly77IsNotCut) {
  std::string message = "cannot read " + std::string(40, 'x');
  std::string text = report::text(withMessage(message));
  EXPECT_EQ(firstLine(text).size(), 77u);
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 1u);
}

TEST(Text, longPathStaysWhole) {
  std::string path = "/" + std::string(150, 'p');
  EXPECT_EQ(report::text(withMessage("cannot read " + path)),
            "cuda-cc: error: cannot read ... [CC2005]\n  " + path + "\n");
  EXPECT_EQ(report::text(withMessage(path + " is a directory")),
            "cuda-cc: error: [CC2005]\n  " + path + "\n  is a directory\n");
}

// F22.
TEST(Text, factsAndFixesWrapAt100BelowThemselves) {
  Finding finding = withMessage("m");
  std::string words;
  for (int i = 0; i < 38; ++i)
    words += (i ? " word" : "word") + std::to_string(i);
  finding.facts = {{"label", words}};
  finding.fixes = {words, "other"};
  std::string text = report::text(finding);
  EXPECT_LE(widestLine(text), 100u);
  EXPECT_GT(widestLine(text), 90u);
  EXPECT_THAT(text, testing::HasSubstr("\n         word"));
  EXPECT_THAT(text, testing::HasSubstr("\n       word"));
  EXPECT_THAT(text, testing::HasSubstr("word37, or\n  fix: other\n"));
}

TEST(Text, emptyMessageIsTheTitleAndEmptyFactUnknown) {
  Finding finding = withMessage("");
  finding.facts = {{"version", ""}};
  EXPECT_EQ(report::text(finding), "cuda-cc: error: a file cannot be read [CC2005]\n"
                                   "  version: unknown\n");
}

TEST(Text, colourOnlyWhenAsked) {
  Finding finding = withMessage("m");
  finding.facts = {{"a", "b"}};
  finding.fixes = {"f"};
  EXPECT_EQ(report::text(finding, {true}),
            "cuda-cc: \033[1;31merror:\033[0m m \033[2m[CC2005]\033[0m\n"
            "  a: b\n"
            "  \033[32mfix:\033[0m f\n");
  finding.severity = Severity::Warning;
  EXPECT_THAT(report::text(finding, {true}), testing::HasSubstr("\033[35mwarning:\033[0m m"));
  finding.severity = Severity::Remark;
  EXPECT_THAT(report::text(finding, {true}), testing::HasSubstr("\033[34mremark:\033[0m m"));
  EXPECT_THAT(report::text(finding), testing::Not(testing::HasSubstr("\033")));
}

TEST(Text, colourDoesNotMoveTheCut) {
  Finding finding = withMessage(std::string(30, 'a') + " " + std::string(30, 'b'));
  std::string plain = report::text(finding), coloured = report::text(finding, {true});
  for (llvm::StringRef sequence : {"\033[1;31m", "\033[2m", "\033[0m"})
    for (size_t at; (at = coloured.find(sequence)) != std::string::npos;)
      coloured.erase(at, sequence.size());
  EXPECT_EQ(coloured, plain);
}

// FB-30: hostile names from files.
TEST(Text, hostileStringsAreEscaped) {
  Finding finding = withMessage("bad \033[31m name\n[CC9999]");
  finding.facts = {{"la\rbel", std::string("nul\0byte\x7f", 9)}, {"raw", "\xff\xc3("}};
  finding.fixes = {"bidi \xe2\x80\xae end"};
  EXPECT_EQ(report::text(finding), "cuda-cc: error: bad \\x1b[31m name\\n[CC9999] [CC2005]\n"
                                   "  la\\rbel: nul\\x00byte\\x7f\n"
                                   "  raw:     \\xff\\xc3(\n"
                                   "  fix: bidi \\u{202e} end\n");
}

TEST(Printable, keepsUnicodeAndCountsItsColumns) {
  EXPECT_EQ(report::printable("/tmp/ä ö/日本"), "/tmp/ä ö/日本");
  EXPECT_EQ(report::columns("日本"), 4u);
  EXPECT_EQ(report::printable("\t\xc2\x85\xed\xa0\x80"), "\\t\\u{85}\\xed\\xa0\\x80");
  EXPECT_EQ(report::printable(""), "");
}

// GitHub reads them at the beginning of a line, behind blanks, where wrapping may put a word.
TEST(Printable, commandsOfACiAreEscaped) {
  EXPECT_EQ(report::printable("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(report::printable("libx ::set-output name=a::b"), "libx \\x3a:set-output name=a::b");
  EXPECT_EQ(report::printable("a##[error]b##vso[task]"), "a\\x23#[error]b\\x23#vso[task]");
  EXPECT_EQ(report::printable("##teamcity[x]"), "\\x23#teamcity[x]");
  // Of which GitHub looks past any blanks at the beginning of a line.
  EXPECT_EQ(report::printable("\u00a0::error::x \u3000::error::x"),
            "\u00a0\\x3a:error::x \u3000\\x3a:error::x");
  EXPECT_EQ(report::printable("at::Tensor c10::##x :: 1"), "at::Tensor c10::##x :: 1");
}

TEST(PrintableLines, keepLinesAndTabs) {
  EXPECT_EQ(report::printableLines("a\tb\n::error::\033[1m"), "a\tb\n\\x3a:error::\\x1b[1m\n");
  EXPECT_EQ(report::printableLines("a\n\nb\n"), "a\n\nb\n");
  EXPECT_EQ(report::printableLines(""), "");
  EXPECT_EQ(report::printableLines(std::string(1 << 20, 'a')).size(), (1u << 20) + 1);
}

TEST(Printable, endlessTextIsCut) {
  std::string text = report::printable(std::string(1 << 20, 'a'));
  EXPECT_EQ(text, std::string(4096, 'a') + "... (1044480 more bytes)");
}

TEST(Wrapped, keepsBlanksInsidePaths) {
  EXPECT_EQ(report::wrapped("/a  b", 0, 2), "/a  b");
  EXPECT_EQ(report::wrapped("", 0, 2), "");
  EXPECT_EQ(report::wrapped("aaa bbb ccc", 0, 2, 7), "aaa bbb\n  ccc");
}

TEST(Table, aLastCellIsNotSqueezed) {
  std::string wide(60, 'w');
  std::vector<std::vector<std::string>> rows = {
      {"a", "x", "short"},
      {"b", wide, "the runtime has no libcudart.so.13 at all"},
      {"c", "y", "last"}};
  std::string text = report::table(rows, 2, 80);
  EXPECT_THAT(text, testing::HasSubstr("\n  b  " + wide +
                                       "\n      the runtime has no libcudart.so.13 at all\n"));
  // What takes two lines wraps where it stands.
  rows[1][2] = "by the major";
  EXPECT_THAT(report::table(rows, 2, 80), testing::HasSubstr(wide + "  by the major\n"));
}
// A command is copied as it is printed.
TEST(Text, commandsAreNeitherWrappedNorFollowedByWords) {
  std::string command = "/home/somebody/work/project/.venv/bin/python -m pip install "
                        "--force-reinstall --no-deps nvidia-cublas-cu12==12.9.2.10";
  core::Finding finding;
  finding.fixes = {command, "to keep CUDA 12.9: " + command, "say --no-deps, which " + command};
  std::string said = report::text({finding});
  EXPECT_THAT(said, testing::HasSubstr("  fix: " + command + "\n"));
  EXPECT_THAT(said, testing::HasSubstr("  fix: to keep CUDA 12.9:\n       " + command + "\n"));
  finding.fixes = {"pip install uv", "install uv"};
  EXPECT_THAT(report::text({finding}), testing::EndsWith("  fix: pip install uv\n"
                                                         "  fix: install uv\n"));
}
