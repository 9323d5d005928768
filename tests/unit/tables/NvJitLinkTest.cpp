// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/NvJitLink.h"
#include <gtest/gtest.h>

using namespace cudacc;

namespace {

std::string first(const char *symbol, unsigned major) {
  auto line = tables::firstNvJitLinkWith(symbol, major);
  return line ? line->str() : "";
}

} // namespace

TEST(NvJitLink, SuffixIsTheLine) {
  EXPECT_EQ(first("__nvJitLinkCreate_12_5", 12), "12.5");
  EXPECT_EQ(first("__nvJitLinkCreate_12_0", 12), "12.0");
  EXPECT_EQ(first("__nvJitLinkCreate_13_1", 13), "13.1");
  EXPECT_EQ(first("__nvJitLinkCreate_12_5", 13), "");
}

// V-TG-18: GetLinkedLTOIR was added to every family with 13.2.
TEST(NvJitLink, SuffixIsALowerBound) {
  EXPECT_EQ(first("__nvJitLinkGetLinkedLTOIR_13_0", 13), "13.2");
  EXPECT_EQ(first("__nvJitLinkGetLinkedLTOIR_13_4", 13), "13.4");
  EXPECT_EQ(first("__nvJitLinkGetLinkedLTOIR_12_5", 12), "");
}

// TG-6, V-TG-15: plain names exist from 12.3 on, and from 13.0.
TEST(NvJitLink, PlainNames) {
  EXPECT_EQ(first("nvJitLinkCreate", 12), "12.3");
  EXPECT_EQ(first("nvJitLinkCreate", 13), "13.0");
  EXPECT_EQ(first("nvJitLinkGetLinkedLTOIR", 13), "13.2");
  EXPECT_EQ(first("__nvJitLinkAPI", 12), "12.4");
}

TEST(NvJitLink, OtherSymbols) {
  for (const char *symbol :
       {"", "Create", "nvJitLink", "__nvJitLink", "__nvJitLink_12_5", "__nvJitLinkCreate",
        "__nvJitLinkCreate_12", "__nvJitLinkCreate_x_5", "cudaMalloc", "nvJitLinkNoSuch",
        "__nvJitLinkNoSuch_12_5", "__nvJitLinkCreate_12_99999999999"})
    EXPECT_EQ(first(symbol, 12), "") << symbol;
}

TEST(NvJitLink, Suffixes) {
  EXPECT_EQ(tables::nvJitLinkSuffix("__nvJitLinkCreate_12_5"), (versions::CudaVersion{12, 5}));
  EXPECT_FALSE(tables::nvJitLinkSuffix("nvJitLinkCreate"));
  EXPECT_FALSE(tables::nvJitLinkSuffix("__nvJitLinkCreate_12_"));
  EXPECT_FALSE(tables::nvJitLinkSuffix("__nvJitLinkCreate_+1_5"));
}
