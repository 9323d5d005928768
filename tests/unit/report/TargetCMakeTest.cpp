#include "driver/report/TargetCMake.h"
#include <gmock/gmock.h>

using namespace cudacc;
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

// A path is data, whatever it holds.
TEST(TargetCMake, quotesWhatCMakeWouldRead) {
  std::string text = report::targetCMake({}, {{"x", {"/a;b\"c\\d${e}"}, {}}});
  EXPECT_THAT(text, HasSubstr("\"/a\\;b\\\"c\\\\d\\${e}\")"));
}
