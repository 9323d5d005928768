// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Mounts.h"
#include "tests/support/MemoryFiles.h"
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

using namespace cudacc;
using probe::Mounts;

namespace {
constexpr char info[] = "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
                        "66 22 0:39 / /data rw,noexec,relatime shared:7 - tmpfs tmpfs rw\n"
                        "67 66 8:1 /x /data/with\\040blank rw,relatime - ext4 /dev/sda1 rw\n"
                        "68 22 8:1 /home /bound rw,nosuid,noexec - ext4 /dev/sda1 rw\n"
                        "short line\n";

struct MountsOfAMachine : testing::Test {
  test::MemoryFiles files;
  bool noExec(llvm::StringRef path, uint64_t device) {
    files.file(path);
    return Mounts::parse(info).isNoExec(path, device, files);
  }
};

TEST_F(MountsOfAMachine, theNearestMountCounts) {
  EXPECT_TRUE(noExec("/data/lib/x.so", makedev(0, 39)));
  EXPECT_TRUE(noExec("/bound/x.so", makedev(8, 1)));
  EXPECT_FALSE(noExec("/data/with blank/x.so", makedev(8, 1)));
  EXPECT_FALSE(noExec("/database/x.so", makedev(8, 1)));
  EXPECT_FALSE(noExec("/x.so", makedev(8, 1)));
}

TEST_F(MountsOfAMachine, linksAreFollowed) {
  files.file("/bound/x.so").symlink("/lib/x.so", "/bound/x.so");
  EXPECT_TRUE(Mounts::parse(info).isNoExec("/lib/x.so", makedev(8, 1), files));
}

// On a device without such a mount nothing is checked; a machine without such mounts costs nothing.
TEST_F(MountsOfAMachine, anotherDeviceIsNotAsked) {
  files.file("/data/x.so");
  files.stats = 0;
  EXPECT_FALSE(Mounts::parse(info).isNoExec("/data/x.so", makedev(9, 9), files));
  EXPECT_FALSE(Mounts::parse("").isNoExec("/data/x.so", makedev(0, 39), files));
  EXPECT_EQ(files.stats, 0u);
}

TEST_F(MountsOfAMachine, aLaterMountCoversAnEarlier) {
  Mounts mounts = Mounts::parse("1 0 0:40 / /m rw,noexec - tmpfs t rw\n"
                                "2 0 0:40 / /m rw - tmpfs t rw\n");
  files.file("/m/x");
  EXPECT_FALSE(mounts.isNoExec("/m/x", makedev(0, 40), files));
}
} // namespace
