// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/UserTables.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/Runtime.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include "tests/unit/tables/UserTablesFile.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::tables;
using test::userTablesFile;
using test::userTablesWith;
using testing::HasSubstr;

namespace {

UserTables read(const std::string &text) {
  auto tables = readUserTables(text, "more.json");
  if (tables)
    return std::move(*tables);
  core::Finding finding = core::toFinding(tables.takeError());
  ADD_FAILURE() << finding.message << " at " << finding.facts.front().text;
  return {};
}

/// "CC2016 the facts file is broken: no "ctk" at more.json: torch_wheel_pins, row 1".
std::string problem(const std::string &text) {
  auto tables = readUserTables(text, "more.json");
  if (tables)
    return "none";
  core::Finding finding = core::toFinding(tables.takeError());
  EXPECT_FALSE(finding.fixes.empty());
  std::string said = core::str(finding.code) + " " + finding.message;
  for (const core::Fact &fact : finding.facts)
    said += "; " + fact.label + ": " + fact.text;
  return said;
}

std::string changed(const std::string &piece, const std::string &other) {
  return problem(userTablesWith(piece, other));
}

versions::Version version(const char *text) { return *versions::Version::parse(text); }

} // namespace

TEST(UserTables, AddsAReleaseOfTorch) {
  UserTables more = read(userTablesFile);
  TorchRelease torch = torchReleases(&more).back();
  EXPECT_EQ(torch.str(), "9.9.0");
  EXPECT_EQ(torch.defaultLine.str(), "13.6");
  auto lines = torchLines(torch);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].tag, "cu132");
  EXPECT_FALSE(lines[0].pinsKnown);
  EXPECT_FALSE(lines[0].toolkit);
  EXPECT_TRUE(lines[1].isDefault);
  EXPECT_EQ(lines[1].toolkit->str(), "13.6.1");
  EXPECT_EQ(defaultTorchLine(torch).tag, "cu136");
  auto pins = torchPins(lines[1]);
  ASSERT_EQ(pins.size(), 3u);
  EXPECT_EQ(pins[1].dist, "nvidia-cudnn-cu13");
  EXPECT_EQ(pins[1].floor, "9.30.0.5");
  EXPECT_FALSE(pins[1].floats);
  EXPECT_EQ(pins[1].confidence, Confidence::Verified);
  EXPECT_TRUE(pins[2].floats);
  EXPECT_EQ(pins[2].kind, PinKind::Extra);
  EXPECT_EQ(pins[2].confidence, Confidence::Secondary);
  EXPECT_EQ(firstTorchWithLine({13, 6}, &more)->str(), "9.9.0");
  EXPECT_FALSE(firstTorchWithLine({13, 6}));
}

TEST(UserTables, LeavesTheTablesAlone) {
  UserTables more = read(userTablesFile);
  EXPECT_EQ(torchReleases(&more).size(), torchReleases().size() + 1);
  EXPECT_EQ(toolkitReleases(&more).size(), toolkitReleases().size() + 1);
  EXPECT_EQ(lineOf("nvidia-cublas", version("12.4.5.8"), &more),
            lineOf("nvidia-cublas", version("12.4.5.8")));
  EXPECT_EQ(lineOf("nvidia-cublas-cu12", version("12.4.5.8"), &more).str(), "12.4");
  EXPECT_FALSE(firstRelease({13, 6}));
  EXPECT_EQ(lineOf("nvidia-cusparse", version("12.10.0.1")), versions::CudaVersion{});
}

TEST(UserTables, AddsAToolkitRelease) {
  UserTables more = read(userTablesFile);
  EXPECT_EQ(toolkitLines(&more).back().str(), "13.6");
  EXPECT_EQ(firstRelease({13, 6}, &more)->str(), "13.6.1");
  EXPECT_EQ(newestRelease({13, 6}, &more)->str(), "13.6.1");
  auto release = findToolkitRelease(13, 6, 1, &more);
  ASSERT_TRUE(release);
  EXPECT_EQ(componentVersion(*release, "nvidia-cublas"), "13.11.1.2");
  EXPECT_EQ(componentVersion(*release, "nvidia-cufft"), "");
  EXPECT_EQ(lineOf("nvidia-cusparse", version("12.10.0.1"), &more).str(), "13.6");
  EXPECT_EQ(lineOf("nvidia-cuda-novel", version("1.2.3"), &more).str(), "13.6");
  EXPECT_EQ(lineOf("nvidia-cuda-novel", version("1.2.4"), &more), versions::CudaVersion{});
}

TEST(UserTables, AddsWheelVersions) {
  UserTables more = read(userTablesFile);
  auto releases = releasesOf("nvidia-cublas", version("13.11.1.2.post1"), &more);
  ASSERT_EQ(releases.size(), 1u);
  EXPECT_EQ(releases.front().str(), "13.6.1");
  // A version without a known release stays without one.
  EXPECT_TRUE(releasesOf("nvidia-cublas", version("13.11.9.9"), &more).empty());
  EXPECT_EQ(lineOf("nvidia-cublas", version("13.11.1.2.post7"), &more).str(), "13.6");
}

// A wheel of a built-in release: its releases are those of both sources, the lowest first.
TEST(UserTables, JoinsReleasesOfOneVersion) {
  UserTables more =
      read(userTablesWith(R"("nvidia-cusparse": "12.10.0.1")", R"("nvidia-cusparse": "12.9.4.2")"));
  auto releases = releasesOf("nvidia-cusparse", version("12.9.4.2"), &more);
  ASSERT_EQ(releases.size(), 2u);
  EXPECT_EQ(releases[0].str(), "13.5.0");
  EXPECT_EQ(releases[1].str(), "13.6.1");
}

TEST(UserTables, LibrariesOfUnknownVersionsAreThoseOfTheNewest) {
  UserTables more = read(userTablesFile);
  TorchRelease torch = torchReleases(&more).back();
  TorchLine line = defaultTorchLine(torch);
  auto pins = torchPins(line);
  auto libraries = runtimeLibraries(*line.toolkit, pins, &more);
  auto find = [&](llvm::StringRef soname) {
    for (const RuntimeLibrary &each : libraries)
      if (each.soname == soname)
        return each;
    ADD_FAILURE() << soname.str();
    return RuntimeLibrary{};
  };
  EXPECT_EQ(find("libcublas.so.13").version, "13.11.1.2");
  EXPECT_EQ(find("libcublas.so.13").folder, "nvidia/cu13/lib");
  EXPECT_EQ(find("libcublas.so.13").cuda.str(), "13.6");
  EXPECT_TRUE(find("libcublas.so.13").pinned);
  EXPECT_EQ(find("libcudart.so.13").version, "13.6.40");
  EXPECT_EQ(find("libcudart.so.13").cuda.str(), "13.6");
  EXPECT_FALSE(find("libcudart.so.13").pinned);
  EXPECT_EQ(find("libcusparse.so.12").version, "12.10.0.1");
  EXPECT_TRUE(find("libnvJitLink.so.13").floats);
  EXPECT_EQ(find("libcudnn.so.9").version, "9.30.0.5");
  for (const RuntimeLibrary &each : libraries)
    EXPECT_NE(each.dist, "nvidia-cufft") << "the release does not name it";
}

static const char *const known251 = R"({"schema": 1, "tables": {"torch_wheel_pins": [
 {"torch": "2.5", "torch_versions": ["2.5.0", "2.5.1"], "cuda": "12.4", "local_tag": "cu124",
  "pypi_default": true, "ctk": "12.4.1", "complete": true, "pins": [PINS], "source": "METADATA",
  "confidence": "verified"}]}})";

static std::string row251(const std::string &without, const std::string &extra = "") {
  std::string pins;
  for (const TorchRelease &release : torchReleases())
    if (release.str() == "2.5.1")
      for (const Pin &pin : torchPins(defaultTorchLine(release))) {
        if (pin.dist == without)
          continue;
        static const char *const kinds[] = {"direct", "extra", "transitive"};
        pins += (pins.empty() ? "" : ",") + ("{\"dist\": \"" + pin.dist.str()) +
                "\", \"spec\": " + (pin.floats ? "null" : "\"==" + pin.floor.str() + "\"") +
                ", \"kind\": \"" + kinds[size_t(pin.kind)] + "\", \"floor\": \"" + pin.floor.str() +
                "\", \"confidence\": null}";
      }
  std::string text = known251;
  return text.replace(text.find("PINS"), 4, pins + extra);
}

TEST(UserTables, TakesAnEqualRowInSilence) {
  UserTables more = read(row251(""));
  EXPECT_EQ(torchReleases(&more).size(), torchReleases().size());
}

TEST(UserTables, RefusesOtherPinsOfAKnownBuild) {
  std::string said = problem(row251("nvidia-nvjitlink-cu12"));
  EXPECT_THAT(said, HasSubstr("CC2017 torch 2.5.0+cu124 is built in with other pins"));
  EXPECT_THAT(said, HasSubstr("where: more.json: torch_wheel_pins, row 1"));
  EXPECT_THAT(said, HasSubstr("says: nvidia-nvtx-cu12 12.4.127, direct"));
  EXPECT_THAT(said, HasSubstr("built in: nvidia-nvjitlink-cu12 12.4.127, direct"));
  said = problem(row251("", R"(,{"dist": "nvidia-nvshmem-cu12", "spec": "==3.3.9",
                       "kind": "direct", "floor": "3.3.9", "confidence": null})"));
  EXPECT_THAT(said, HasSubstr("says: nvidia-nvshmem-cu12 3.3.9, direct"));
  said = problem(row251("triton"));
  EXPECT_THAT(said, HasSubstr("says: nothing further"));
}

TEST(UserTables, AddsALineToAKnownRelease) {
  std::string text = R"({"schema": 1, "tables": {"pytorch_cuda_lines": [
    {"torch": "2.5", "cuda": "12.9", "local_tag": "cu129", "pypi_default": false, "ctk": null,
     "source": "made up", "confidence": "sourced"}]}})";
  UserTables more = read(text);
  bool any = false;
  for (const TorchRelease &release : torchReleases(&more))
    if (release.str() == "2.5.1") {
      any = true;
      EXPECT_EQ(torchLines(release).back().tag, "cu129");
      EXPECT_EQ(defaultTorchLine(release).tag, "cu124");
      EXPECT_FALSE(torchPins(defaultTorchLine(release)).empty());
    }
  EXPECT_TRUE(any);
}

TEST(UserTables, AddsAPatchOfAKnownMinor) {
  std::string text = row251("");
  text.replace(text.find(R"("2.5.0", "2.5.1")"), 16, R"("2.5.9")");
  UserTables more = read(text);
  bool any = false;
  for (const TorchRelease &release : torchReleases(&more))
    if (release.str() == "2.5.9") {
      any = true;
      EXPECT_EQ(defaultTorchLine(release).tag, "cu124");
      EXPECT_GT(torchLines(release).size(), 1u);
    }
  EXPECT_TRUE(any);
}

TEST(UserTables, RefusesWhatTheTablesContradict) {
  auto lines = [](const char *row) {
    return problem(std::string(R"({"schema": 1, "tables": {"pytorch_cuda_lines": [)") + row +
                   R"( "source": "made up", "confidence": "sourced"}]}})");
  };
  EXPECT_THAT(lines(R"({"torch": "2.5", "cuda": "12.4", "local_tag": "cu124",
                        "pypi_default": true, "ctk": "12.4.0",)"),
              HasSubstr("CC2017 torch 2.5+cu124 is built in with another toolkit release"));
  EXPECT_THAT(lines(R"({"torch": "2.5", "cuda": "12.9", "local_tag": "cu129",
                        "pypi_default": true, "ctk": null,)"),
              HasSubstr("CC2017 torch 2.5 is built in with another default line"));
  EXPECT_EQ(lines(R"({"torch": "2.5", "cuda": "12.4", "local_tag": "cu124",
                      "pypi_default": true, "ctk": "12.4.1",)"),
            "none");
  auto toolkit = [](const char *components) {
    return problem(std::string(R"({"schema": 1, "tables": {"ctk_component_versions": [
      {"ctk": "13.5.0", "wheel_overrides": {}, "source": "made up", "confidence": "verified",
       "components": )") +
                   components + "}]}}");
  };
  EXPECT_EQ(toolkit(R"({"nvidia-cublas": "13.10.0.20"})"), "none");
  EXPECT_THAT(toolkit(R"({"nvidia-cublas": "13.10.0.21"})"),
              HasSubstr("CC2017 CUDA 13.5.0 is built in with another nvidia-cublas; where: "
                        "more.json: ctk_component_versions, row 1; says: 13.10.0.21; built in: "
                        "13.10.0.20"));
  EXPECT_THAT(toolkit(R"({"nvidia-cuda-novel": "1.0"})"), HasSubstr("says: 1.0; built in: none"));
  std::string wheel = R"({"schema": 1, "tables": {"nvidia_wheel_versions": [
    {"dist": "nvidia-cublas", "versions": [["13.10.0.21", ["13.5.0"], null, true, true, ""]],
     "source": "made up", "confidence": "verified"}]}})";
  EXPECT_THAT(problem(wheel), HasSubstr("CC2017 CUDA 13.5.0 is built in with another "
                                        "nvidia-cublas; where: more.json: nvidia_wheel_versions, "
                                        "row 1; says: 13.10.0.21; built in: 13.10.0.20"));
}

TEST(UserTables, SaysWhatIsNoFactsFile) {
  EXPECT_THAT(problem(""), HasSubstr("CC2016 the facts file is broken: no valid JSON"));
  EXPECT_THAT(problem("{\"schema\": 1,\n\"tables\": {]}"), HasSubstr("where: more.json: line 2"));
  EXPECT_THAT(problem(R"({"schema": 1, "schema": 1})"), HasSubstr("\"schema\" occurs twice"));
  EXPECT_THAT(problem("[]"), HasSubstr("it is not an object; where: more.json"));
  EXPECT_THAT(problem(R"({"tables": {}})"), HasSubstr("\"schema\" is not 1"));
  EXPECT_THAT(problem(R"({"schema": 2, "tables": {}})"), HasSubstr("\"schema\" is not 1"));
  EXPECT_THAT(problem(R"({"schema": 1})"), HasSubstr("no \"tables\""));
  EXPECT_THAT(problem(R"({"schema": 1, "tables": []})"), HasSubstr("\"tables\" is not an object"));
  EXPECT_THAT(problem(R"({"schema": 1, "rows": [], "tables": {}})"),
              HasSubstr("unknown key \"rows\""));
  std::string said = problem(R"({"schema": 1, "tables": {"torch_pins": []}})");
  EXPECT_THAT(said, HasSubstr("unknown table \"torch_pins\""));
  EXPECT_THAT(said, HasSubstr("known: torch_wheel_pins, pytorch_cuda_lines"));
  EXPECT_THAT(problem(R"({"schema": 1, "tables": {"torch_wheel_pins": {}}})"),
              HasSubstr("\"torch_wheel_pins\" is not a list; where: more.json"));
  EXPECT_THAT(problem(R"({"schema": 1, "tables": {"torch_wheel_pins": [1]}})"),
              HasSubstr("it is not an object; where: more.json: torch_wheel_pins, row 1"));
  EXPECT_EQ(problem(R"({"schema": 1, "tables": {}})"), "none");
}

TEST(UserTables, EndsWhereItIsHostile) {
  EXPECT_THAT(problem(std::string(100000, '[')), HasSubstr("nested more than 32 deep"));
  // Brackets in a string are not nesting, and an escaped quote does not end a string.
  std::string brackets = "\\\"" + std::string(100, '[');
  EXPECT_EQ(changed("A release that does not exist.", brackets), "none");
  std::string rows = "1";
  for (int i = 0; i < 600; ++i)
    rows += ",1";
  EXPECT_THAT(problem(R"({"schema": 1, "tables": {"torch_wheel_pins": [)" + rows + "]}}"),
              HasSubstr("\"torch_wheel_pins\" has more than 512 entries"));
  EXPECT_THAT(changed(R"(["9.9.0"])", "[" + rows + "]"),
              HasSubstr("\"torch_versions\" has more than 512 entries"));
}

TEST(UserTables, SaysWhichFieldIsWrong) {
  const std::string pins = "; where: more.json: torch_wheel_pins, row 1";
  EXPECT_THAT(changed(R"("complete": true,
    "pins")",
                      R"("pins")"),
              HasSubstr("no \"complete\"" + pins));
  EXPECT_THAT(changed(R"("complete": true)", R"("complete": 1)"),
              HasSubstr("\"complete\" is neither true nor false" + pins));
  EXPECT_THAT(changed(R"("floor": "9.30.0.5")", R"("floor": 9)"),
              HasSubstr("\"floor\" is not a string" + pins + ", pins 2"));
  EXPECT_THAT(changed(R"("floor": "9.30.0.5")", R"("floor": "nine")"),
              HasSubstr("\"nine\" is not a version" + pins + ", pins 2"));
  EXPECT_THAT(changed(R"("floor": "9.30.0.5")", R"("floor": "9.30.0.4")"),
              HasSubstr("9.30.0.4 does not satisfy ==9.30.0.5" + pins + ", pins 2"));
  EXPECT_THAT(changed("==9.30.0.5", "9.30.0.5"), HasSubstr("\"9.30.0.5\" is not a specifier"));
  EXPECT_THAT(changed(R"("spec": "==9.30.0.5")", R"("spec": false)"),
              HasSubstr("\"spec\" is neither a text nor null"));
  EXPECT_THAT(changed(R"("kind": "direct")", R"("kind": "odd")"),
              HasSubstr("unknown kind \"odd\""));
  EXPECT_THAT(changed("secondary", "sure"), HasSubstr("unknown confidence \"sure\""));
  EXPECT_THAT(changed("nvidia-cudnn-cu13", "nvidia-cudn-cu13"),
              HasSubstr("nvidia_wheel_versions does not have nvidia-cudn-cu13"));
  EXPECT_THAT(changed("nvidia-cudnn-cu13", "nvidia-cublas"),
              HasSubstr("nvidia-cublas appears twice"));
  EXPECT_THAT(changed(R"(["9.9.0"])", "[]"), HasSubstr("\"torch_versions\" is empty"));
  EXPECT_THAT(changed(R"(["9.9.0"])", R"(["9.8.0"])"),
              HasSubstr("9.8.0 is not a release of torch 9.9"));
  EXPECT_THAT(changed(R"(["9.9.0"])", R"(["9.9"])"), HasSubstr("\"9.9\" is not three numbers"));
  EXPECT_THAT(changed(R"(["9.9.0"])", R"(["9.9.0", "9.9.0"])"), HasSubstr("appears twice"));
  EXPECT_THAT(changed(R"("torch": "9.9")", R"("torch": "9")"),
              HasSubstr("\"9\" is not two numbers"));
  EXPECT_THAT(changed(R"(["9.9.0"])", "[9]"), HasSubstr("a text is expected in a list"));
  EXPECT_THAT(changed(R"("pins": [)", R"("pins": [3,)"), HasSubstr("it is not an object" + pins));
  EXPECT_THAT(changed(R"("local_tag": "cu136")", R"("local_tag": "cu137")"),
              HasSubstr("local_tag is not cu136"));
  EXPECT_THAT(changed(R"("source": "made up")", R"("source": "")"),
              HasSubstr("\"source\" is not a string"));
  EXPECT_THAT(changed(R"("confidence": "verified")", R"("confidence": "maybe")"),
              HasSubstr("unknown confidence \"maybe\""));
}

TEST(UserTables, SaysWhatDoesNotFitTogether) {
  EXPECT_THAT(changed(R"("ctk": "13.6.1", "complete": true,
    "components")",
                      R"("ctk": "13.6.2", "complete": true,
    "components")"),
              HasSubstr("the toolkit release 13.6.1 has no row"));
  EXPECT_THAT(
      changed("13.6.1", "13.7.1"),
      HasSubstr("nvidia-cuda-runtime 13.6.40 does not begin with the minor of CUDA 13.7.1"));
  EXPECT_THAT(changed(R"("pypi_default": true, "ctk": "13.6.1",
    "note")",
                      R"("pypi_default": true, "ctk": null,
    "note")"),
              HasSubstr("pytorch_cuda_lines has ctk no toolkit release"));
  EXPECT_THAT(changed(R"("pypi_default": true, "ctk": "13.6.1",
    "note")",
                      R"("pypi_default": false, "ctk": "13.6.1",
    "note")"),
              HasSubstr("pytorch_cuda_lines says otherwise about the default"));
  EXPECT_THAT(changed(R"("pypi_default": false)", R"("pypi_default": true)"),
              HasSubstr("a second pypi_default of this release"));
  EXPECT_THAT(changed(R"("components": {)", R"("components": [], "c": {)"),
              HasSubstr("\"components\" is not an object"));
  EXPECT_THAT(changed("13.11.1.2.post1", "13.11.1.3"),
              HasSubstr("13.11.1.3 is not the nvidia-cublas that 13.6.1 has"));
  EXPECT_THAT(changed(R"(["13.6.1"], "manifest", true, true, "")", R"(["13.6.1"])"),
              HasSubstr("a version does not have six columns"));
  EXPECT_THAT(changed(R"(["13.6.1"], "manifest")", R"("13.6.1", "manifest")"),
              HasSubstr("the releases of 13.11.1.2.post1 are not a list"));
  std::string noDefault = userTablesFile;
  size_t at = noDefault.find("  \"torch_pypi_default\"");
  noDefault = noDefault.substr(0, noDefault.rfind(',', at)) + "}}";
  EXPECT_THAT(problem(noDefault), HasSubstr("torch_pypi_default has no row for torch 9.9"));
  std::string noLines = userTablesFile;
  at = noLines.find("  \"pytorch_cuda_lines\"");
  noLines = noLines.substr(0, noLines.rfind(',', at)) + "}}";
  EXPECT_THAT(problem(noLines), HasSubstr("pytorch_cuda_lines has no line 13.6"));
  std::string lineOnly = R"({"schema": 1, "tables": {"pytorch_cuda_lines": [
    {"torch": "9.8", "cuda": "13.2", "local_tag": "cu132", "pypi_default": true, "ctk": null,
     "source": "made up", "confidence": "sourced"}]}})";
  EXPECT_THAT(problem(lineOnly), HasSubstr("torch_wheel_pins names no release of torch 9.8"));
}

// A version that begins with another number shows that its distribution is numbered separately.
TEST(UserTables, NumberingIsThatOfAllVersions) {
  UserTables more = read(userTablesFile);
  EXPECT_EQ(lineOf("nvidia-cuda-nvcc", version("13.9.1"), &more).str(), "13.9");
  more =
      read(userTablesWith(R"("nvidia-cuda-novel": "1.2.3")", R"("nvidia-cuda-novel": "13.6.3")"));
  EXPECT_EQ(lineOf("nvidia-cuda-novel", version("13.9.1"), &more).str(), "13.9");
  more = read(userTablesWith(R"("nvidia-cuda-novel": "1.2.3")", R"("nvidia-cuda-cccl": "99.6.3")"));
  EXPECT_FALSE(lineOf("nvidia-cuda-cccl", version("13.9.1"), &more).known());
  EXPECT_THAT(
      changed(R"("nvidia-cuda-runtime": "13.6.40")", R"("nvidia-cuda-runtime": "13.5.40")"),
      HasSubstr("nvidia-cuda-runtime 13.5.40 does not begin with the minor of CUDA 13.6.1"));
}

TEST(UserTables, SaysForWhichMachineThereIsNoCuda) {
  auto with = [](const std::string &release, const std::string &cuda) {
    return userTablesWith(R"("torch_pypi_default": [)",
                          R"("torch_platforms": [{"torch_version": ")" + release +
                              R"(", "platform": "linux_aarch64", "cuda": )" + cuda +
                              R"(, "source": "made up", "confidence": "sourced"}],
                             "torch_pypi_default": [)");
  };
  UserTables more = read(with("9.9.0", "null"));
  EXPECT_EQ(torchReleases(&more).back().withoutCuda, "aarch64");
  EXPECT_EQ(problem(with("9.9.0", "\"13.6\"")), "none");
  EXPECT_EQ(problem(with("2.5.1", "null")), "none");
  EXPECT_THAT(problem(with("9.9.0", "\"13.5\"")), HasSubstr("torch_pypi_default says otherwise"));
  EXPECT_THAT(problem(with("9.9.1", "null")), HasSubstr("does not have torch 9.9.1"));
  EXPECT_THAT(problem(with("2.15.0", "null")),
              HasSubstr("CC2017 torch 2.15.0 is built in with CUDA for aarch64"));
}
