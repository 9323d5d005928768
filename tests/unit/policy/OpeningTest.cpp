// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Opening.h"
#include <gmock/gmock.h>

using namespace cudacc;
using policy::OpenedPart;
using policy::partsOpenedBy;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

static core::Target target() {
  core::Target made;
  made.line = {12, 4};
  core::TargetLibrary row;
  row.soname = "libcudnn.so.9";
  row.dist = "nvidia-cudnn-cu12";
  row.version = *versions::Version::parse("9.1.0.70");
  made.libraries.push_back(row);
  row.soname = "libnvrtc.so.12";
  row.dist = "nvidia-cuda-nvrtc-cu12";
  row.version = *versions::Version::parse("12.4.127");
  made.libraries.push_back(row);
  return made;
}

static std::vector<std::string> sonamesOf(llvm::ArrayRef<OpenedPart> parts) {
  std::vector<std::string> names;
  for (const OpenedPart &part : parts)
    names.push_back(part.soname);
  return names;
}

TEST(Opening, cudnnCompletesTheNamesOfItsPartsByItsVersion) {
  std::vector<OpenedPart> parts = partsOpenedBy("libcudnn.so.9", target());
  EXPECT_THAT(sonamesOf(parts), ElementsAre("libcudnn_adv.so.9", "libcudnn_cnn.so.9",
                                            "libcudnn_graph.so.9", "libcudnn_ops.so.9"));
  EXPECT_THAT(parts.back().names, ElementsAre("libcudnn_ops.so.9.1.0", "libcudnn_ops.so.9.1",
                                              "libcudnn_ops.so.9", "libcudnn_ops.so"));
}

TEST(Opening, aPartHasTheFunctionsOfItsWheel) {
  core::Target newer = target();
  newer.libraries.front().version = *versions::Version::parse("9.10.2.21");
  auto graphOf = [](const core::Target &target) {
    return policy::functionsOf(partsOpenedBy("libcudnn.so.9", target)[2]);
  };
  EXPECT_THAT(graphOf(newer), Contains("cudnnGetLibConfig"));
  EXPECT_THAT(graphOf(newer), Not(Contains("logerr_dbg")));
  EXPECT_THAT(graphOf(target()), Not(Contains("cudnnGetLibConfig")));
  EXPECT_THAT(graphOf(target()), Contains("cudnnGetVersion"));
}

TEST(Opening, aCopyOpensWhatItsOriginalDoes) {
  EXPECT_EQ(sonamesOf(partsOpenedBy("libcudnn-0badf00d.so.9.1.0", target())),
            sonamesOf(partsOpenedBy("libcudnn.so.9", target())));
  EXPECT_THAT(partsOpenedBy("libcudnn-0badf00d.so.9.99.0", target()), IsEmpty());
}

TEST(Opening, aNameWithAVersionIsTheOnlyOne) {
  std::vector<OpenedPart> parts = partsOpenedBy("libnvrtc.so.12", target());
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_THAT(parts[0].names, ElementsAre("libnvrtc-builtins.so.12.4"));
  EXPECT_THAT(partsOpenedBy("libfoo.so.1", target()), IsEmpty());
}

TEST(Opening, whatALibraryDoesWithoutIsNoPart) {
  core::Target made = target();
  made.libraries[0].soname = "libcufile.so.0";
  made.libraries[0].dist = "nvidia-cufile";
  made.libraries[0].version = *versions::Version::parse("1.15.1.6");
  EXPECT_THAT(partsOpenedBy("libcufile.so.0", made), IsEmpty());
}

// What lies between two versions that differ may be as the one or the other.
TEST(Opening, whatAVersionThatWasNotReadOpensIsNotKnown) {
  core::Target made = target();
  made.libraries[1].version = *versions::Version::parse("12.4.999");
  EXPECT_THAT(partsOpenedBy("libnvrtc.so.12", made), IsEmpty());
}

TEST(Opening, aPartSaysWhatFollowsWithoutIt) {
  std::vector<OpenedPart> cudnn = partsOpenedBy("libcudnn.so.9", target());
  EXPECT_TRUE(cudnn[0].endsProcess);
  EXPECT_EQ(cudnn[0].raises, "Invalid handle. Cannot load symbol");
  EXPECT_FALSE(partsOpenedBy("libnvrtc.so.12", target())[0].endsProcess);
}

TEST(Opening, aCopyOfAPartOpensWhatThePartDoes) {
  core::Target made = target();
  made.libraries[0].soname = "libcudnn_ops.so.9";
  EXPECT_EQ(sonamesOf(partsOpenedBy("libcudnn_ops-0badf00d.so.9.1.0", target())),
            sonamesOf(partsOpenedBy("libcudnn_ops.so.9", made)));
}

TEST(Opening, thePartOfAnotherWheelHasFunctionsOfItsOwn) {
  OpenedPart part = partsOpenedBy("libcudnn.so.9", target())[2];
  EXPECT_THAT(policy::functionsOf(part), Not(IsEmpty()));
  part.dist = "nvidia-cudnn";
  EXPECT_THAT(policy::functionsOf(part), IsEmpty());
  part.soname = "libcudla.so.1";
  EXPECT_THAT(policy::functionsOf(part), IsEmpty()) << "it was not read";
}
