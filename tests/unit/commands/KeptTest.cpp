// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Kept.h"
#include <gtest/gtest.h>

using namespace cudacc;
using commands::lostOf;

static core::BinaryFacts file(std::vector<std::string> needed, std::vector<std::string> runpath) {
  core::BinaryFacts facts;
  facts.path = "x/sub/ext.so";
  facts.needed = std::move(needed);
  facts.runpath = std::move(runpath);
  facts.hasRunpath = !facts.runpath.empty();
  return facts;
}

// WR-3
TEST(Kept, entriesMayBeAddedAndBecomeAnRpath) {
  core::BinaryFacts before = file({}, {"$ORIGIN/../../nvidia/cublas/lib", "$ORIGIN/lib"});
  EXPECT_EQ(lostOf(before, before, {}), "");
  core::BinaryFacts after = file({}, {});
  after.hasRpath = true;
  after.rpath = {"$ORIGIN/../../nvidia/cublas/lib", "$ORIGIN/lib", "$ORIGIN/../../x.libs"};
  EXPECT_EQ(lostOf(before, after, {}), "");
}

TEST(Kept, anEntryThatIsGoneOrHasMovedIsLost) {
  core::BinaryFacts before = file({}, {"$ORIGIN/../../nvidia/cublas/lib", "$ORIGIN/lib"});
  EXPECT_EQ(lostOf(before, file({}, {"$ORIGIN/lib"}), {}),
            "the search path entry $ORIGIN/../../nvidia/cublas/lib");
  EXPECT_EQ(lostOf(before, file({}, {}), {}),
            "the search path entry $ORIGIN/../../nvidia/cublas/lib");
  EXPECT_EQ(lostOf(before, file({}, {"$ORIGIN/lib", "$ORIGIN/../../nvidia/cublas/lib"}), {}),
            "the search path entry $ORIGIN/lib");
}

TEST(Kept, placesOfTheMachineMayGo) {
  core::BinaryFacts before = file({}, {"/usr/local/cuda/lib64", "$ORIGIN/../../../lib", "lib",
                                       "$ORIGINAL/lib", "$ORIGIN/lib", "$ORIGIN/lib"});
  EXPECT_EQ(lostOf(before, file({}, {"$ORIGIN/lib"}), {}), "");
}

TEST(Kept, neededNamesOfTheRuntimeStay) {
  core::BinaryFacts before = file({"libcublas.so.12", "libother.so.1", "libc.so.6"}, {});
  llvm::StringSet<> grafted;
  grafted.insert("libother-96c42e41.so.1");
  EXPECT_EQ(
      lostOf(before, file({"libcublas.so.12", "libother-96c42e41.so.1", "libc.so.6"}, {}), grafted),
      "");
  EXPECT_EQ(
      lostOf(before, file({"libcublas-96c42e41.so.12", "libother.so.1", "libc.so.6"}, {}), grafted),
      "NEEDED libcublas.so.12");
  EXPECT_EQ(lostOf(before, file({"libcublas.so.12", "libc.so.6"}, {}), grafted),
            "NEEDED libother.so.1");
  EXPECT_EQ(lostOf(file({"libpython3.11.so.1.0"}, {}), file({}, {}), {}), "");
}

TEST(Kept, theManifestStays) {
  core::BinaryFacts before = file({}, {});
  before.manifest.links.emplace_back().targetSpec = "cuda==12.4";
  EXPECT_EQ(lostOf(before, before, {}), "");
  EXPECT_EQ(lostOf(before, file({}, {}), {}), "the manifest");
}
