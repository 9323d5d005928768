// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Pages.h"
#include "driver/report/text/Layout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"

using namespace cudacc;

TEST(Pages, everyCodeHasOneWithItsTitle) {
  for (const core::CodeInfo &row : core::allCodes()) {
    std::string head = "# " + core::str(row.code) + ": " + row.title.str() + "\n";
    EXPECT_THAT(report::page(row.code).str(), testing::StartsWith(head)) << core::str(row.code);
  }
}

TEST(Pages, endInALine) {
  for (const core::CodeInfo &row : core::allCodes()) {
    llvm::StringRef page = report::page(row.code);
    EXPECT_TRUE(page.ends_with("\n") && !page.ends_with("\n\n")) << core::str(row.code);
  }
}

TEST(Pages, fitInTheTerminalAndInTheProgram) {
  size_t total = 0;
  for (const core::CodeInfo &row : core::allCodes()) {
    llvm::StringRef page = report::page(row.code);
    total += page.size();
    for (llvm::StringRef line : llvm::split(page, '\n')) {
      // The first line of an example has up to 77 columns (F22) after its indentation of four.
      EXPECT_LE(report::columns(line), line.starts_with("    ") ? 81u : 80u) << line.str();
      if (line.trim().starts_with("cuda-cc: "))
        EXPECT_LE(report::columns(line), 4 + report::firstLineColumns) << line.str();
      EXPECT_EQ(report::printable(line), line.str());
    }
  }
  EXPECT_LT(total, 122u * 1024);
}

TEST(Pages, noneWithoutACode) {
  std::error_code error;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator it(CUDACC_SOURCE_DIR "/docs/codes", error), end;
       it != end && !error; it.increment(error)) {
    llvm::StringRef name = llvm::sys::path::stem(it->path());
    EXPECT_TRUE(core::parseCode(name)) << it->path();
    EXPECT_EQ(llvm::sys::path::extension(it->path()), ".md");
    ++files;
  }
  EXPECT_EQ(files, core::allCodes().size());
}

/// Text of every source below \p folder that may use a code: all but the .def file and the pages.
static std::string sourcesBelow(llvm::StringRef folder) {
  std::string out;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(CUDACC_SOURCE_DIR "/" + folder, error), end;
       it != end && !error; it.increment(error)) {
    llvm::StringRef extension = llvm::sys::path::extension(it->path());
    if (extension != ".cpp" && extension != ".h")
      continue;
    if (auto buffer = llvm::MemoryBuffer::getFile(it->path()))
      out += (*buffer)->getBuffer();
  }
  return out;
}

TEST(Pages, sayWhichCodesAreNotGivenYet) {
  static constexpr std::pair<core::Code, llvm::StringLiteral> names[] = {
#define CUDACC_CODE(NAME, NUMBER, CLASS, SYMBOLS, TITLE) {core::Code::NAME, "Code::" #NAME},
#include "driver/core/Diagnostic.def"
  };
  std::string text = sourcesBelow("driver") + sourcesBelow("plugins");
  for (const auto &[code, name] : names) {
    bool given = false;
    for (size_t at = text.find(name); at != std::string::npos && !given;
         at = text.find(name, at + 1))
      given = !llvm::isAlnum(text[at + name.size()]);
    bool denied = report::page(code).contains("Not given by this version.");
    EXPECT_FALSE(given && denied) << core::str(code) << " is given, and its page denies it";
  }
}

TEST(Pages, areTheFilesByteForByte) {
  for (const core::CodeInfo &row : core::allCodes()) {
    auto file =
        llvm::MemoryBuffer::getFile(CUDACC_SOURCE_DIR "/docs/codes/" + core::str(row.code) + ".md");
    ASSERT_TRUE(bool(file)) << core::str(row.code);
    EXPECT_EQ((*file)->getBuffer(), report::page(row.code)) << core::str(row.code);
  }
}

TEST(Pages, emptyForANumberThatIsNone) {
  EXPECT_EQ(report::page(core::Code(1)), "");
  EXPECT_EQ(report::page(core::Code(9999)), "");
}
