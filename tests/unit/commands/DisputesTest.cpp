// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Disputes.h"
#include "gmock/gmock.h"

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;

namespace {

constexpr const char *older = "pip uninstall a b && pip install nvidia-nccl-cu12==2.21.5";
constexpr const char *newer = "pip uninstall a b && pip install nvidia-nccl-cu13==2.28.9";

Finding dispute() {
  Finding finding;
  finding.code = Code::EvidenceConflict;
  finding.facts = {{"library", "/site/nvidia/nccl/lib/libnccl.so.2"},
                   {"claimed by", "nvidia-nccl-cu12 2.21.5"},
                   {"claimed by", "nvidia-nccl-cu13 2.28.9"}};
  finding.fixes = {older, newer};
  return finding;
}

std::vector<std::string> cured(const Finding &problem, const char *library, const char *symbol,
                               Severity severity = Severity::Error) {
  std::vector<Finding> findings(1);
  findings[0].severity = severity;
  findings[0].library = library;
  findings[0].symbol = symbol;
  findings[0].fixes = {"raise it"};
  commands::addCures(problem, findings);
  return findings[0].fixes;
}

} // namespace

TEST(Disputes, areCuredByWhatHasTheName) {
  EXPECT_THAT(cured(dispute(), "libnccl.so.2", "ncclCommShrink"), ElementsAre(newer, "raise it"));
  EXPECT_THAT(cured(dispute(), "libnccl.so.2", "ncclCommAbort"),
              ElementsAre(older, newer, "raise it"));
  EXPECT_THAT(cured(dispute(), "libnccl.so.2", ""), ElementsAre(older, newer, "raise it"));
  EXPECT_THAT(cured(dispute(), "libnccl.so.2", "nobodyHasThis"), ElementsAre("raise it"));
}

TEST(Disputes, areOfTheLibraryThatAnErrorIsAbout) {
  EXPECT_THAT(cured(dispute(), "libcudnn.so.9", ""), ElementsAre("raise it"));
  EXPECT_THAT(cured(dispute(), "libnccl.so.2", "", Severity::Warning), ElementsAre("raise it"));
  // Of one wheel's damaged file its own finding says all.
  Finding damaged = dispute();
  damaged.facts.pop_back();
  EXPECT_THAT(cured(damaged, "libnccl.so.2", ""), ElementsAre("raise it"));
  Finding other = dispute();
  other.code = Code::UnreadableFile;
  EXPECT_THAT(cured(other, "libnccl.so.2", ""), ElementsAre("raise it"));
}

TEST(Disputes, WheelsOfAnotherMajorAreReplacedFirst) {
  Finding variant;
  variant.code = Code::Variant;
  variant.facts = {{"library", "/site/nvidia/nccl/lib/libnccl.so.2"}};
  variant.fixes = {newer};
  EXPECT_THAT(cured(variant, "libnccl.so.2", "ncclAlltoAll"), ElementsAre(newer, "raise it"));
  EXPECT_THAT(cured(variant, "libcudnn.so.9", ""), ElementsAre("raise it"));
}
