// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Symbols.h"
#include <gtest/gtest.h>

using namespace cudacc;

TEST(NvJitLink, suffixes) {
  EXPECT_EQ(tables::nvJitLinkSuffix("__nvJitLinkCreate_12_5"), (versions::CudaVersion{12, 5}));
  for (const char *symbol :
       {"", "Create", "nvJitLinkCreate", "__nvJitLink", "__nvJitLink_12_5", "__nvJitLinkCreate",
        "__nvJitLinkCreate_12", "__nvJitLinkCreate_12_", "__nvJitLinkCreate_+1_5",
        "__nvJitLinkCreate_x_5", "cudaMalloc", "__nvJitLinkCreate_12_99999999999"})
    EXPECT_FALSE(tables::nvJitLinkSuffix(symbol)) << symbol;
}
