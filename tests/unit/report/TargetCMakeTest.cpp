// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/DirectoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(TargetCMake, namesLibrariesAsTheModuleLooksForThem) {
  core::Declaration declaration;
  declaration.runtime = {{"torch==2.5.1", {}}, {"sm>=80", {}}};
  std::string text = report::targetCMake(
      declaration, {{"cublasLt", {"$ORIGIN/../nvidia/cublas/lib", "$ORIGIN/nvidia/cublas/lib"}, {}},
                    {"nvrtc-builtins", {"$ORIGIN/a"}, {"/v/a"}},
                    {"cudart", {}, {}}});
  EXPECT_THAT(text, HasSubstr("PROPERTY CUDA_CC_RUNTIME \"torch==2.5.1\" \"sm>=80\")\n"));
  EXPECT_THAT(text,
              HasSubstr("PROPERTY CUDA_CC_SEARCH_PATH_cublaslt \"\\$ORIGIN/../nvidia/cublas/lib\" "
                        "\"\\$ORIGIN/nvidia/cublas/lib\")\n"));
  EXPECT_THAT(text, HasSubstr("PROPERTY CUDA_CC_PROGRAM_PATH_nvrtc_builtins \"/v/a\")\n"));
  EXPECT_THAT(text, Not(HasSubstr("cudart")));
}

// A path is escaped, whatever it contains.
TEST(TargetCMake, quotesWhatCMakeWouldRead) {
  std::string text = report::targetCMake({}, {{"x", {"/a;b\"c\\d${e}"}, {}}});
  EXPECT_THAT(text, HasSubstr("\"/a\\;b\\\"c\\\\d\\${e}\")"));
}

TEST(TargetCMake, saysTheMachineAndItsCompilers) {
  core::ToolchainDirectory directory;
  directory.machine = "aarch64";
  directory.compilers = {{"aarch64-linux-gnu-g++", "/x;y/aarch64-linux-gnu-g++"}};
  EXPECT_THAT(report::machineCMake(directory, "/usr/aarch64-linux-gnu"),
              EndsWith("\nset(CUDA_CC_MACHINE \"aarch64\")\n"
                       "set(CUDA_CC_CXX_COMPILER \"/x\\;y/aarch64-linux-gnu-g++\")\n"
                       "set(CUDA_CC_FIND_ROOT \"/usr/aarch64-linux-gnu\")\n"));
  EXPECT_THAT(report::machineCMake(directory, ""), Not(HasSubstr("FIND_ROOT")));
}
