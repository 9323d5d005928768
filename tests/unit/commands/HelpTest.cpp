// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/help/Help.h"
#include "driver/cli/OwnOptions.h"
#include "driver/commands/Subcommands.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"

using namespace cudacc;

TEST(Help, fitsIn80Columns) {
  llvm::SmallVector<llvm::StringRef> lines;
  std::string help = commands::help();
  llvm::StringRef(help).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    EXPECT_LE(report::columns(line), 80u) << line.str();
    EXPECT_EQ(line, line.rtrim());
  }
  EXPECT_TRUE(help.ends_with("\n"));
}

TEST(Help, pagesFitAndBeginWithTheirSubcommandAndAnExample) {
  for (const commands::Subcommand &row : commands::subcommands()) {
    llvm::StringRef page = commands::helpPage(row.name);
    llvm::SmallVector<llvm::StringRef> lines;
    page.split(lines, '\n');
    std::string name = ("cuda-cc " + row.name).str();
    EXPECT_TRUE(lines.front().starts_with(name + ": ")) << lines.front().str();
    ASSERT_GT(lines.size(), 3u);
    EXPECT_THAT(page.str(), testing::HasSubstr("\n  " + name)) << "no example";
    EXPECT_THAT(page.str(), testing::HasSubstr("exit status"));
    for (llvm::StringRef line : lines) {
      EXPECT_LE(report::columns(line), 100u) << line.str();
      EXPECT_EQ(line, line.rtrim());
    }
    EXPECT_TRUE(page.ends_with("\n"));
  }
  EXPECT_EQ(commands::helpPage("chekc"), "");
}

TEST(Help, namesVariablesAndOptions) { // F19
  for (const char *name : {"CUDA_CC_RUNTIME", "CUDA_CC_REQUIRE_RUNTIME", "CUDA_CC_PRINT",
                           "CUDA_CC_LOG", "CUDA_CC_DISABLE", "CUDA_CC_TRUST", "--cudacc-help",
                           "--cudacc-print=", "--cudacc-runtime="})
    EXPECT_THAT(commands::help(), testing::HasSubstr(name));
}

TEST(Help, hasALineForEachSubcommand) {
  for (const commands::Subcommand &row : commands::subcommands()) {
    EXPECT_THAT(commands::help(), testing::HasSubstr(fmt::format("\n  {} ", row.name)));
    EXPECT_FALSE(commands::titleOf(row.name).empty()) << row.name.str();
  }
}

TEST(Help, namesEveryOptionThatACallTakes) {
  for (const std::string &name : cli::ownOptionNames())
    EXPECT_THAT(commands::help(), testing::HasSubstr(name));
}

// The table of docs/settings.md has the rows of settings.def.
TEST(Help, thePageOfSettingsHasEachOfThem) {
  auto page = llvm::MemoryBuffer::getFile(CUDACC_SETTINGS_PAGE);
  ASSERT_TRUE(page);
  std::string table =
      "| key | values; the first is the default | variable |\n| --- | --- | --- |\n";
#define SETTING(Id, Field, Name, Form, Option, Variable, Placeholder, Allowed, Fallback, Words,    \
                Scope, Shown, Restricting, Help, Values)                                           \
  table += std::string("| `") + Name + "` | " + Values + " | " +                                   \
           (*Variable ? "`" Variable "` " : "") + "|\n";
#include "driver/config/settings.def"
  EXPECT_THAT((*page)->getBuffer().str(), testing::HasSubstr("\n" + table + "\n"));
}

static std::string withoutMarks(llvm::StringRef cell) {
  std::string text = cell.str();
  llvm::erase_if(text, [](char c) { return c == '`' || c == '"'; });
  return text;
}

// The table of docs/trust.md says of each key which values apply from anybody.
TEST(Help, thePageOfTrustDecidesEachSetting) {
  auto page = llvm::MemoryBuffer::getFile(CUDACC_TRUST_PAGE);
  ASSERT_TRUE(page);
  for (const core::KeyInfo &row : core::allKeys()) {
    auto lines = llvm::split((*page)->getBuffer(), '\n');
    auto line = llvm::find_if(lines, [&](llvm::StringRef each) {
      return each.starts_with("|") &&
             each.split(" |").first.contains(fmt::format("`{}`", row.name));
    });
    ASSERT_NE(line, lines.end()) << row.name.str();
    llvm::StringRef applies = (*line).split(" |").second.split('|').first.trim();
    if (row.restricting == "true false")
      EXPECT_EQ(applies, "both values") << row.name.str();
    else if (row.key != core::Key::Runtime && row.key != core::Key::Severity)
      EXPECT_EQ(llvm::join(llvm::split(withoutMarks(applies), ", "), " "), row.restricting)
          << row.name.str();
  }
}

// The page about the PEP 517 backend has the keys that only that reads.
TEST(Help, thePageAboutTheBackendKnowsItsKeys) {
  auto page = llvm::MemoryBuffer::getFile(CUDACC_BACKEND_PAGE);
  ASSERT_TRUE(page);
#define BACKEND_KEY(Name, Type, Allowed, Values)                                                   \
  EXPECT_THAT((*page)->getBuffer().str(), testing::HasSubstr("\n| `" Name "` | " Values " |\n"));
#include "driver/config/settings.def"
}
