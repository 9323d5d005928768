// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/PlaceRequirement.h"
#include <gmock/gmock.h>

using cudacc::versions::PlaceRequirement;
using Kind = PlaceRequirement::Kind;

TEST(PlaceRequirement, environments) {
  auto named = PlaceRequirement::parse(" env: .venv ");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->kind, Kind::Environment);
  EXPECT_EQ(named->path, ".venv");
  EXPECT_FALSE(named->isActive);
  EXPECT_EQ(named->at("/w/.venv"), "env:/w/.venv");
  auto active = PlaceRequirement::parse(" env ");
  ASSERT_TRUE(active);
  EXPECT_TRUE(active->isActive);
  EXPECT_EQ(active->path, "");
}

TEST(PlaceRequirement, locks) {
  auto lock = PlaceRequirement::parse("lock:uv.lock");
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->kind, Kind::Lock);
  EXPECT_EQ(lock->path, "uv.lock");
  EXPECT_EQ(lock->at("/w/uv.lock"), "lock:/w/uv.lock");
}

TEST(PlaceRequirement, aMissingPathIsNotTheActiveEnvironment) {
  auto empty = PlaceRequirement::parse("env:");
  ASSERT_TRUE(empty);
  EXPECT_FALSE(empty->isActive);
  EXPECT_EQ(empty->path, "");
}

TEST(PlaceRequirement, otherRequirementsAreNone) {
  for (const char *text : {"", "torch==2.5.1", "environment", "locks", "lock", "Env", "env :x"})
    EXPECT_FALSE(PlaceRequirement::parse(text)) << text;
}
