#include "driver/report/Help.h"
#include "driver/report/Layout.h"
#include "llvm/ADT/SmallVector.h"
#include "gmock/gmock.h"

using namespace cudacc;

TEST(Help, fitsIn80Columns) {
  llvm::SmallVector<llvm::StringRef> lines;
  report::help().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    EXPECT_LE(report::columns(line), 80u) << line.str();
    EXPECT_EQ(line, line.rtrim());
  }
  EXPECT_TRUE(report::help().ends_with("\n"));
}

TEST(Help, pagesFitAndBeginWithTheirSubcommandAndAnExample) {
  for (const report::HelpPage &page : report::helpPages()) {
    llvm::SmallVector<llvm::StringRef> lines;
    page.text.split(lines, '\n');
    std::string name = ("cuda-cc " + page.name).str();
    EXPECT_TRUE(lines.front().starts_with(name + ": ")) << lines.front().str();
    ASSERT_GT(lines.size(), 3u);
    EXPECT_THAT(page.text.str(), testing::HasSubstr("\n  " + name)) << "no example";
    EXPECT_THAT(page.text.str(), testing::HasSubstr("exit status"));
    for (llvm::StringRef line : lines) {
      EXPECT_LE(report::columns(line), 100u) << line.str();
      EXPECT_EQ(line, line.rtrim());
    }
    EXPECT_TRUE(page.text.ends_with("\n"));
    EXPECT_EQ(report::help(page.name), page.text);
  }
  EXPECT_EQ(report::help("chekc"), "");
}

// F19 and the subcommands of this version.
TEST(Help, F19namesWhatThereIs) {
  for (const char *name : {"CUDA_CC_RUNTIME",
                           "CUDA_CC_REQUIRE_RUNTIME",
                           "CUDA_CC_PRINT",
                           "CUDA_CC_LOG",
                           "CUDA_CC_DISABLE",
                           "--cudacc-help",
                           "--cudacc-print=",
                           "--cudacc-runtime=",
                           "version",
                           "inspect",
                           "check",
                           "--against",
                           "--gpu",
                           "--driver",
                           "--strict",
                           "target",
                           "--diff",
                           "config",
                           "--cflags",
                           "init",
                           "--dry-run",
                           "toolchain",
                           "explain",
                           "audit",
                           "--prepare",
                           "trace",
                           "--module",
                           "--output",
                           "doctor",
                           "--before",
                           "trust",
                           "--list",
                           "--remove",
                           "CUDA_CC_TRUST",
                           "--env"})
    EXPECT_THAT(report::help().str(), testing::HasSubstr(name));
}
