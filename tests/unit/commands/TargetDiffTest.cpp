// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/target/TargetDiff.h"
#include <gmock/gmock.h>

using namespace cudacc;

namespace {

core::TargetLibrary row(std::string soname, llvm::StringRef version) {
  core::TargetLibrary library;
  library.soname = std::move(soname);
  library.dist = "nvidia-x";
  library.version = versions::Version::parse(version).value_or(versions::Version());
  return library;
}

core::Target targetWith(std::vector<core::TargetLibrary> libraries) {
  core::Target target;
  target.declared = true;
  target.line = {12, 4};
  target.torch = "2.5.1";
  target.libraries = std::move(libraries);
  return target;
}

} // namespace

TEST(TargetDiff, originsAreNoDifference) {
  core::Target a = targetWith({row("liba.so.1", "1.0")}), b = a;
  b.libraries[0].origin = "pinned elsewhere";
  b.libraries[0].path = "/x/liba.so.1";
  EXPECT_TRUE(commands::diff(a, b).equal());
}

TEST(TargetDiff, versionsFloatsFoldersAndMissingRowsAre) {
  core::Target a = targetWith({row("liba.so.1", "1.0"), row("libb.so.1", "1.0")});
  core::Target b = targetWith({row("liba.so.1", "1.0"), row("libc.so.1", "1.0")});
  commands::TargetDiff diff = commands::diff(a, b);
  ASSERT_EQ(diff.libraries.size(), 2u);
  EXPECT_EQ(diff.same, 1u);
  EXPECT_TRUE(diff.libraries[0].a && !diff.libraries[0].b);
  EXPECT_TRUE(!diff.libraries[1].a && diff.libraries[1].b);
  b = a;
  b.libraries[0].version = *versions::Version::parse("1.1");
  EXPECT_FALSE(commands::diff(a, b).equal());
  b = a;
  b.libraries[0].floats = true;
  EXPECT_FALSE(commands::diff(a, b).equal());
  b = a;
  b.libraries[0].folder = "nvidia/cu13/lib";
  EXPECT_FALSE(commands::diff(a, b).equal());
}

TEST(TargetDiff, unknownIsNotLikeUnknownButForOneFile) {
  core::Target a = targetWith({row("liba.so.1", "?")});
  EXPECT_FALSE(commands::diff(a, a).equal());
  a.libraries[0].path = "/x/liba.so.1";
  EXPECT_TRUE(commands::diff(a, a).equal());
}

TEST(TargetDiff, theReleaseOfTorchCountsNotTheNameOfItsBuild) {
  core::Target a = targetWith({}), b = a;
  b.torch = "2.5.1+cu124";
  EXPECT_TRUE(commands::diff(a, b).equal());
  a.torch = "2.5.1+cu121";
  EXPECT_FALSE(commands::diff(a, b).equal());
  b.torch = "2.5.0";
  EXPECT_FALSE(commands::diff(a, b).equal());
}
