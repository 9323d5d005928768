// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/StepRecord.h"
#include "driver/pipeline/BuildTrim.h"
#include "driver/pipeline/StepInputs.h"
#include "tests/support/FakeSystem.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::pipeline;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Records what a command looked at, and compares later. Files of the test are from the epoch.
struct Recorded : testing::Test {
  test::FakeSystem fake;
  test::MemoryFiles &files = fake.files;
  core::Accesses accesses{true, {}};
  bool expandsTime = false;

  void looked(const std::string &path, bool isListed = false, bool isStarted = false) {
    accesses.files.push_back({path, false, isListed, isStarted});
  }
  std::optional<CommandInputs> record() {
    CurrentFiles current(fake.system);
    return inputsOf(fake.system, accesses, "/store/folder", currentTime(), expandsTime,
                    current.allVariables());
  }
  /// Whether what \p change does matters.
  bool staysAfter(const std::function<void()> &change) {
    StepRecord left{"key", "1", record().value(), {}, {}, "", ""};
    change();
    auto read = readRecord(recordText(left));
    return read && CurrentFiles(fake.system).areUnchanged(read->inputs);
  }
  test::MemoryFiles::Node &node(llvm::StringRef path) { return *files.node(path); }
};

} // namespace

TEST_F(Recorded, comparesContent) {
  files.file("/p/a.h", "one");
  looked("/p/a.h");
  EXPECT_TRUE(staysAfter([] {}));
  EXPECT_TRUE(staysAfter([&] { files.touch("/p/a.h"); }));
  EXPECT_TRUE(staysAfter([&] { files.file("/p/a.h", "one"); }));
  EXPECT_FALSE(staysAfter([&] { files.file("/p/a.h", "two"); }));
  EXPECT_FALSE(staysAfter([&] { files.remove("/p/a.h"); }));
}

// cicc writes times of sources into line information.
TEST_F(Recorded, comparesTimesThatWereRead) {
  files.file("/p/a.cu", "one");
  accesses.files.push_back({"/p/a.cu", /*hasTimesRead=*/true, false, false});
  EXPECT_TRUE(staysAfter([] {}));
  EXPECT_FALSE(staysAfter([&] { files.touch("/p/a.cu"); }));
}

// cp -p, tar x and rsync -t keep the time of the content; only that of the inode differs.
TEST_F(Recorded, comparesWhatKeepsItsTime) {
  files.file("/p/a.h", "one");
  looked("/p/a.h");
  EXPECT_FALSE(staysAfter([&] {
    node("/p/a.h").content = "two";
    node("/p/a.h").ctime = 7;
  }));
}

TEST_F(Recorded, doesNotKnowWhatIsAsNewAsTheCommand) {
  files.file("/p/a.h", "one");
  looked("/p/a.h");
  node("/p/a.h").ctime = currentTime() + 1;
  EXPECT_FALSE(record());
}

// The file system keeps whole seconds: a change in the second of the record is not seen in them.
TEST_F(Recorded, readsWhatMayHaveChangedWithoutATrace) {
  constexpr int64_t second = 1'000'000'000;
  files.file("/p/a.h", "one");
  looked("/p/a.h");
  CommandInputs inputs = record().value();
  node("/p/a.h").ctime = inputs.files[0].id.ctime = inputs.taken / second * second;
  EXPECT_TRUE(CurrentFiles(fake.system).areUnchanged(inputs));
  node("/p/a.h").content = "two";
  EXPECT_FALSE(CurrentFiles(fake.system).areUnchanged(inputs));
}

TEST_F(Recorded, seesWhatAppears) {
  files.directory("/p");
  looked("/p/a.h");
  EXPECT_TRUE(staysAfter([&] { files.file("/p/b.h", ""); }));
  EXPECT_FALSE(staysAfter([&] { files.file("/p/a.h", ""); }));
}

TEST_F(Recorded, seesALinkThatLeadsToAnEqualFile) {
  files.file("/p/one/a.h", "same").file("/p/two/a.h", "same").symlink("/p/now", "one");
  looked("/p/now/a.h");
  EXPECT_FALSE(staysAfter([&] {
    files.remove("/p/now");
    files.symlink("/p/now", "two");
  }));
}

TEST_F(Recorded, comparesEntriesOnlyOfListedFolders) {
  files.directory("/p/read").directory("/p/listed").directory("/tmp");
  looked("/p/read");
  looked("/p/listed", /*isListed=*/true);
  looked("/tmp", /*isListed=*/true);
  EXPECT_TRUE(staysAfter([&] {
    files.touch("/p/read");
    files.touch("/tmp");
  }));
  EXPECT_FALSE(staysAfter([&] { files.touch("/p/listed"); }));
  EXPECT_FALSE(staysAfter([&] { node("/p/read").inode = 99; }));
}

TEST_F(Recorded, comparesTheIdentityOfPrograms) {
  files.file("/usr/bin/g++-12", "\177ELF");
  looked("/usr/bin/g++-12", false, /*isStarted=*/true);
  EXPECT_TRUE(record()->variables.empty());
  EXPECT_TRUE(staysAfter([] {}));
  EXPECT_FALSE(staysAfter([&] { files.file("/usr/bin/g++-12", "\177ELF"); }));
}

TEST_F(Recorded, countsAllVariablesForScriptsAndUnknownPrograms) {
  files.file("/p/g++", "#!/bin/sh\n").file("/p/icpx", "\177ELF");
  for (const char *program : {"/p/g++", "/p/icpx"}) {
    accesses.files.clear();
    looked(program, false, true);
    fake.system.environment.entries = {"A=1", "SHLVL=1"};
    EXPECT_TRUE(staysAfter([&] { fake.system.environment.entries = {"A=1", "SHLVL=2"}; }));
    EXPECT_FALSE(staysAfter([&] { fake.system.environment.entries = {"A=2", "SHLVL=1"}; }));
  }
}

TEST_F(Recorded, leavesOutTheBuildFolder) {
  files.file("/store/folder/x.ii", "");
  looked("/store/folder/x.ii");
  EXPECT_THAT(record()->files, IsEmpty());
}

TEST_F(Recorded, knowsNothingWhereNotAllIsKnown) {
  accesses.areAll = false;
  EXPECT_FALSE(record());
}

TEST_F(Recorded, doesNotKnowTheTime) {
  for (const char *macro : {"__TIME__", "__DATE__", "__TIMESTAMP__"}) {
    files.file("/p/a.h", macro).file("/usr/bin/cc1plus", std::string("\177ELF") + macro);
    accesses.files.clear();
    looked("/usr/bin/cc1plus");
    expandsTime = true;
    EXPECT_TRUE(record()) << macro;
    looked("/p/a.h");
    EXPECT_FALSE(record()) << macro;
    expandsTime = false;
    EXPECT_TRUE(record()) << macro;
  }
}

TEST_F(Recorded, isReadAsItWasWritten) {
  files.file("/p/a.h", "one").directory("/p/d").other("/p/device");
  for (const char *path : {"/p/a.h", "/p/d", "/p/device", "/p/absent\t1"})
    looked(path);
  StepRecord record{"key",   "5",    this->record().value(), {{"a", "b"}}, {{"c", "d"}},
                    "out\n", "err\n"};
  auto read = readRecord(recordText(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->key, "key");
  EXPECT_EQ(read->generation, "5");
  EXPECT_EQ(read->read, record.read);
  EXPECT_EQ(read->made, record.made);
  EXPECT_EQ(read->out, "out\n");
  EXPECT_EQ(read->err, "err\n");
  EXPECT_THAT(read->inputs.absent, ElementsAre("/p/absent\t1"));
  ASSERT_EQ(read->inputs.files.size(), 3u);
  EXPECT_EQ(read->inputs.files[0].id, record.inputs.files[0].id);
  EXPECT_EQ(read->inputs.files[2].kind, CommandInputs::Kind::Other);
  EXPECT_FALSE(readRecord(recordText(record).substr(0, 100)));
}

namespace {
struct BuildFolders : Recorded {
  cache::Store store{fake.system.environment, fake.files, 0};

  BuildFolders() { files.directory("/tmp", 01777); }
  void folder(const std::string &name, int64_t daysAgo, uint64_t size) {
    files.file("/b/" + name + "/used", std::to_string(size)).file("/b/" + name + "/x", "");
    node("/b/" + name + "/used").mtime = currentTime() - daysAgo * 86400 * 1'000'000'000;
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
  node("/b/trimmed").mtime = currentTime();
  folder("aa", 15, 1);
  trimBuilds(files, store, "/b");
  EXPECT_TRUE(exists("aa"));
  files.file("/b/grown", std::string(256, '.'));
  trimBuilds(files, store, "/b");
  EXPECT_FALSE(exists("aa"));
  EXPECT_FALSE(files.stat("/b/grown").exists());
}

TEST_F(BuildFolders, noteTheirSizeAndGrowth) {
  files.file("/b/aa/x", std::string(3 << 20, 'x'));
  noteUse(files, "/b/aa");
  EXPECT_EQ(node("/b/aa/used").content, std::to_string(3 << 20));
  EXPECT_EQ(node("/b/grown").content, "...");
  noteUse(files, "/b/aa");
  EXPECT_EQ(node("/b/grown").content, "...");
}
