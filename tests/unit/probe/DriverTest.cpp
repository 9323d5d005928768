// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Driver.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::test;
using probe::kernelRelease;
using probe::readDriver;

static constexpr char debian[] = "/usr/lib/x86_64-linux-gnu";

static std::string at(const char *name) { return std::string(debian) + "/" + name; }

TEST(Driver, absentIsNone) { // V-DR-11
  MemoryFiles files;
  probe::RunningDriver driver = readDriver("", files);
  EXPECT_FALSE(driver.present());
  EXPECT_EQ(driver.release + driver.kernel, "");
}

TEST(Driver, debiansLinksLeadToItsRelease) { // DR-1
  MemoryFiles files;
  files.file(at("nvidia/current/libcuda.so.535.183.01"))
      .symlink(at("nvidia/current/libcuda.so.1"), "libcuda.so.535.183.01")
      .symlink("/etc/alternatives/nvidia--libcuda.so.1-x86_64-linux-gnu",
               at("nvidia/current/libcuda.so.1"))
      .symlink(at("libcuda.so.1"), "/etc/alternatives/nvidia--libcuda.so.1-x86_64-linux-gnu");
  probe::RunningDriver driver = readDriver(at("libcuda.so.1"), files);
  EXPECT_TRUE(driver.present());
  EXPECT_EQ(driver.release, "535.183.01");
  EXPECT_EQ(driver.path, at("libcuda.so.1"));
  EXPECT_THAT(driver.evidence, testing::HasSubstr("libcuda.so.535.183.01"));
}

TEST(Driver, besideANamelessFileTheManagementLibraryTells) {
  MemoryFiles files;
  files.file("/usr/lib/wsl/lib/libcuda.so.1")
      .file("/usr/lib/wsl/drivers/libnvidia-ml.so.560.94")
      .symlink("/usr/lib/wsl/lib/libnvidia-ml.so.1", "/usr/lib/wsl/drivers/libnvidia-ml.so.560.94");
  EXPECT_EQ(readDriver("/usr/lib/wsl/lib/libcuda.so.1", files).release, "560.94");
}

TEST(Driver, theKernelModuleIsTheLastToBeAsked) {
  MemoryFiles files;
  files.file("/lib/libcuda.so.1")
      .file("/proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC "
            "2023\nGCC version: 12\n");
  probe::RunningDriver driver = readDriver("/lib/libcuda.so.1", files);
  EXPECT_EQ(driver.release, "535.104.05");
  EXPECT_EQ(driver.evidence, "/proc/driver/nvidia/version");
}

TEST(Driver, aCompatibilityPackageDisagreesWithTheModule) { // DR-7
  MemoryFiles files;
  files.file("/usr/local/cuda-12.4/compat/libcuda.so.550.54.15")
      .symlink("/usr/local/cuda-12.4/compat/libcuda.so.1", "libcuda.so.550.54.15")
      .file("/proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat\n");
  probe::RunningDriver driver = readDriver("/usr/local/cuda-12.4/compat/libcuda.so.1", files);
  EXPECT_EQ(driver.release, "550.54.15");
  EXPECT_EQ(driver.kernel, "535.104.05");
}

TEST(Driver, aStubIsNoDriver) { // RP-7
  MemoryFiles files;
  files.file("/opt/cuda/lib64/stubs/libcuda.so")
      .symlink("/opt/x/libcuda.so.1", "/opt/cuda/lib64/stubs/libcuda.so");
  probe::RunningDriver driver = readDriver("/opt/x/libcuda.so.1", files);
  EXPECT_TRUE(driver.isStub);
  EXPECT_FALSE(driver.present());
}

TEST(Driver, ofNoReleaseIsThereAllTheSame) { // DR-8
  MemoryFiles files;
  files.file("/lib/libcuda.so.1");
  probe::RunningDriver driver = readDriver("/lib/libcuda.so.1", files);
  EXPECT_TRUE(driver.present());
  EXPECT_EQ(driver.release, "");
}

TEST(Driver, textsOfTheKernelModule) { // V-DR-15
  EXPECT_EQ(kernelRelease("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  "
                          "Release Build  (root@x)\n"),
            "580.159.04");
  EXPECT_EQ(kernelRelease("NVRM version: NVIDIA UNIX x86_64 Kernel Module  450.80  Wed\n"),
            "450.80");
  for (const char *text : {"", "535", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535  Sat",
                           "NVRM version: Kernel Module 1.2.3.4", "NVRM version: Kernel Module abc",
                           "Kernel Module  535.104.05"})
    EXPECT_EQ(kernelRelease(text), "") << text;
}
