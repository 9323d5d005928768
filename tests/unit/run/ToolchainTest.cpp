#include "driver/run/Toolchain.h"
#include "driver/run/RealFiles.h"
#include "tests/unit/run/Scratch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;

TEST(Toolchain, isMadeWholeWithCopiesThatCarryTheFingerprint) {
  Scratch scratch;
  run::RealFiles files;
  std::string self = scratch.path + "/self";
  ASSERT_FALSE(bool(files.write(self, "program", 0755)));
  std::string path = scratch.path + "/store/abc";
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{"facts", "text"}}, {"bin/nvcc", "bin/g++"},
                                       self, "-print")));
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
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{"facts", "1"}}, {}, "", "")));
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{"facts", "2"}}, {}, "", "")));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "1");
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

TEST(Toolchain, leavesNothingBehindWhenItCannotBeMade) {
  Scratch scratch;
  run::RealFiles files;
  llvm::Error error = run::makeDirectory(files, scratch.path + "/abc", {{"facts", "1"}}, {"bin/x"},
                                         scratch.path + "/no-such-program", "");
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
  EXPECT_THAT(files.list(scratch.path), ElementsAre());
}
