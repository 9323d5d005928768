// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Hwcaps.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;

static constexpr llvm::StringLiteral ofV2 = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 ",
                                     ofV3 = "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave ",
                                     ofV4 = "avx512f avx512bw avx512cd avx512dq avx512vl";

static std::optional<std::vector<std::string>> of(const llvm::Twine &flags) {
  return probe::parseHwcaps(
      ("processor\t: 0\nflags\t\t: fpu " + flags + "\nprocessor\t: 1\nflags\t\t: fpu\n").str());
}

TEST(Hwcaps, levelsThatTheProcessorHas) {
  EXPECT_THAT(*of(""), IsEmpty());
  EXPECT_THAT(*of(ofV2), ElementsAre("glibc-hwcaps/x86-64-v2"));
  EXPECT_THAT(*of(ofV2 + ofV3), ElementsAre("glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"));
  EXPECT_THAT(
      *of(ofV2 + ofV3 + ofV4),
      ElementsAre("glibc-hwcaps/x86-64-v4", "glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"));
  // A level includes those below it.
  EXPECT_THAT(*of(ofV3), IsEmpty());
}

TEST(Hwcaps, unknownWithoutAList) {
  EXPECT_FALSE(probe::parseHwcaps("processor\t: 0\nFeatures\t: fp asimd\n"));
  test::MemoryFiles files;
  EXPECT_FALSE(probe::readHwcaps(files));
}

TEST(Hwcaps, noneBeforeGlibc233) {
  test::MemoryFiles files;
  files.file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: " + ofV2.str() + "\n");
  for (auto [target, size] : {std::pair("libc-2.31.so", 0u), {"libc-2.33.so", 1u}}) {
    files.symlink("/lib/x86_64-linux-gnu/libc.so.6", target);
    EXPECT_EQ(probe::readHwcaps(files)->size(), size) << target;
  }
  files.file("/lib/x86_64-linux-gnu/libc.so.6");
  EXPECT_EQ(probe::readHwcaps(files)->size(), 1u);
  files.symlink("/lib64/libc.so.6", "libc-2.28.so");
  EXPECT_EQ(probe::readHwcaps(files)->size(), 0u) << "in Red Hat's place";
}
