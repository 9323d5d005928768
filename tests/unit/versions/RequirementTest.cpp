// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Requirement.h"
#include <gmock/gmock.h>

using cudacc::versions::Requirement;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Requirement, NameExtrasSpecifiers) {
  auto full = Requirement::parse(" Jax[Cuda_12, x ] >= 0.4 , <0.5 ");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->name, "jax");
  EXPECT_THAT(full->extras, ElementsAre("cuda-12", "x"));
  EXPECT_EQ(full->specifiers.str(), ">=0.4,<0.5");
  EXPECT_EQ(full->text, "Jax[Cuda_12, x ] >= 0.4 , <0.5");
}

TEST(Requirement, NameAlone) {
  auto bare = Requirement::parse("Nvidia_.-cuBLAS--cu12");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->name, "nvidia-cublas-cu12");
  EXPECT_THAT(bare->specifiers.clauses, IsEmpty());
  EXPECT_TRUE(Requirement::parse("torch[]"));
}

TEST(Requirement, Parenthesised) {
  auto old = Requirement::parse("torch (>=2.5, <3)");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->specifiers.str(), ">=2.5,<3");
}

TEST(Requirement, CommaAtTheEnd) {
  for (const char *text :
       {"torch>=2.5,<3,", "torch (>=2.5,<3,)", "torch>=2.5,<3 , ; extra == 'x'"}) {
    auto requirement = Requirement::parse(text);
    ASSERT_TRUE(requirement) << text;
    EXPECT_EQ(requirement->specifiers.str(), ">=2.5,<3");
  }
  for (const char *text : {"torch,", "torch (,)", "torch>=2.5,,", "torch,>=2.5"})
    EXPECT_FALSE(Requirement::parse(text)) << text;
}

TEST(Requirement, LocalLabel) {
  auto tagged = Requirement::parse("torch==2.6.0+cu126");
  ASSERT_TRUE(tagged);
  EXPECT_THAT(tagged->specifiers.clauses.at(0).version.local, ElementsAre("cu126"));
}

TEST(Requirement, RefusesOtherText) {
  for (const char *text : {"", "  ", "==12.4", "torch 2.5.1", "torch=2.5.1", "torch[", "torch[a",
                           "torch[a,]", "torch[,a]", "torch(>=2", "torch>=2)", "-torch",
                           "torch-==2", "torch==2.5.1 x", "t\xc3\xb6rch==2", "[a]", "torch]"})
    EXPECT_FALSE(Requirement::parse(text)) << text;
}

// PEP 508, "Examples", and the forms that lock files contain.
TEST(Requirement, Marker) {
  auto both = Requirement::parse("nvidia-nccl-cu12==2.21.5 ; platform_system == 'Linux' and "
                                 "platform_machine == \"x86_64\"");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->specifiers.str(), "==2.21.5");
  ASSERT_TRUE(both->marker);
  EXPECT_EQ(both->marker->evaluate(cudacc::versions::MarkerEnvironment::linux("x86_64")),
            cudacc::versions::Truth::True);
  EXPECT_EQ(both->marker->evaluate(cudacc::versions::MarkerEnvironment::linux("aarch64")),
            cudacc::versions::Truth::False);
  EXPECT_TRUE(Requirement::parse("torch;python_version>'3'")->marker);
  EXPECT_FALSE(Requirement::parse("torch;"));
  EXPECT_FALSE(Requirement::parse("torch; x == 1"));
}

TEST(Requirement, Url) {
  auto wheel = Requirement::parse(
      "torch [a] @ https://h/x;y/torch-2.5.1-cp311-cp311-linux_x86_64.whl ; os_name == 'posix'");
  ASSERT_TRUE(wheel);
  EXPECT_EQ(wheel->url, "https://h/x;y/torch-2.5.1-cp311-cp311-linux_x86_64.whl");
  EXPECT_THAT(wheel->extras, ElementsAre("a"));
  EXPECT_TRUE(wheel->marker);
  EXPECT_EQ(Requirement::parse("torch@file:///x")->url, "file:///x");
  EXPECT_FALSE(Requirement::parse("torch @"));
  EXPECT_FALSE(Requirement::parse("torch @ a b"));
}
