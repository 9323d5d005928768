// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Requirements.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::policy;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using cudacc::test::import;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// The needs of a file with one import.
WheelLine line(const char *soname, const char *symbol, unsigned major = 12,
               const char *extra = "") {
  return {extra, major, floorsOf(extension({import(soname, symbol)}), major)};
}
WheelLine jitLink() { return line("libnvJitLink.so.12", "__nvJitLinkCreate_12_5"); }

WheelCase declaring(std::vector<const char *> requirements, WheelLine needs = jitLink()) {
  WheelCase wheel;
  wheel.lines = {std::move(needs)};
  for (const char *text : requirements)
    wheel.declared.push_back(*Requirement::parse(text));
  return wheel;
}

TorchRange torchSince(const char *first) {
  TorchRange range = torchThatServes({}, TorchRange());
  bool has = false;
  for (TorchRange::Release &each : range.releases) {
    has |= each.release == first;
    each.has = has ? Exported::Yes : Exported::No;
  }
  return range;
}

std::string fact(const Finding &finding, const char *label) {
  return BinaryJudging::fact(finding, label);
}
std::vector<std::string> labels(const Finding &finding) { return BinaryJudging::labels(finding); }

std::vector<Code> codesOf(const WheelRequirements &requirements) {
  std::vector<Code> codes;
  for (const Finding &finding : requirements.findings)
    codes.push_back(finding.code);
  return codes;
}

} // namespace

// WR-4
TEST(WheelRequirements, aWheelPerLibraryWithItsFloor) {
  WheelRequirements found = requirementsOf(declaring({}));
  EXPECT_EQ(found.mode, RequiresMode::Nvidia);
  EXPECT_THAT(found.added,
              ElementsAre("nvidia-nvjitlink-cu12>=12.5,<13; sys_platform == \"linux\""));
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_THAT(found.extras, IsEmpty());
}

TEST(WheelRequirements, theNamesOfCuda13) {
  WheelRequirements found =
      requirementsOf(declaring({}, line("libnvJitLink.so.13", "nvJitLinkCreate", 13)));
  EXPECT_THAT(found.added, ElementsAre("nvidia-nvjitlink>=13.0,<14; sys_platform == \"linux\""));
}

TEST(WheelRequirements, whatTheMetadataStateIsNotRepeated) {
  EXPECT_THAT(requirementsOf(declaring({"nvidia-nvjitlink-cu12>=12.6,<12.9"})).added, IsEmpty());
  EXPECT_THAT(requirementsOf(declaring({"nvidia-nvjitlink-cu12==12.6.*"})).stated, SizeIs(1));
  EXPECT_THAT(requirementsOf(declaring({"nvidia-nvjitlink-cu12"})).added, SizeIs(1));
  EXPECT_THAT(requirementsOf(declaring({"nvidia-nvjitlink-cu12>=12.6"})).added, SizeIs(1));
  // It holds on some versions of Python only.
  EXPECT_THAT(
      requirementsOf(declaring({"nvidia-nvjitlink-cu12==12.6.*; python_version < '3.9'"})).added,
      SizeIs(1));
}

TEST(WheelRequirements, whatTheMetadataExcludeIsAContradiction) {
  WheelRequirements found = requirementsOf(declaring({"nvidia-nvjitlink-cu12==12.4.127"}));
  ASSERT_THAT(codesOf(found), ElementsAre(Code::RequirementContradicts));
  EXPECT_THAT(found.findings[0].facts[0].text,
              HasSubstr("Requires-Dist: nvidia-nvjitlink-cu12==12.4.127"));
  EXPECT_EQ(found.findings[0].facts[1].text, "nvidia-nvjitlink-cu12>=12.5,<13");
  for (const char *other : {"nvidia-nvjitlink-cu12>=12.4", "nvidia-cublas-cu12==12.4.5.8",
                            "nvidia-nvjitlink-cu12 @ https://a.example/nvjitlink.whl"})
    EXPECT_THAT(codesOf(requirementsOf(declaring({other}))), IsEmpty()) << other;
}

TEST(WheelRequirements, torchIsTheDefaultWhereItIsNeeded) {
  WheelCase wheel = declaring({"torch"});
  EXPECT_EQ(requirementsOf(wheel).mode, RequiresMode::Torch);
  wheel.declared.clear();
  wheel.needsTorch = true;
  WheelRequirements found = requirementsOf(wheel);
  EXPECT_EQ(found.mode, RequiresMode::Torch);
  ASSERT_THAT(found.added, SizeIs(1));
  // 2.6 is the first whose wheels have nvJitLink 12.5 or newer, 2.11 the first of CUDA 13.
  EXPECT_THAT(found.added[0], testing::StartsWith("torch>=2.7,<2.11"));
  EXPECT_THAT(found.added[0], HasSubstr("; sys_platform == \"linux\""));
  wheel.mode = RequiresMode::Nvidia;
  EXPECT_THAT(requirementsOf(wheel).added[0], HasSubstr("nvidia-nvjitlink-cu12"));
  wheel.mode = RequiresMode::None;
  EXPECT_THAT(requirementsOf(wheel).added, IsEmpty());
}

TEST(WheelRequirements, torchsOwnNamesNarrowItsRange) {
  WheelCase wheel = declaring({});
  wheel.needsTorch = true;
  wheel.torch = torchSince("2.9.0");
  WheelRequirements found = requirementsOf(wheel);
  ASSERT_THAT(found.added, SizeIs(1));
  EXPECT_THAT(found.added[0], testing::StartsWith("torch>=2.9,<2.11"));
}

TEST(WheelRequirements, aTorchOfAnotherMajorIsAContradiction) {
  WheelCase wheel = declaring({"torch==2.9.1"}, line("libnvJitLink.so.13", "nvJitLinkCreate", 13));
  WheelRequirements found = requirementsOf(wheel);
  ASSERT_THAT(codesOf(found), ElementsAre(Code::RequirementContradicts));
  EXPECT_THAT(found.findings[0].facts[0].text, HasSubstr("torch==2.9.1"));
  // Torch's names end before the first release that has this major.
  wheel = declaring({}, line("libnvJitLink.so.13", "nvJitLinkCreate", 13));
  wheel.needsTorch = true;
  wheel.torch = torchSince("2.0.0");
  for (TorchRange::Release &each : wheel.torch.releases)
    if (each.release != "2.5.1")
      each.has = Exported::No;
  wheel.lines[0].floors.push_back(floorOfAny("libcutensor.so.2", 13));
  found = requirementsOf(wheel);
  ASSERT_THAT(codesOf(found), ElementsAre(Code::RequirementContradicts));
  EXPECT_EQ(fact(found.findings[0], "torch's names"), "torch>=2.5.1,<2.6");
  EXPECT_THAT(labels(found.findings[0]),
              ElementsAre("torch's names", "files need", "builds of torch"));
  EXPECT_THAT(found.findings[0].fixes, ElementsAre("build with the CUDA of torch>=2.5.1,<2.6"));
}

TEST(WheelRequirements, whatTorchDoesNotBringIsRequiredBesideIt) {
  WheelCase wheel = declaring({"torch"}, line("libcutensor.so.2", "cutensorCreate"));
  ASSERT_THAT(wheel.lines[0].floors, SizeIs(1));
  WheelRequirements found = requirementsOf(wheel);
  ASSERT_THAT(found.added, Not(IsEmpty()));
  EXPECT_THAT(found.added[0], HasSubstr("cutensor-cu12>="));
}

TEST(WheelRequirements, severalLinesAreExtras) {
  WheelCase wheel;
  wheel.lines = {line("libnvJitLink.so.12", "__nvJitLinkCreate_12_5", 12, "cu12"),
                 line("libnvJitLink.so.13", "nvJitLinkCreate", 13, "cu13")};
  WheelRequirements found = requirementsOf(wheel);
  EXPECT_THAT(found.extras, ElementsAre("cu12", "cu13"));
  EXPECT_THAT(
      found.added,
      ElementsAre(
          "nvidia-nvjitlink-cu12>=12.5,<13; sys_platform == \"linux\" and extra == \"cu12\"",
          "nvidia-nvjitlink>=13.0,<14; sys_platform == \"linux\" and extra == \"cu13\""));
}

TEST(WheelRequirements, aNameThatNoVersionExportsIsUnknown) {
  WheelCase wheel = declaring({}, line("libcublas.so.12", "cublasNoSuchThing_v9"));
  WheelRequirements found = requirementsOf(wheel);
  ASSERT_THAT(codesOf(found), ElementsAre(Code::NoRequirement));
  EXPECT_THAT(labels(found.findings[0]), ElementsAre("no version has"));
  EXPECT_EQ(fact(found.findings[0], "no version has"), "cublasNoSuchThing_v9");
  std::swap(wheel.lines[0].floors[0].deciding, wheel.lines[0].floors[0].unknown);
  EXPECT_THAT(labels(requirementsOf(wheel).findings[0]), ElementsAre("not in the tables"));
  wheel.mode = RequiresMode::None;
  EXPECT_THAT(codesOf(requirementsOf(wheel)), IsEmpty());
}

TEST(WheelRequirements, theDriverIsInNoWheel) {
  WheelRequirements found = requirementsOf(declaring({}, line("libcuda.so.1", "cuInit")));
  EXPECT_THAT(found.added, IsEmpty());
  EXPECT_THAT(found.findings, IsEmpty());
}

TEST(WheelRequirements, twoLibrariesOfOneWheelAreOneRequirement) {
  WheelLine both;
  both.floors = {floorOfAny("libcublas.so.12", 12), floorOfAny("libcublasLt.so.12", 12)};
  EXPECT_THAT(requirementsOf(declaring({}, both)).added, SizeIs(1));
}

TEST(WheelRequirements, anyTorchServesWhatUsesNeitherItsNamesNorItsLibraries) {
  WheelCase wheel = declaring({}, line("libcutensor.so.2", "cutensorCreate"));
  wheel.needsTorch = true;
  EXPECT_THAT(requirementsOf(wheel).added,
              ElementsAre(HasSubstr("cutensor-cu12"), "torch; sys_platform == \"linux\""));
}

TEST(WheelRequirements, modesHaveNames) {
  EXPECT_EQ(parseRequiresMode("torch"), RequiresMode::Torch);
  EXPECT_EQ(parseRequiresMode("Torch"), std::nullopt);
  for (RequiresMode mode : {RequiresMode::Nvidia, RequiresMode::Torch, RequiresMode::None})
    EXPECT_EQ(parseRequiresMode(str(mode)), mode);
}

// WR-4
TEST(WheelRequirements, aLibraryOfAnOpenMajorIsNotOmitted) {
  WheelCase wheel;
  wheel.open["libcudnn.so.9"] = {"nvidia-cudnn-cu12", "nvidia-cudnn-cu13"};
  WheelRequirements found = requirementsOf(wheel);
  EXPECT_THAT(codesOf(found), ElementsAre(Code::NoRequirement));
  EXPECT_THAT(found.findings.front().message, HasSubstr("libcudnn.so.9"));
  wheel.mode = RequiresMode::None;
  EXPECT_THAT(codesOf(requirementsOf(wheel)), IsEmpty());
  wheel.mode = RequiresMode::Torch;
  EXPECT_THAT(codesOf(requirementsOf(wheel)), IsEmpty());
  wheel.open = {{"libcutensor.so.2", {"cutensor-cu12", "cutensor-cu13"}}};
  EXPECT_THAT(codesOf(requirementsOf(wheel)), ElementsAre(Code::NoRequirement));
}

/// A file of CUDA 13 with `torch==2.9.0`, of which PyPI has a wheel of CUDA 12.8.
static WheelCase ofCuda13(const char *tag) {
  WheelCase wheel = declaring({"torch==2.9.0"}, line("libcudart.so.13", "cudaMalloc", 13));
  wheel.torchTag = tag;
  return wheel;
}

TEST(WheelRequirements, theBuildsOfTorchAreThoseOfTheIndexThatTheWheelIsFor) {
  WheelRequirements found = requirementsOf(ofCuda13(""));
  ASSERT_THAT(codesOf(found), ElementsAre(Code::RequirementContradicts));
  EXPECT_THAT(found.findings.front().fixes,
              testing::Contains(HasSubstr("--runtime torch==2.9.0+cu130")));
  EXPECT_THAT(codesOf(requirementsOf(ofCuda13("cu130"))), IsEmpty());
  found = requirementsOf(ofCuda13("cu128"));
  ASSERT_THAT(codesOf(found), ElementsAre(Code::RequirementContradicts));
  EXPECT_THAT(labels(found.findings[0]), ElementsAre("files need", "builds of torch"));
  EXPECT_THAT(found.findings[0].fixes, ElementsAre("cuda-cc wheel repair --requires nvidia"));
  EXPECT_THAT(codesOf(requirementsOf(ofCuda13("cu999"))), ElementsAre(Code::NoRequirement));
}

TEST(TorchTag, comesFromTheRequirementTheVersionOrTheRuntime) {
  auto tag = [](const char *version, std::vector<const char *> requirements,
                std::vector<std::string> torches = {}) {
    return torchTagOf(version, declaring(requirements).declared, torches);
  };
  EXPECT_EQ(tag("1.0", {"torch==2.9.0+cu130"}), "cu130");
  EXPECT_EQ(tag("1.0+pt29.cu126", {"torch==2.9.0"}), "cu126");
  EXPECT_EQ(tag("1.0", {"torch==2.9.0"}, {"2.9.0+cu130"}), "cu130");
  // PyPI's own build, builds of several indexes, and a label that names no line.
  EXPECT_EQ(tag("1.0", {"torch==2.9.0"}, {"2.9.0+cu128"}), "");
  EXPECT_EQ(tag("1.0", {}, {"2.9.0+cu130", "2.9.0+cu126"}), "");
  EXPECT_EQ(tag("1.0+local.1", {"torch==2.9.0"}), "");
  EXPECT_EQ(tag("1.0+cu92", {"torchvision==0.24.0+cu130", "torch!=2.9.0+cu126"}), "cu92");
  for (const char *other : {"1.0+cu", "1.0+cu9", "1.0+cuda", "1.0+20261129"})
    EXPECT_EQ(tag(other, {}), "") << other;
}

TEST(HigherTorchBounds, areAboveTheOldestReleaseThatServes) {
  auto higher = [](const WheelCase &wheel) {
    std::vector<std::string> texts;
    for (const HigherBound &each : higherTorchBounds(wheel))
      texts.push_back(fmt::format("{} {}", each.declared, each.least));
    return texts;
  };
  // 2.7 is the first whose wheels have nvJitLink 12.5 or newer.
  EXPECT_THAT(higher(declaring({"torch>=2.9", "torchvision>=0.24"})),
              ElementsAre("torch>=2.9 2.7.0"));
  EXPECT_THAT(higher(declaring({"torch>=2.7"})), IsEmpty());
  EXPECT_THAT(higher(declaring({"torch==2.9.1"})), IsEmpty());
  WheelCase wheel = declaring({"torch>=2.9"});
  wheel.torchTag = "cu999";
  EXPECT_THAT(higher(wheel), IsEmpty());
  wheel = declaring({"torch>=2.9"});
  wheel.lines.push_back(wheel.lines.front());
  EXPECT_THAT(higher(wheel), IsEmpty());
  wheel.lines.clear();
  wheel.torch = torchSince("2.8.0");
  EXPECT_THAT(higher(wheel), ElementsAre("torch>=2.9 2.8.0"));
}
