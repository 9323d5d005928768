// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Arch.h"
#include <gmock/gmock.h>

using cudacc::versions::Arch;

TEST(Arch, readsEverySpelling) {
  for (const char *text : {"sm_90a", "compute_90a", "lto_90a", "90a"})
    EXPECT_EQ(Arch::parse(text), (Arch{90, 'a'})) << text;
  EXPECT_EQ(Arch::parse("sm_103f")->str(), "sm_103f");
  EXPECT_EQ(Arch::parse("120")->str("compute_"), "compute_120");
  EXPECT_EQ(Arch::parse("sm_103")->major(), 10u);
  EXPECT_EQ(Arch::parse("sm_103")->minor(), 3u);
}

TEST(Arch, refusesOtherText) {
  for (const char *text :
       {"", "sm_", "9", "sm_090", "90b", "sm_90aa", "native", "1000", "sm_9a", "+90"})
    EXPECT_FALSE(Arch::parse(text)) << text;
}
