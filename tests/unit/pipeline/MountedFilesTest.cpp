// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/MountedFiles.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;

namespace {

struct Mounted : testing::Test {
  test::MemoryFiles disk;
  pipeline::MountedFiles files{disk};

  Mounted() {
    disk.file("/elsewhere/load.py", "mounted");
    disk.file("/site/there.py", "on the disk");
    files.mount("/site/pkg/load.py", {}, [this] { return disk.open("/elsewhere/load.py"); });
  }
  std::string read(llvm::StringRef path, uint64_t limit = 100) {
    auto text = files.read(path, limit);
    if (text)
      return *text;
    llvm::consumeError(text.takeError());
    return "error";
  }
};

} // namespace

TEST_F(Mounted, readsWhatIsMountedAndWhatIsNot) {
  EXPECT_EQ(read("/site/pkg/load.py"), "mounted");
  EXPECT_EQ(read("/site/pkg/../pkg/load.py"), "mounted");
  EXPECT_EQ(read("/site/there.py"), "on the disk");
  EXPECT_EQ(read("/site/pkg/other.py"), "error");
}

TEST_F(Mounted, isLimited) {
  EXPECT_EQ(read("/site/pkg/load.py", 7), "mounted");
  EXPECT_EQ(read("/site/pkg/load.py", 6), "error");
}
