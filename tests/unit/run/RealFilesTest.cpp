// SPDX-License-Identifier: Apache-2.0
#include "driver/run/RealFiles.h"
#include "driver/core/Diagnostic.h"
#include "tests/unit/run/Scratch.h"
#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cudacc;
using core::FileStatus;
using testing::ElementsAre;

TEST(RealFiles, writesAsideAndLeavesNothingElse) {
  Scratch scratch;
  run::RealFiles files;
  ASSERT_FALSE(bool(files.write(scratch.path + "/a/b/c", "one", 0644)));
  ASSERT_FALSE(bool(files.write(scratch.path + "/a/b/c", "two", 0644)));
  EXPECT_EQ(llvm::cantFail(files.read(scratch.path + "/a/b/c", 100)), "two");
  EXPECT_THAT(files.list(scratch.path + "/a/b"), ElementsAre("c"));
}

TEST(RealFiles, aFileWhereAFolderIsNeededIsAnError) {
  Scratch scratch;
  run::RealFiles files;
  ASSERT_FALSE(bool(files.write(scratch.path + "/a", "x", 0644)));
  llvm::Error error = files.write(scratch.path + "/a/b", "x", 0644);
  ASSERT_TRUE(bool(error));
  EXPECT_EQ(core::toFinding(std::move(error)).code, core::Code::CannotWrite);
}

TEST(RealFiles, refusesWhatIsNoRegularFileWithoutHanging) {
  Scratch scratch;
  run::RealFiles files;
  std::string fifo = scratch.path + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string &path : {fifo, scratch.path, scratch.path + "/none"}) {
    auto text = files.read(path, 100);
    ASSERT_FALSE(bool(text)) << path;
    EXPECT_EQ(core::toFinding(text.takeError()).code, core::Code::UnreadableFile);
  }
  EXPECT_EQ(files.stat(fifo).kind, FileStatus::Kind::Other);
}

TEST(RealFiles, limitsWhatItReads) {
  Scratch scratch;
  run::RealFiles files;
  ASSERT_FALSE(bool(files.write(scratch.path + "/big", std::string(101, 'x'), 0644)));
  auto text = files.read(scratch.path + "/big", 100);
  EXPECT_FALSE(bool(text));
  llvm::consumeError(text.takeError());
}

TEST(RealFiles, aNameThatIsTooLongIsNoFile) {
  run::RealFiles files;
  FileStatus status = files.stat("/tmp/" + std::string(3000, 'a'));
  EXPECT_FALSE(status.exists());
  EXPECT_FALSE(status.unreachable);
}

TEST(RealFiles, aSearchThatTheSystemFailsIsNoted) {
  Scratch scratch;
  run::RealFiles files;
  ASSERT_FALSE(bool(files.write(scratch.path + "/a", "x", 0644)));
  EXPECT_FALSE(files.stat(scratch.path + "/a/b").exists());
  EXPECT_FALSE(files.realPath(scratch.path + "/none"));
  EXPECT_FALSE(files.readLink(scratch.path + "/a"));
  EXPECT_FALSE(files.executable(scratch.path + "/a"));
  EXPECT_THAT(files.list(scratch.path + "/none"), ElementsAre());
  EXPECT_EQ(files.failure(), "");
  rlimit before{}, none{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  none.rlim_max = before.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THAT(files.list(scratch.path), ElementsAre());
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(files.failure(), scratch.path + ": Too many open files");
  EXPECT_THAT(files.list(scratch.path), ElementsAre("a"));
  EXPECT_NE(files.failure(), "") << "the first one is kept";
}

// Into the file that is there, through links, with its mode.
TEST(RealFiles, overwritesAsCompilersDo) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/a", link = scratch.path + "/link",
              second = scratch.path + "/b";
  ASSERT_FALSE(bool(files.write(path, "long text", 0600)));
  ASSERT_FALSE(bool(files.makeSymlink(link, "a")));
  ASSERT_FALSE(bool(files.link(path, second)));
  ASSERT_FALSE(bool(files.overwrite(link, "new", 0666)));
  EXPECT_EQ(llvm::cantFail(files.read(second, 100)), "new");
  EXPECT_EQ(files.stat(path).mode, 0600u);
  EXPECT_EQ(files.readLink(link), "a");
}

TEST(RealFiles, patchesInPlace) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/f";
  ASSERT_FALSE(bool(files.write(path, "abcdef", 0644)));
  auto before = files.stat(path).id.inode;
  ASSERT_FALSE(bool(files.patch(path, 2, "XY")));
  EXPECT_EQ(llvm::cantFail(files.read(path, 100)), "abXYef");
  EXPECT_EQ(files.stat(path).id.inode, before);
}

TEST(RealFiles, aLockIsHeldByOneAndLeavesNoFile) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/locks/one";
  std::atomic<int> inside = 0, most = 0;
  auto hold = [&] {
    for (int i = 0; i != 50; ++i) {
      auto lock = files.lock(path);
      ASSERT_TRUE(lock);
      most = std::max<int>(most, ++inside);
      std::this_thread::yield();
      --inside;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back(hold);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_THAT(files.list(scratch.path + "/locks"), ElementsAre());
}

TEST(RealFiles, aLockThatIsHeldIsNotWaitedFor) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/lock";
  auto held = files.lock(path);
  ASSERT_TRUE(held);
  EXPECT_FALSE(files.lock(path, /*waits=*/false));
  EXPECT_TRUE(files.stat(path).exists());
  held.reset();
  EXPECT_TRUE(files.lock(path, /*waits=*/false));
}

TEST(RealFiles, noLockWhereNothingCanBeWritten) {
  Scratch scratch;
  run::RealFiles files;
  ASSERT_FALSE(bool(files.write(scratch.path + "/a", "x", 0644)));
  EXPECT_FALSE(files.lock(scratch.path + "/a/lock"));
  // A symbolic link there may lead to another user's file.
  ASSERT_FALSE(bool(files.makeSymlink(scratch.path + "/link", scratch.path + "/a")));
  EXPECT_FALSE(files.lock(scratch.path + "/link"));
}

// As in a user's project under sudo: a file that root rewrites stays the user's.
TEST(RealFiles, aFileThatIsReplacedKeepsItsOwnerAndMode) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/a";
  ASSERT_FALSE(bool(files.write(path, "one", 0600)));
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a file away";
  ASSERT_EQ(chown(path.c_str(), 65534, 65533), 0);
  ASSERT_EQ(chmod(path.c_str(), 0664), 0);
  ASSERT_FALSE(bool(files.write(path, "two", 0664)));
  FileStatus status = files.stat(path);
  EXPECT_EQ(status.owner, 65534u);
  EXPECT_EQ(status.group, 65533u);
  EXPECT_EQ(status.mode, 0664u);
  EXPECT_EQ(llvm::cantFail(files.read(path, 100)), "two");
}

TEST(RealFiles, anOpenFileHasItsStatus) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/a";
  ASSERT_FALSE(bool(files.write(path, "one", 0640)));
  auto file = llvm::cantFail(files.open(path));
  ASSERT_FALSE(bool(files.write(path, "another", 0600)));
  FileStatus status = file->status();
  EXPECT_EQ(status.kind, FileStatus::Kind::Regular);
  EXPECT_EQ(status.id.size, 3u) << "of the file that was opened, not of the name";
  EXPECT_EQ(status.mode, 0640u);
  EXPECT_EQ(status.owner, geteuid());
}

// Every write to /dev/full fails.
/// In nanoseconds since 1970, which 32 bits would not hold.
TEST(RealFiles, datesBefore1970AndAfter2038AreExact) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/dated";
  ASSERT_FALSE(bool(files.write(path, "", 0644)));
  for (int64_t seconds : {-315'619'200L, 2'147'483'648L, 4'102'444'800L}) {
    timespec times[2] = {{seconds, 5}, {seconds, 5}};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    EXPECT_EQ(files.stat(path).id.mtime, seconds * 1'000'000'000 + 5);
  }
}

TEST(RealFiles, filesBeyondFourGigabytesAreReadWhereAsked) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/sparse";
  uint64_t end = (uint64_t(5) << 30) + 3;
  ASSERT_FALSE(bool(files.write(path, "", 0644)));
  ASSERT_EQ(truncate(path.c_str(), off_t(end - 1)), 0);
  std::ofstream(path, std::ios::app) << 'x';
  auto file = llvm::cantFail(files.open(path));
  EXPECT_EQ(file->size(), end);
  char last[2] = {};
  EXPECT_EQ(llvm::cantFail(file->readAt(end - 2, last)), 2u);
  EXPECT_EQ(last[1], 'x');
}

TEST(RealFiles, realPathFollowsLinksAndHasNoneForALoop) {
  Scratch scratch;
  run::RealFiles files;
  std::string root = files.realPath(scratch.path).value();
  ASSERT_FALSE(bool(files.write(root + "/a/file", "", 0644)));
  ASSERT_EQ(symlink("a", (root + "/link").c_str()), 0);
  ASSERT_EQ(symlink("loop", (root + "/loop").c_str()), 0);
  EXPECT_EQ(files.realPath(root + "/link/../a/./file"), root + "/a/file");
  EXPECT_EQ(files.realPath(root + "//link/file"), root + "/a/file");
  EXPECT_EQ(files.realPath(root + "/link/file/"), std::nullopt);
  EXPECT_EQ(files.realPath(root + "/loop"), std::nullopt);
  EXPECT_EQ(files.realPath(root + "/none"), std::nullopt);
}

TEST(RealFiles, aFullDiskIsAnError) {
  run::RealFiles files;
  llvm::Error errors[] = {files.append("/dev/full", "line\n"), files.patch("/dev/full", 0, "x")};
  for (llvm::Error &error : errors) {
    ASSERT_TRUE(bool(error));
    core::Finding finding = core::toFinding(std::move(error));
    EXPECT_EQ(finding.code, core::Code::CannotWrite);
    EXPECT_THAT(finding.message, testing::HasSubstr("No space left on device"));
  }
}

TEST(RealFiles, aTemporaryFolderIsNewAndTheUsersAlone) {
  Scratch scratch;
  run::RealFiles files;
  std::string prefix = scratch.path + "/x-";
  std::string one = llvm::cantFail(files.makeTemporary(prefix));
  std::string two = llvm::cantFail(files.makeTemporary(prefix));
  EXPECT_NE(one, two);
  for (const std::string &path : {one, two}) {
    EXPECT_EQ(path.rfind(prefix, 0), 0u) << path;
    EXPECT_EQ(files.stat(path).kind, FileStatus::Kind::Directory);
    EXPECT_EQ(files.stat(path).mode, 0700u);
  }
  auto none = files.makeTemporary(scratch.path + "/none/x-");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(core::toFinding(none.takeError()).code, core::Code::CannotWrite);
}

TEST(RealFiles, theStatusOfALinkItself) {
  Scratch scratch;
  run::RealFiles files;
  std::string link = scratch.path + "/link";
  for (const std::string &target : {scratch.path, scratch.path + "/none"}) {
    ASSERT_FALSE(bool(files.makeSymlink(link, target)));
    EXPECT_EQ(files.linkStat(link).kind, FileStatus::Kind::Other);
    ASSERT_TRUE(files.remove(link));
  }
  EXPECT_EQ(files.linkStat(link).kind, FileStatus::Kind::None);
  EXPECT_EQ(files.linkStat(scratch.path).kind, FileStatus::Kind::Directory);
}
