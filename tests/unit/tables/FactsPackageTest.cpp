// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/tables/lookup/UserTables.h"
#include "tests/unit/tables/UserTablesFile.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::tables;
using test::userTablesFile;
using test::userTablesWith;
using testing::HasSubstr;

namespace {

/// The file as a package's tables: of a release, and with \p since in every row.
std::string package(std::string text, const std::string &since = "2099.1.0",
                    const std::string &release = "2099.2.0") {
  auto replace = [&](const std::string &piece, const std::string &other) {
    for (size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + other.size()))
      text.replace(at, piece.size(), other);
  };
  replace("\"source\"", "\"since\": \"" + since + "\", \"source\"");
  replace("\"schema\": 1,",
          "\"schema\": 1, \"date\": \"2099-02-01\", \"release\": \"" + release + "\",");
  return text;
}

std::string added(const std::string &text, UserTables &more,
                  const std::string &release = "2099.2.0") {
  llvm::Error error = addPackage(text, "tables.json", release, more);
  if (!error)
    return "none";
  core::Finding finding = core::toFinding(std::move(error));
  EXPECT_EQ(finding.code, core::Code::BrokenFacts);
  return finding.message + " at " + finding.facts.front().text;
}

/// What release.json says; the problem where it cannot be read.
std::string released(const std::string &text) {
  auto read = readPackageRelease(text, "release.json");
  if (read)
    return read->release + (read->isNewer ? ", newer" : "");
  core::Finding finding = core::toFinding(read.takeError());
  EXPECT_EQ(finding.code, core::Code::BrokenFacts);
  return finding.message;
}

const TorchRelease *find(const std::vector<TorchRelease> &all, llvm::StringRef release) {
  auto it = llvm::find_if(all, [&](const TorchRelease &each) { return each.str() == release; });
  return it == all.end() ? nullptr : &*it;
}

} // namespace

TEST(FactsPackage, IsNewerByItsNumberAlone) {
  std::string builtIn = dataRelease().str();
  EXPECT_EQ(released(R"({"schema": 1, "release": "2099.2.0"})"), "2099.2.0, newer");
  EXPECT_EQ(released(R"({"schema": 1, "release": "2099.10.0"})"), "2099.10.0, newer");
  EXPECT_EQ(released("{\"schema\": 1, \"release\": \"" + builtIn + "\"}"), builtIn);
  EXPECT_EQ(released(R"({"schema": 1, "release": "2026.9.30"})"), "2026.9.30");
  // Keys that a later version adds.
  EXPECT_EQ(released(R"({"schema": 1, "release": "2099.2.0", "date": "2099-02-01", "x": [1]})"),
            "2099.2.0, newer");
}

TEST(FactsPackage, OfAnotherSchemaIsRefused) {
  for (const char *schema : {"0", "2"})
    EXPECT_EQ(released(std::string("{\"schema\": ") + schema + ", \"release\": \"2099.2.0\"}"),
              std::string("the facts file is broken: its schema is ") + schema + ", not 1");
  EXPECT_THAT(released(R"({"schema": "1", "release": "2099.2.0"})"),
              HasSubstr("its schema is no number, not 1"));
  EXPECT_THAT(released(R"({"release": "2099.2.0"})"), HasSubstr("its schema is no number, not 1"));
  UserTables more;
  std::string other = package(userTablesFile);
  other.replace(other.find("\"schema\": 1"), 11, "\"schema\": 2");
  EXPECT_THAT(added(other, more), HasSubstr("\"schema\" is not 1"));
}

TEST(FactsPackage, WithoutARealReleaseIsRefused) {
  for (const char *text : {"", "[]", "{", "{}"})
    EXPECT_THAT(released(text), HasSubstr("the facts file is broken: ")) << text;
  for (const char *release : {"\"\"", "\"2099\"", "\"2099.2\"", "\"2099.2.0.1\"", "\"2099.02.0\"",
                              "\"2099.2.0rc1\"", "\"v2099.2.0\"", "2099", "null"})
    EXPECT_THAT(released(std::string("{\"schema\": 1, \"release\": ") + release + "}"),
                HasSubstr("the facts file is broken: "))
        << release;
  // release.json and tables.json of two packages.
  UserTables more;
  EXPECT_EQ(added(package(userTablesFile), more, "2099.3.0"),
            "the facts file is broken: it is not of release 2099.3.0 at tables.json");
  EXPECT_TRUE(more.torch.empty());
}

TEST(FactsPackage, AddsRows) {
  UserTables more;
  ASSERT_EQ(added(package(userTablesFile), more), "none");
  auto all = torchReleases(&more);
  const TorchRelease *torch = find(all, "9.9.0");
  ASSERT_TRUE(torch);
  EXPECT_EQ(defaultTorchLine(*torch).tag, "cu136");
  EXPECT_EQ(torchPins(defaultTorchLine(*torch)).size(), 3u);
  EXPECT_EQ(firstRelease({13, 6}, &more)->str(), "13.6.1");
  EXPECT_EQ(all.size(), torchReleases().size() + 1);
}

// Rows that a release up to the built-in one added are built in.
TEST(FactsPackage, AddsOnlyRowsThatAreNewer) {
  UserTables more;
  ASSERT_EQ(added(package(userTablesFile, dataRelease().str()), more), "none");
  EXPECT_TRUE(more.torch.empty());
  EXPECT_TRUE(more.toolkits.empty());
}

TEST(FactsPackage, NeedsSinceInEachRow) {
  UserTables more;
  std::string text = package(userTablesFile);
  size_t at = text.find("\"since\": \"2099.1.0\", ");
  text.erase(at, 21);
  EXPECT_EQ(added(text, more), "the facts file is broken: no \"since\" at tables.json: "
                               "ctk_component_versions, row 1");
  EXPECT_THAT(added(package(userTablesFile, "soon"), more), HasSubstr("is no release of the data"));
}

TEST(FactsPackage, NothingOfABrokenOneIsUsed) {
  UserTables more;
  std::string text = package(
      userTablesWith("\"complete\": true,\n    \"pins\"", "\"complete\": 1,\n    \"pins\""));
  EXPECT_EQ(added(text, more),
            "the facts file is broken: \"complete\" is neither true nor false at "
            "tables.json: torch_wheel_pins, row 1");
  EXPECT_TRUE(more.toolkits.empty());
}

// A correction comes with a new cuda-cc; a package cannot change what is built in.
TEST(FactsPackage, ChangesNothingThatIsBuiltIn) {
  UserTables more;
  std::string text = package(R"({
 "schema": 1,
 "tables": {
  "ctk_component_versions": [
   {"ctk": "12.4.1", "components": {"nvidia-cuda-runtime-cu12": "12.4.999"}, "wheel_overrides": {},
    "source": "made up", "confidence": "verified"}],
  "torch_wheel_pins": [
   {"torch": "2.5", "torch_versions": ["2.5.1"], "cuda": "12.4", "local_tag": "cu124",
    "pypi_default": true, "ctk": "12.4.1", "complete": true,
    "pins": [{"dist": "nvidia-cublas-cu12", "spec": "==12.1.3.1", "kind": "direct",
              "floor": "12.1.3.1", "confidence": null}],
    "source": "made up", "confidence": "verified"}],
  "pytorch_cuda_lines": [
   {"torch": "2.5", "cuda": "12.1", "local_tag": "cu121", "pypi_default": true, "ctk": "12.1.0",
    "source": "made up", "confidence": "verified"}],
  "torch_pypi_default": [
   {"torch": "2.5", "cuda": "12.1", "local_tag": "cu121",
    "source": "made up", "confidence": "verified"}],
  "torch_platforms": [
   {"torch_version": "2.5.1", "platform": "linux_x86_64", "cuda": null,
    "source": "made up", "confidence": "verified"}]
 }
})");
  ASSERT_EQ(added(text, more), "none");
  auto all = torchReleases(&more), builtIn = torchReleases();
  const TorchRelease *torch = find(all, "2.5.1"), *old = find(builtIn, "2.5.1");
  EXPECT_EQ(torch->defaultLine.str(), "12.4");
  EXPECT_EQ(torch->withoutCuda, old->withoutCuda);
  auto pins = torchPins(defaultTorchLine(*torch)), oldPins = torchPins(defaultTorchLine(*old));
  ASSERT_EQ(pins.size(), oldPins.size());
  for (size_t i = 0; i < pins.size(); ++i)
    EXPECT_EQ(pins[i].floor, oldPins[i].floor);
  EXPECT_EQ(componentVersion(*findToolkitRelease(12, 4, 1, &more), "nvidia-cuda-runtime-cu12"),
            "12.4.127");
}

// The user's file is more specific than a package.
TEST(FactsPackage, StaysBelowAUsersFile) {
  auto user = readUserTables(userTablesWith("13.11.1.2", "13.11.1.3"), "more.json");
  ASSERT_TRUE(bool(user));
  UserTables more = std::move(*user);
  std::string text = package(userTablesWith("9.9.0", "9.9.1"));
  ASSERT_EQ(added(text, more), "none");
  auto all = torchReleases(&more);
  const TorchRelease *users = find(all, "9.9.0"), *packaged = find(all, "9.9.1");
  ASSERT_TRUE(users && packaged);
  EXPECT_EQ(torchPins(defaultTorchLine(*users)).front().floor, "13.11.1.3");
  EXPECT_EQ(torchPins(defaultTorchLine(*packaged)).front().floor, "13.11.1.2");
  EXPECT_EQ(componentVersion(*firstRelease({13, 6}, &more), "nvidia-cublas"), "13.11.1.3");
  // Read again, it adds nothing.
  size_t releases = torchReleases(&more).size(), toolkits = toolkitReleases(&more).size();
  ASSERT_EQ(added(text, more), "none");
  EXPECT_EQ(torchReleases(&more).size(), releases);
  EXPECT_EQ(toolkitReleases(&more).size(), toolkits);
}
