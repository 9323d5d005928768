// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/WheelName.h"
#include <gtest/gtest.h>

using cudacc::versions::WheelName;

TEST(WheelName, hasTags) {
  auto name =
      WheelName::parse("x_y-1.0+cu124-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->name, "x_y");
  EXPECT_EQ(name->version, "1.0+cu124");
  EXPECT_EQ(name->build, "");
  EXPECT_EQ(name->tags(), "cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64");
  EXPECT_EQ(name->variant, "");
}

TEST(WheelName, mayHaveABuildTagAndAVariantLabel) {
  auto name = WheelName::parse("x-1-2b-py3-none-linux_aarch64-cu12.0_sm80.whl");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->build, "2b");
  EXPECT_EQ(name->python, "py3");
  EXPECT_EQ(name->platform, "linux_aarch64");
  EXPECT_EQ(name->variant, "cu12.0_sm80");
  name = WheelName::parse("x-1-py3-none-any-null.whl");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->build, "");
  EXPECT_EQ(name->variant, "null");
}

TEST(WheelName, isNoneOfAnotherFile) {
  for (const char *file :
       {"x.whl", "x-1-py3-none.whl", "x-1-py3-none-any.zip", "x-1--py3-none-any.whl",
        "x-1-1-py3-none-any-a-b.whl", "x-1-1-py3-none.whl", ".whl", ""})
    EXPECT_FALSE(WheelName::parse(file)) << file;
}
