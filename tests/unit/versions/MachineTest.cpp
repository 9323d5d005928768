// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Machine.h"
#include <gmock/gmock.h>

using namespace cudacc::versions;

static std::string ofTriple(const char *text) {
  const Machine *machine = machineOfTriple(text);
  return machine ? machine->name.str() : "";
}

TEST(Machine, isReadOffATriple) {
  EXPECT_EQ(ofTriple("aarch64-linux-gnu"), "aarch64");
  EXPECT_EQ(ofTriple("aarch64-redhat-linux"), "aarch64");
  EXPECT_EQ(ofTriple("arm64-apple-darwin23"), "aarch64");
  EXPECT_EQ(ofTriple("x86_64-linux-gnu"), "x86_64");
  EXPECT_EQ(ofTriple("amd64-unknown-freebsd"), "x86_64");
}

TEST(Machine, isReadOffACompilersName) {
  EXPECT_EQ(ofTriple("aarch64-linux-gnu-g++-12"), "aarch64");
  EXPECT_EQ(ofTriple("g++"), "");
  EXPECT_EQ(ofTriple("g++-12"), "");
  EXPECT_EQ(ofTriple(""), "");
}

// Another byte order, a 32-bit processor, one that CUDA does not support.
TEST(Machine, othersAreNotTakenForOne) {
  for (const char *text :
       {"aarch64_be-linux-gnu", "arm-linux-gnueabihf", "armv7l", "i686-linux-gnu",
        "riscv64-linux-gnu", "powerpc64le-linux-gnu", "x86-64"})
    EXPECT_EQ(ofTriple(text), "") << text;
}

TEST(Machine, isReadOffAPlatformTag) {
  EXPECT_EQ(machineOfPlatform("manylinux_2_28_aarch64"), machineNamed("aarch64"));
  EXPECT_EQ(machineOfPlatform("linux_x86_64"), machineNamed("x86_64"));
  for (const char *tag : {"any", "win_amd64", "macosx_11_0_x86_64", "manylinux2014_ppc64le", ""})
    EXPECT_EQ(machineOfPlatform(tag), nullptr) << tag;
}

TEST(Machine, isOneOfElf) {
  EXPECT_EQ(machineOfElf(183), machineNamed("aarch64"));
  EXPECT_EQ(machineOfElf(62), machineNamed("x86_64"));
  EXPECT_EQ(machineOfElf(0), nullptr);
  EXPECT_EQ(machineNamed("arm64"), nullptr);
  EXPECT_EQ(machineNamed(""), nullptr);
  EXPECT_EQ(machineOfElf(ownMachine().elf), &ownMachine());
  EXPECT_EQ(describeMachine(183), "aarch64");
  EXPECT_EQ(describeMachine(243), "machine 243");
}
