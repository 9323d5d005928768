// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Record.h"
#include "tests/support/MemoryFiles.h"
#include <gtest/gtest.h>

using namespace cudacc;

namespace {
struct Recorded : testing::Test {
  test::MemoryFiles files;
  probe::InstallerRecords records{files};
  Recorded() {
    files.file("/v/site-packages/nvidia_cublas_cu12-12.4.5.8.dist-info/RECORD",
               "nvidia/cublas/lib/libcublas.so.12,sha256=x,110000\r\n"
               "nvidia/cublas/lib/libcublas.so.123,sha256=x,1\r\n"
               "\"odd, name.so\",sha256=x,7\r\n"
               "nvidia/cublas/lib/nosize.so,,\r\n");
    files.file("/v/site-packages/other-1.dist-info/RECORD", "x/libcublas.so.12,sha256=x,5\n");
    files.directory("/v/site-packages/broken-1.dist-info");
  }
  std::string text(llvm::StringRef path) {
    auto found = records.find(path);
    if (!found)
      return "";
    return found->package() + (found->size ? " " + std::to_string(*found->size) : "");
  }
};

TEST_F(Recorded, theLineOfTheFile) {
  EXPECT_EQ(text("/v/site-packages/nvidia/cublas/lib/libcublas.so.12"),
            "nvidia-cublas-cu12==12.4.5.8 110000");
  EXPECT_EQ(text("/v/site-packages/x/libcublas.so.12"), "other==1 5");
  EXPECT_EQ(text("/v/site-packages/odd, name.so"), "nvidia-cublas-cu12==12.4.5.8 7");
  EXPECT_EQ(text("/v/site-packages/nvidia/cublas/lib/nosize.so"), "nvidia-cublas-cu12==12.4.5.8");
}

TEST_F(Recorded, foldersAreReadOnce) {
  for (unsigned i = 0; i != 100; ++i)
    text("/v/site-packages/x/" + std::to_string(i) + ".so");
  EXPECT_EQ(files.lists, 2u);
  EXPECT_EQ(files.reads, 3u);
}

TEST(Record, hasNamesInQuotes) {
  llvm::StringRef record = "a.so,,\n\"odd, \"\"b\"\".so\",sha256=x,7\n\"c.so\",,\n";
  for (llvm::StringRef path : {"a.so", "odd, \"b\".so", "c.so"})
    EXPECT_TRUE(probe::recordHas(record, path));
  for (llvm::StringRef path : {"odd", "b.so", "", "c"})
    EXPECT_FALSE(probe::recordHas(record, path));
}

TEST_F(Recorded, othersHaveNone) {
  EXPECT_EQ(text("/v/site-packages/y/libcublas.so.12"), "");
  EXPECT_EQ(text("/v/lib/libcublas.so.12"), "");
  EXPECT_EQ(text("libcublas.so.12"), "");
}
} // namespace
