// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Pins.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;

static policy::LowestPins pinsOf(std::initializer_list<const char *> requirements) {
  std::vector<versions::Requirement> parsed;
  for (const char *text : requirements)
    parsed.push_back(*versions::Requirement::parse(text));
  return policy::lowestPins(parsed);
}

TEST(CudaRequirements, areThoseOnTorchAndOnNvidiasWheels) {
  std::vector<versions::Requirement> parsed;
  for (const char *text :
       {"numpy>=1.20", "nvidia-nvjitlink-cu12>=12.5,<13", "torch @ https://example.org/torch.whl",
        "nvidia-cublas-cu12>=12.5; python_version < '3.9'", "torch>=2.5"})
    parsed.push_back(*versions::Requirement::parse(text));
  std::vector<std::string> texts;
  for (const versions::Requirement &each : policy::cudaRequirements(parsed))
    texts.push_back(each.text);
  EXPECT_THAT(texts, ElementsAre("nvidia-nvjitlink-cu12>=12.5,<13", "torch>=2.5"));
}

static std::vector<std::string> textsOf(const policy::LowestPins &lowest) {
  std::vector<std::string> texts;
  for (const policy::ExactPin &pin : lowest.pins)
    texts.push_back(pin.text());
  return texts;
}

TEST(Pins, areTheLowestVersionsThatAreAllowed) {
  EXPECT_THAT(textsOf(pinsOf({"nvidia-nvjitlink-cu12>=12.5,<13", "torch>=2.5,<2.8"})),
              ElementsAre("nvidia-nvjitlink-cu12==12.5.40", "torch==2.5.0"));
  EXPECT_THAT(textsOf(pinsOf({"nvidia-nvjitlink-cu12>=12.5,!=12.5.40,<13"})),
              ElementsAre("nvidia-nvjitlink-cu12==12.5.82"));
  EXPECT_THAT(textsOf(pinsOf({"cutensor-cu13>=2.3,<3", "cutensor-cu13>=2.3.1"})),
              ElementsAre("cutensor-cu13==2.3.1"));
  EXPECT_THAT(textsOf(pinsOf({"cutensornet-cu13>=2.9,<3", "nvidia-cudnn-cu12>=9.0,<10"})),
              ElementsAre("cutensornet-cu13==2.9.1", "nvidia-cudnn-cu12==9.0.0.312"));
}

TEST(Pins, leaveOtherRequirementsToTheInstaller) {
  EXPECT_THAT(textsOf(pinsOf({"numpy>=1.20", "torch @ https://example.org/torch-2.5.1.whl",
                              "nvidia-nvjitlink-cu12>=12.5; python_version < '3.9'"})),
              IsEmpty());
}

TEST(Pins, aRequirementThatNoKnownVersionSatisfiesIsAFinding) {
  policy::LowestPins lowest = pinsOf({"nvidia-nvjitlink-cu12>=99"});
  EXPECT_THAT(lowest.pins, IsEmpty());
  ASSERT_EQ(lowest.findings.size(), 1u);
  EXPECT_EQ(lowest.findings[0].code, core::Code::NoVersionAllowed);
}
