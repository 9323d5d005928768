// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/Trim.h"
#include "driver/cache/CommandInputs.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::ninja;

namespace {
struct BuildFolders : testing::Test {
  test::MemoryFiles files;
  cache::Store store{{}, files, 0};

  BuildFolders() { files.directory("/tmp", 01777); }
  void folder(const std::string &name, int64_t daysAgo, uint64_t size) {
    files.file("/b/" + name + "/used", std::to_string(size)).file("/b/" + name + "/x", "");
    files.node("/b/" + name + "/used")->mtime =
        cache::currentTime() - daysAgo * 86400 * 1'000'000'000;
  }
  bool exists(const std::string &name) { return files.stat("/b/" + name).exists(); }
};
} // namespace

TEST_F(BuildFolders, unusedOnesAreRemoved) {
  folder("aa", 15, 1);
  folder("bb", 13, 1);
  files.file("/b/cc/kept", "");
  trimBuilds(files, store, "/b");
  EXPECT_FALSE(exists("aa"));
  EXPECT_TRUE(exists("bb"));
  EXPECT_TRUE(exists("cc"));
}

TEST_F(BuildFolders, theLongestUnusedOnesMakeRoom) {
  constexpr uint64_t gibibyte = uint64_t(1) << 30;
  folder("aa", 3, 2 * gibibyte);
  folder("bb", 2, 2 * gibibyte);
  folder("cc", 1, 3 * gibibyte);
  trimBuilds(files, store, "/b");
  EXPECT_FALSE(exists("aa"));
  EXPECT_TRUE(exists("bb"));
  EXPECT_TRUE(exists("cc"));
}

TEST_F(BuildFolders, areLookedAtOnceADayAndAsTheyGrow) {
  trimBuilds(files, store, "/b");
  std::string looked = files.node("/b/trimmed")->content;
  folder("aa", 15, 1);
  trimBuilds(files, store, "/b");
  EXPECT_TRUE(exists("aa"));
  files.file("/b/trimmed", looked + std::string(256, '.'));
  trimBuilds(files, store, "/b");
  EXPECT_FALSE(exists("aa"));
  EXPECT_TRUE(llvm::StringRef(files.node("/b/trimmed")->content).ends_with("\n"));
  folder("aa", 15, 1);
  files.file("/b/trimmed", fmt::format("{}\n", cache::currentTime() - 25 * 3'600'000'000'000));
  trimBuilds(files, store, "/b");
  EXPECT_FALSE(exists("aa"));
}

TEST_F(BuildFolders, noteTheirSizeAndGrowth) {
  files.file("/b/aa/x", std::string(3 << 20, 'x'));
  noteUse(files, "/b/aa");
  EXPECT_EQ(files.node("/b/aa/used")->content, std::to_string(3 << 20));
  EXPECT_EQ(files.node("/b/trimmed")->content, "...");
  noteUse(files, "/b/aa");
  EXPECT_EQ(files.node("/b/trimmed")->content, "...");
}
