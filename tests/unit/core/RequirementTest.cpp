#include "driver/core/Version.h"
#include <gmock/gmock.h>

using cudacc::core::Requirement;
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

TEST(Requirement, LocalLabel) {
  auto tagged = Requirement::parse("torch==2.6.0+cu126");
  ASSERT_TRUE(tagged);
  EXPECT_THAT(tagged->specifiers.clauses.at(0).version.local, ElementsAre("cu126"));
}

TEST(Requirement, RefusesOtherText) {
  for (const char *text :
       {"", "  ", "==12.4", "torch 2.5.1", "torch=2.5.1", "torch[", "torch[a", "torch[a,]",
        "torch[,a]", "torch(>=2", "torch>=2)", "-torch", "torch-==2", "torch @ file:///x",
        "torch>=2; python_version>'3'", "torch==2.5.1 x", "t\xc3\xb6rch==2", "[a]", "torch]"})
    EXPECT_FALSE(Requirement::parse(text)) << text;
}
