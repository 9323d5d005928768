// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Watched.h"
#include "tests/support/FakeSystem.h"

using namespace cudacc;
using namespace cudacc::pipeline;
using testing::HasSubstr;

namespace {

uint64_t now;

struct ProgressTest : testing::Test {
  test::FakeSystem fake;
  ProgressTest() {
    now = 1000;
    fake.system.clock = [] { return now; };
    fake.console.isTerminal = true;
  }
  /// What was printed on stderr since the last call.
  std::string shown() { return std::exchange(fake.console.complained, ""); }
};

TEST_F(ProgressTest, showsWhatTakesHalfASecond) {
  Progress progress(fake.console, fake.system.clock);
  progress.begin("reading", 1, 12, "a.so");
  now += 499;
  progress.begin("reading", 2, 12, "b.so");
  EXPECT_EQ(shown(), "");
  now += 1;
  progress.begin("reading", 3, 12, "c.so");
  EXPECT_EQ(shown(), "\r\033[Kreading 3 of 12: c.so");
  // Not more often than anybody can read.
  now += 99;
  progress.begin("reading", 4, 12, "d.so");
  EXPECT_EQ(shown(), "");
  now += 1;
  progress.goOn("whatever");
  EXPECT_EQ(shown(), "\r\033[Kreading 4 of 12: d.so");
}

TEST_F(ProgressTest, removesWhatItShowed) {
  {
    Progress progress(fake.console, fake.system.clock);
    progress.clear();
    EXPECT_EQ(shown(), "");
    now += 500;
    progress.goOn("site-packages");
    EXPECT_EQ(shown(), "\r\033[Kreading: site-packages");
    progress.clear();
    progress.clear();
    EXPECT_EQ(shown(), "\r\033[K");
    now += 100;
    progress.goOn("site-packages");
    shown();
  }
  EXPECT_EQ(shown(), "\r\033[K");
}

TEST_F(ProgressTest, staysOnOneLine) {
  Progress progress(fake.console, fake.system.clock);
  now += 500;
  progress.begin("reading", 1, 2, std::string(200, 'x') + "/pkg/ext.so");
  std::string line = shown();
  EXPECT_EQ(line.size(), llvm::StringRef("\r\033[K").size() + 79);
  EXPECT_THAT(line, testing::AllOf(HasSubstr("of 2: ...x"), testing::EndsWith("/pkg/ext.so")));
  now += 100;
  progress.begin("reading", 2, 2, "a\nb\033[2J.so");
  EXPECT_EQ(shown(), "\r\033[Kreading 2 of 2: a?b?[2J.so");
  // A character is not split.
  now += 100;
  std::string umlauts;
  for (int i = 0; i != 60; ++i)
    umlauts += "ü";
  progress.begin("reading", 2, 2, umlauts);
  EXPECT_THAT(shown(), HasSubstr("...ü"));
}

/// Reading it takes time.
struct SlowFiles : test::MemoryFiles {
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit) override {
    now += 300;
    return MemoryFiles::read(path, limit);
  }
};

TEST_F(ProgressTest, isKeptAliveByReadsAndRemovedBeforeOutput) {
  SlowFiles slow;
  slow.file("/a").file("/b");
  System system = fake.system.above(slow);
  Watched watched(system);
  EXPECT_EQ(watched.system.progress, &watched.progress);
  llvm::cantFail(watched.system.files.read("/a"));
  EXPECT_EQ(shown(), "");
  llvm::cantFail(watched.system.files.read("/b"));
  EXPECT_EQ(shown(), "\r\033[Kreading: /b");
  watched.system.console.err("warning\n");
  EXPECT_EQ(shown(), "\r\033[Kwarning\n");
  now += 300;
  llvm::cantFail(watched.system.files.read("/b"));
  EXPECT_EQ(shown(), "\r\033[Kreading: /b");
  watched.system.console.out("result\n");
  EXPECT_EQ(shown(), "\r\033[K");
  EXPECT_EQ(fake.console.said, "result\n");
}

TEST_F(ProgressTest, isKeptAliveByAnOpenFile) {
  fake.files.file("/a", "text");
  Watched watched(fake.system);
  auto file = llvm::cantFail(watched.system.files.open("/a"));
  char buffer[4];
  EXPECT_EQ(llvm::cantFail(file->readAt(0, buffer)), 4u);
  EXPECT_EQ(file->size(), 4u);
  EXPECT_EQ(shown(), "");
  now += 500;
  llvm::cantFail(file->readAt(0, buffer));
  EXPECT_EQ(shown(), "\r\033[Kreading: /a");
}

TEST_F(ProgressTest, isForATerminalThatCanRewriteALine) {
  auto watched = [&](bool isTerminal, std::vector<llvm::StringRef> variables) {
    fake.console.isTerminal = isTerminal;
    fake.system.environment.entries = std::move(variables);
    return isWatched(fake.system);
  };
  EXPECT_TRUE(watched(true, {"TERM=xterm"}));
  EXPECT_TRUE(watched(true, {"CI="}));
  EXPECT_FALSE(watched(false, {"TERM=xterm"}));
  EXPECT_FALSE(watched(true, {"TERM=dumb"}));
  EXPECT_FALSE(watched(true, {"CI=true"}));
}

} // namespace
