// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Needs.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::LibraryFloor;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::Exported;

static LibraryFloor floorOf(const char *dist, const char *version) {
  LibraryFloor floor;
  floor.soname = "libx.so.12";
  floor.dist = dist;
  floor.least = *versions::Version::parse(version);
  floor.requirement = std::string(dist) + ">=" + version + ",<13";
  return floor;
}

TEST(Needs, keepTheHighestVersionAndTheExceptionsAboveIt) {
  LibraryFloor lower = floorOf("x-cu12", "12.1"), higher = floorOf("x-cu12", "12.4");
  lower.exceptions = {"12.2", "12.4", "12.6"};
  for (std::vector<LibraryFloor> both : {std::vector{lower, higher}, {higher, lower}}) {
    policy::Needs needs;
    needs.add(both);
    EXPECT_THAT(needs.requirements(), ElementsAre("x-cu12>=12.4,<13,!=12.4,!=12.6"));
  }
}

TEST(Needs, leaveOutWhatNoWheelHas) {
  LibraryFloor unknown = floorOf("x-cu12", "12.1");
  unknown.least = {};
  policy::Needs needs;
  needs.add({floorOf("", "12.1"), unknown});
  EXPECT_THAT(needs.requirements(), IsEmpty());
}

TEST(Needs, nameWhatTheMetadataAsksForBeyondThem) {
  policy::Needs needs;
  needs.add(floorOf("x-cu12", "12.4"));
  needs.declared = {*versions::Requirement::parse("x-cu12>=12.5"),
                    *versions::Requirement::parse("x-cu12>=12.4"),
                    *versions::Requirement::parse("y-cu12>=12.9")};
  EXPECT_THAT(needs.declaredHigher(), ElementsAre("x-cu12>=12.5, by symbols >=12.4"));
}

TEST(Needs, onlyALowerBoundAsksForMore) {
  auto asksForMore = [](const char *specifiers, bool pins) {
    auto requirement = versions::Requirement::parse(std::string("x") + specifiers);
    return policy::asksForMore(requirement->specifiers, *versions::Version::parse("12.4"), pins);
  };
  for (const char *more : {">=12.5", ">12.4", "~=12.5", ">=12.0,>12.5"})
    EXPECT_TRUE(asksForMore(more, false)) << more;
  for (const char *other : {">=12.4", ">12.3", "~=12.4", "<=12.5", "<12.5", "!=12.5", "==12.5"})
    EXPECT_FALSE(asksForMore(other, false)) << other;
  EXPECT_TRUE(asksForMore("==12.5", true));
  EXPECT_FALSE(asksForMore("==12.3", true));
  EXPECT_FALSE(asksForMore("<=12.5", true));
}

TEST(Needs, areInTheOrderOfTheirNames) {
  policy::Needs needs;
  needs.add({floorOf("y-cu12", "12.1"), floorOf("x-cu12", "12.1")});
  EXPECT_THAT(needs.requirements(), ElementsAre("x-cu12>=12.1,<13", "y-cu12>=12.1,<13"));
}

TEST(Needs, ofAlternativesTheLowestVersionCounts) {
  LibraryFloor unknown = floorOf("y-cu12", "12.1");
  unknown.least = {};
  policy::Needs needs;
  needs.addAlternatives({{floorOf("x-cu12", "12.8"), floorOf("y-cu12", "12.8")},
                         {floorOf("x-cu12", "12.1"), floorOf("", "12.1"), unknown},
                         {floorOf("x-cu12", "12.4")}});
  EXPECT_THAT(needs.requirements(), ElementsAre("x-cu12>=12.1,<13", "y-cu12>=12.8,<13"));
  // Another file, which every runtime loads, raises it.
  needs.add(floorOf("x-cu12", "12.4"));
  EXPECT_THAT(needs.requirements(), ElementsAre("x-cu12>=12.4,<13", "y-cu12>=12.8,<13"));
}

TEST(Needs, nameTheRangeOfTorch) {
  policy::Needs needs;
  needs.torch.imports = 3;
  needs.torch.releases = {{"2.7.0", Exported::No},      {"2.8.0", Exported::Yes},
                          {"2.9.0", Exported::Unknown}, {"2.9.1", Exported::Yes},
                          {"2.10.0", Exported::Yes},    {"2.11.0", Exported::No}};
  EXPECT_THAT(needs.requirements(), ElementsAre("torch>=2.8,<2.11,!=2.9.0"));
  EXPECT_THAT(needs.cudaRequirements(), IsEmpty());
  // Torch on PyPI brings CUDA 12 up to 2.10.
  needs.torch.releases.back().has = Exported::Yes;
  EXPECT_THAT(needs.requirements(), ElementsAre("torch>=2.8,<=2.11.0,!=2.9.0"));
  needs.floors = {policy::floorOfAny("libcudart.so.12", 12)};
  EXPECT_THAT(needs.requirements().back(), "torch>=2.8,<2.11,!=2.9.0");
  EXPECT_EQ(needs.torchServing().text(), ">=2.8,<2.9 or >=2.9.1,<2.11 (not known: 2.7.1, 2.9.0)");
  needs.floors.clear();
  needs.torch.releases = {{"2.7.0", Exported::No}};
  EXPECT_THAT(needs.requirements(), IsEmpty());
}
