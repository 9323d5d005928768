// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/CommandInputs.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::cache;
using testing::IsEmpty;

namespace {

/// Keeps what a command looked at, and compares later. Files of the test are from the epoch.
struct Recorded : testing::Test {
  test::MemoryFiles files;
  core::Environment environment;
  core::Accesses accesses{true, {}, {}};
  bool expandsTime = false;

  void looked(const std::string &path, bool isListed = false, bool isStarted = false) {
    accesses.files.push_back({path, false, isListed, isStarted});
  }
  std::optional<CommandInputs> record() {
    CurrentFiles current(files, environment);
    return inputsOf(files, environment, accesses,
                    {currentTime(), current.allVariables(), "/store/folder", expandsTime});
  }
  /// Whether what \p change does matters.
  bool staysAfter(const std::function<void()> &change) {
    std::string kept = answerText({"question", "answer", record().value()});
    change();
    CurrentFiles current(files, environment);
    auto answer = answerIn(kept, "question", current);
    EXPECT_EQ(answer.value_or("answer"), "answer");
    return answer.has_value();
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
  EXPECT_TRUE(CurrentFiles(files, environment).areUnchanged(inputs));
  node("/p/a.h").content = "two";
  EXPECT_FALSE(CurrentFiles(files, environment).areUnchanged(inputs));
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
    environment.entries = {"A=1", "SHLVL=1"};
    EXPECT_TRUE(staysAfter([&] { environment.entries = {"A=1", "SHLVL=2"}; }));
    EXPECT_FALSE(staysAfter([&] { environment.entries = {"A=2", "SHLVL=1"}; }));
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

TEST_F(Recorded, answersOnlyTheQuestionThatWasAsked) {
  CurrentFiles current(files, environment);
  std::string kept = answerText({"question", "a\tb\n", record().value()});
  EXPECT_EQ(answerIn(kept, "question", current), "a\tb\n");
  EXPECT_FALSE(answerIn(kept, "other", current));
  EXPECT_FALSE(answerIn(kept.substr(0, kept.size() - 2), "question", current));
}
