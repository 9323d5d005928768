// SPDX-License-Identifier: Apache-2.0
#include "driver/run/RealRunner.h"
#include "tests/unit/run/Scratch.h"
#include "llvm/ADT/STLExtras.h"
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cudacc;

namespace {

class Observing : public testing::Test {
protected:
  run::RealRunner runner;
  Scratch scratch;

  void SetUp() override {
    core::Accesses accesses = seen("true");
    if (!accesses.areAll)
      GTEST_SKIP() << "SKIPPED: this system does not let processes be observed";
  }
  core::Accesses seen(const std::string &script) {
    core::Command command{"/bin/sh", {"sh", "-c", "cd " + scratch.path + "; " + script}, {}, {}};
    core::Accesses accesses;
    answer = llvm::cantFail(runner.observe(command, accesses));
    return accesses;
  }
  const core::Accesses::File *find(const core::Accesses &accesses, const std::string &name) {
    std::string path = scratch.path + "/" + name;
    auto found = llvm::find_if(accesses.files, [&](const auto &file) { return file.path == path; });
    return found == accesses.files.end() ? nullptr : &*found;
  }
  core::Runner::Answer answer;
};

} // namespace

TEST_F(Observing, passesOutputAndStatusOn) {
  seen("echo out; echo err >&2; exit 3");
  EXPECT_EQ(answer.out, "out\n");
  EXPECT_EQ(answer.err, "err\n");
  EXPECT_EQ(answer.ended.status, 3);
  seen("kill -TERM $$");
  EXPECT_EQ(answer.ended.signal, SIGTERM);
}

TEST_F(Observing, seesWhatIsReadAndWhatIsAbsent) {
  std::ofstream(scratch.path + "/read") << "text";
  core::Accesses accesses = seen("cat read; cat absent; (cat inner/../read)");
  EXPECT_TRUE(accesses.areAll);
  EXPECT_TRUE(find(accesses, "read"));
  EXPECT_TRUE(find(accesses, "absent"));
  EXPECT_TRUE(find(accesses, "inner/../read"));
  EXPECT_FALSE(find(accesses, "other"));
  EXPECT_FALSE(find(accesses, "read")->hasTimesRead);
  EXPECT_TRUE(find(seen("test -s read"), "read")->hasTimesRead);
}

TEST_F(Observing, seesListedFoldersAndStartedPrograms) {
  mkdir((scratch.path + "/folder").c_str(), 0700);
  std::ofstream(scratch.path + "/tool") << "#!/bin/sh\n";
  chmod((scratch.path + "/tool").c_str(), 0700);
  core::Accesses accesses = seen("ls folder; ./tool");
  const auto *folder = find(accesses, "folder"), *tool = find(accesses, "./tool");
  ASSERT_TRUE(folder && tool);
  EXPECT_TRUE(folder->isListed);
  EXPECT_FALSE(folder->isStarted);
  EXPECT_TRUE(tool->isStarted);
}

// What it made itself is no input, unless it read before what lay there.
TEST_F(Observing, leavesOutWhatIsMade) {
  std::ofstream(scratch.path + "/old") << "text";
  std::ofstream(scratch.path + "/replaced") << "text";
  core::Accesses accesses =
      seen("echo > made; cat made; mkdir folder; cat made > folder/inner; cat folder/inner; "
           "mv made moved; cat moved; cat old > new; echo > old; echo > replaced; cat replaced");
  for (const char *name : {"made", "folder", "folder/inner", "moved", "new", "replaced"})
    EXPECT_FALSE(find(accesses, name)) << name;
  EXPECT_TRUE(find(accesses, "old"));
}

TEST_F(Observing, tellsWhatWasMadeAndStays) {
  core::Accesses accesses = seen("echo > made; echo > gone; rm gone; echo > /dev/null");
  EXPECT_THAT(accesses.made, testing::ElementsAre(scratch.path + "/made"));
}

TEST_F(Observing, seesLinksThatAreOnlyRead) {
  symlink("read", (scratch.path + "/link").c_str());
  EXPECT_TRUE(find(seen("readlink link"), "link"));
}

// The kernel's files are no inputs. Those that users keep in /dev/shm are.
TEST_F(Observing, seesFilesInMemory) {
  std::string path = "/dev/shm/absent-" + scratch.path.substr(scratch.path.rfind('/') + 1);
  core::Accesses accesses = seen("cat " + path + " /dev/null /proc/version");
  auto has = [&](llvm::StringRef wanted) {
    return llvm::any_of(accesses.files, [&](const auto &file) { return file.path == wanted; });
  };
  EXPECT_TRUE(accesses.areAll);
  EXPECT_TRUE(has(path));
  EXPECT_FALSE(has("/dev/null"));
  EXPECT_FALSE(has("/proc/version"));
}

// Another process has another file there.
TEST_F(Observing, doesNotKnowNamesThatDependOnTheProcess) {
  std::ofstream(scratch.path + "/read") << "text";
  for (const char *script :
       {"cat /proc/self/cwd/read", "cat /proc/self/root/dev/null", "cat /proc/self/fd/3 3<read",
        "cat /dev/fd/3 3<read", "cat /dev/stdin <read"})
    EXPECT_FALSE(seen(script).areAll) << script;
  for (const char *script : {"cat /proc/self/exe", "echo > /dev/fd/1", "ls /proc/self/fd"})
    EXPECT_TRUE(seen(script).areAll) << script;
}

TEST_F(Observing, doesNotKnowOtherRoots) {
  EXPECT_FALSE(seen("python3 -c 'import os; os.chroot(\"/\")'").areAll);
}

TEST_F(Observing, doesNotKnowWhatAServerReads) {
  core::Accesses accesses =
      seen("python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect_ex(\"absent\")'");
  EXPECT_EQ(answer.ended.status, 0);
  EXPECT_FALSE(accesses.areAll);
}

// A server that a command leaves behind goes on opening files.
TEST_F(Observing, doesNotHoldUpWhatIsLeftBehind) {
  seen("(sleep 0.3; cat absent; echo done > late) >/dev/null 2>&1 &");
  EXPECT_EQ(answer.ended.status, 0);
  struct ::stat st;
  for (int i = 0; i < 1000 && stat((scratch.path + "/late").c_str(), &st) != 0; ++i)
    usleep(10'000);
  EXPECT_EQ(stat((scratch.path + "/late").c_str(), &st), 0);
}

TEST_F(Observing, reportsAProgramThatCannotStart) {
  core::Accesses accesses;
  auto none = runner.observe({scratch.path + "/none", {"none"}, {}, {}}, accesses);
  EXPECT_FALSE(bool(none));
  llvm::consumeError(none.takeError());
}
