#include "driver/run/Toolchain.h"
#include "driver/run/RealFiles.h"
#include "tests/unit/run/Scratch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::TreeEntry;
using testing::ElementsAre;

static TreeEntry file(const char *path, const char *text) {
  return {path, text, TreeEntry::Kind::File};
}

TEST(Toolchain, isMadeWholeWithCopiesThatCarryTheFingerprint) {
  Scratch scratch;
  run::RealFiles files;
  std::string self = scratch.path + "/self";
  ASSERT_FALSE(bool(files.write(self, "program", 0755)));
  std::string path = scratch.path + "/store/abc";
  ASSERT_FALSE(bool(run::makeDirectory(
      files, path, {{file("facts", "text")}, {"bin/nvcc", "bin/g++"}, self, "-print"})));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/bin/g++", 100)), "program-print");
  EXPECT_EQ(files.stat(path + "/bin/g++").id.inode, files.stat(path + "/bin/nvcc").id.inode);
  EXPECT_TRUE(files.executable(path + "/bin/nvcc"));
  EXPECT_THAT(files.list(scratch.path + "/store"), ElementsAre("abc"));
}

// Two processes make the same directory: the second takes the first one's.
TEST(Toolchain, aDirectoryThatIsThereIsKept) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{file("facts", "1")}})));
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{file("facts", "2")}})));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "1");
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

TEST(Toolchain, leavesNothingBehindWhenItCannotBeMade) {
  Scratch scratch;
  run::RealFiles files;
  llvm::Error error =
      run::makeDirectory(files, scratch.path + "/abc",
                         {{file("facts", "1")}, {"bin/x"}, scratch.path + "/no-such-program"});
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
  EXPECT_THAT(files.list(scratch.path), ElementsAre());
}

TEST(Toolchain, linksAreMadeAsTheySay) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(
      files, path,
      {{{"lib64/libx.so", "libx.so.1"}, {"lib", "lib64"}, file("lib64/libx.so.1", "")}})));
  EXPECT_EQ(files.readLink(path + "/lib64/libx.so"), "libx.so.1");
  EXPECT_TRUE(files.stat(path + "/lib/libx.so").exists());
}

TEST(Toolchain, isReplacedWholeAndTheOldOneIsGone) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  run::DirectoryContent content{{file("facts", "1"), file("old", "")}};
  content.readOnly = true;
  ASSERT_FALSE(bool(run::makeDirectory(files, path, content)));
  content.entries = {file("facts", "2")};
  ASSERT_FALSE(bool(run::replaceDirectory(files, path, content)));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "2");
  EXPECT_THAT(files.list(path), ElementsAre("facts"));
  EXPECT_EQ(files.stat(path + "/facts").mode & 0777u, 0444u);
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

TEST(Toolchain, theOldOneStaysWhereTheNewOneCannotBeMade) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{file("facts", "1")}})));
  llvm::Error error = run::replaceDirectory(
      files, path, {{file("facts", "2")}, {"bin/x"}, scratch.path + "/no-such-program"});
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "1");
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

// cuda-cc of a toolchain directory makes another one: the first one's trailer is not copied.
TEST(Toolchain, aTrailerIsNotCopied) {
  Scratch scratch;
  run::RealFiles files;
  std::string self = scratch.path + "/self";
  for (const char *program : {"program", "programmark:11"}) {
    ASSERT_FALSE(bool(files.write(self, program, 0755)));
    std::string path = scratch.path + "/" + std::string(program).substr(7) + "d";
    ASSERT_FALSE(bool(run::makeDirectory(files, path, {{}, {"bin/nvcc"}, self, "mark:22"})));
    EXPECT_EQ(llvm::cantFail(files.read(path + "/bin/nvcc", 100)), "programmark:22");
  }
}
