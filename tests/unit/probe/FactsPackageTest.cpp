// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/FactsPackage.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr unsigned me = 1000;
const char *const first = "/a/share/cuda-cc/facts";
const char *const second = "/b/share/cuda-cc/facts";

struct FactsPackages : testing::Test {
  test::MemoryFiles files;
  Environment environment;

  void install(const std::string &place, const std::string &release) {
    files.file(place + "/release.json", R"({"schema": 1, "release": ")" + release + "\"}");
    files.file(place + "/tables.json",
               R"({"schema": 1, "release": ")" + release + "\", \"tables\": {}}");
  }
  probe::FactsSearch find(const std::vector<std::string> &places = {first, second}) {
    support::Trust trust(files, environment, me);
    return probe::findFactsPackage(places, files, trust);
  }
  /// Path and release of the package in use; why others are not.
  std::vector<std::string> found() {
    probe::FactsSearch search = find();
    std::vector<std::string> all;
    if (search.package)
      all.push_back(search.package->path + " " + search.package->release.release);
    for (const Finding &finding : search.refused) {
      EXPECT_EQ(finding.code, Code::UnusedFacts);
      EXPECT_EQ(finding.severity, Severity::Warning);
      EXPECT_EQ(finding.facts.size(), 1u);
      all.push_back(finding.message + " in " + finding.facts.front().text);
    }
    return all;
  }
};

} // namespace

TEST_F(FactsPackages, CostOneLookEachWhereThereIsNone) {
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(files.stats, 2u);
  EXPECT_EQ(files.reads + files.lists, 0u);
  files.stats = 0;
  find({first, first, first});
  EXPECT_EQ(files.stats, 1u);
}

TEST_F(FactsPackages, TheNewestIsUsedWhereverItIs) {
  install(first, "2099.9.0");
  install(second, "2099.10.0");
  EXPECT_THAT(found(), ElementsAre("/b/share/cuda-cc/facts 2099.10.0"));
  install(first, "2099.10.1");
  EXPECT_THAT(found(), ElementsAre("/a/share/cuda-cc/facts 2099.10.1"));
}

TEST_F(FactsPackages, OneThatIsNotNewerIsNotUsed) {
  install(first, "2020.1.0");
  install(second, tables::dataRelease().str());
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(FactsPackages, WhatCannotBeReadIsOneLine) {
  install(first, "2099.1.0");
  files.file(std::string(second) + "/release.json", R"({"schema": 2, "release": "2099.2.0"})");
  EXPECT_THAT(found(), ElementsAre("/a/share/cuda-cc/facts 2099.1.0",
                                   "facts package not used: its schema is 2, not 1 in "
                                   "/b/share/cuda-cc/facts"));
  files.file(std::string(second) + "/release.json", "");
  EXPECT_THAT(find().refused.front().message, HasSubstr("not used: no valid JSON"));
  files.unreadable.insert(std::string(second) + "/release.json");
  EXPECT_THAT(find().refused.front().message, HasSubstr("not used: cannot be read: "));
  files.directory(std::string(second) + "/release.json");
  EXPECT_THAT(find().refused.front().message, HasSubstr("not used: has no release.json"));
}

// F12: it may weaken checks, so it has to be the user's own, or root's.
TEST_F(FactsPackages, OneThatOthersCanWriteIsNotUsed) {
  for (const char *file : {"/release.json", "/tables.json", "/torch-names.bin"}) {
    files = test::MemoryFiles();
    install(first, "2099.1.0");
    files.file(std::string(first) + "/torch-names.bin", "names");
    ASSERT_THAT(found(), ElementsAre("/a/share/cuda-cc/facts 2099.1.0"));
    files.node(first + std::string(file))->owner = me;
    ASSERT_THAT(found(), ElementsAre("/a/share/cuda-cc/facts 2099.1.0"));
    files.node(first + std::string(file))->owner = 1001;
    EXPECT_THAT(found(),
                ElementsAre(HasSubstr(std::string(file + 1) + ": it belongs to uid 1001")));
    files.node(first + std::string(file))->owner = me;
    files.node(first + std::string(file))->mode = 0666;
    EXPECT_THAT(found(), ElementsAre(HasSubstr("everybody can write to it (mode 0666)")));
  }
  files = test::MemoryFiles();
  install(first, "2099.1.0");
  files.node(first)->mode = 0777;
  EXPECT_THAT(found(), ElementsAre(HasSubstr("everybody can write to its directory")));
  environment.entries = {"CUDA_CC_TRUST=/a"};
  EXPECT_THAT(found(), ElementsAre("/a/share/cuda-cc/facts 2099.1.0"));
}

TEST_F(FactsPackages, ANamedOneIsReadOrAnError) {
  auto message = [&] {
    auto read = probe::readFactsPackage(first, files);
    if (read)
      return read->release.release;
    Finding finding = toFinding(read.takeError());
    EXPECT_EQ(finding.code, Code::BrokenFacts);
    return finding.message;
  };
  EXPECT_EQ(message(), "the facts package has no release.json");
  install(first, "2099.1.0");
  EXPECT_EQ(message(), "2099.1.0");
  files.file(std::string(first) + "/release.json", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(message(), "the facts package is larger than 1 MiB");
}

TEST_F(FactsPackages, RowsAreAddedOrAnError) {
  install(first, "2099.1.0");
  auto package = probe::readFactsPackage(first, files);
  ASSERT_TRUE(bool(package));
  tables::UserTables more;
  EXPECT_FALSE(probe::addFactsPackage(*package, files, more));
  // An update that was interrupted.
  install(first, "2099.2.0");
  Finding finding = toFinding(probe::addFactsPackage(*package, files, more));
  EXPECT_EQ(finding.message, "the facts file is broken: it is not of release 2099.1.0");
  files.remove(std::string(first) + "/tables.json");
  finding = toFinding(probe::addFactsPackage(*package, files, more));
  EXPECT_EQ(finding.message, "the facts package has no tables.json");
}

TEST(FactsPlace, IsOfTheProgramsPrefix) {
  EXPECT_EQ(probe::factsPlaceOf("/opt/cc/bin/cuda-cc"), "/opt/cc/share/cuda-cc/facts");
  auto link = probe::factsLinkFor("/opt/cc/bin/cuda-cc");
  ASSERT_TRUE(link);
  EXPECT_EQ(link->path, "share/cuda-cc/facts");
  EXPECT_EQ(link->text, "/opt/cc/share/cuda-cc/facts");
}
