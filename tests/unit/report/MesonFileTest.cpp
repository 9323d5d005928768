// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/DirectoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

static core::ToolchainDirectory mesonDirectory() {
  core::ToolchainDirectory directory;
  directory.path = "/it's";
  directory.nvcc = "/c/bin/nvcc";
  directory.compilers = {{"aarch64-linux-gnu-g++", "/x/aarch64-linux-gnu-g++"},
                         {"aarch64-linux-gnu-gcc", "/x/aarch64-linux-gnu-gcc"}};
  return directory;
}

TEST(MesonFile, forThisMachineNamesCompilersOnly) {
  std::string text = report::mesonFile(mesonDirectory(), "");
  EXPECT_THAT(text, HasSubstr("cuda_cc = '''/it's'''\n"));
  EXPECT_THAT(text, HasSubstr("cuda = cuda_cc / 'bin/nvcc'\n"));
  EXPECT_THAT(text, Not(HasSubstr("host_machine")));
  EXPECT_THAT(text, Not(HasSubstr("ar =")));
}

TEST(MesonFile, forAnotherMachineNamesItAndItsBinutils) {
  std::string text =
      report::mesonFile(mesonDirectory(), "aarch64", {{"ar", "/x/aarch64-linux-gnu-ar"}});
  EXPECT_THAT(text, HasSubstr("c = [cuda_cc / 'bin/cuda-cc', '/x/aarch64-linux-gnu-gcc']\n"
                              "cpp = [cuda_cc / 'bin/cuda-cc', '/x/aarch64-linux-gnu-g++']\n"));
  EXPECT_THAT(text, HasSubstr("\nar = '/x/aarch64-linux-gnu-ar'\n"));
  EXPECT_THAT(text, EndsWith("[host_machine]\nsystem = 'linux'\ncpu_family = 'aarch64'\n"
                             "cpu = 'aarch64'\nendian = 'little'\n"));
}
