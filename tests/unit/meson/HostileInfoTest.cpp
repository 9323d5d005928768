// SPDX-License-Identifier: Apache-2.0
#include "RecordedInfo.h"
#include "plugins/meson/Introspection.h"

// Introspection data that Meson did not write gives one clear error, or is read; nothing else
// happens.
namespace cudacc::test {

namespace {

constexpr unsigned brokenInfo = 6016;
const char *const infoNames[] = {"meson-info",    "intro-buildoptions", "intro-compilers",
                                 "intro-targets", "intro-install_plan", "intro-buildsystem_files"};

/// The result of reading: 0 if it succeeded, else the code.
unsigned infoComesTo(RecordedInfo &build) {
  auto read = meson::readIntrospection(build.files, "/b");
  return read ? 0 : unsigned(core::toFinding(read.takeError()).code);
}

/// Only the targets that are used: reading the others costs time.
void keepTwoInfos(RecordedInfo &build) {
  std::string &content = build.files.node(build.info("intro-targets"))->content;
  Json whole = llvm::cantFail(llvm::json::parse(content));
  llvm::json::Array kept;
  for (const Json &target : *whole.getAsArray())
    if (auto name = target.getAsObject()->getString("name"); *name == "mixed" || *name == "ptx")
      kept.push_back(target);
  content = printedJson(std::move(kept));
}

} // namespace

TEST(HostileInfo, cutShortAnywhereIsBroken) {
  for (const char *name : infoNames) {
    RecordedInfo build("1.12.1");
    keepTwoInfos(build);
    std::string whole = build.files.node(build.info(name))->content;
    ASSERT_EQ(infoComesTo(build), 0u);
    for (size_t length = 0; length < whole.size(); ++length) {
      build.files.node(build.info(name))->content = whole.substr(0, length);
      EXPECT_EQ(infoComesTo(build), brokenInfo) << name << length;
    }
  }
}

TEST(HostileInfo, withAnotherTypeInAnyPlaceIsBrokenOrRead) {
  const Json others[] = {nullptr, -1, "x", llvm::json::Array{}, llvm::json::Object{}};
  unsigned refused = 0;
  for (const char *version : {"1.0.1", "1.12.1"})
    for (const char *name : infoNames) {
      RecordedInfo build(version);
      keepTwoInfos(build);
      if (!build.files.stat(build.info(name)).exists())
        continue;
      Json whole = llvm::cantFail(llvm::json::parse(build.files.node(build.info(name))->content));
      forEachPlace(whole, [&](Json &place) {
        Json kept = place;
        for (const Json &other : others) {
          place = other;
          build.files.node(build.info(name))->content = printedJson(whole);
          unsigned code = infoComesTo(build);
          EXPECT_TRUE(code == 0 || code == brokenInfo) << name << printedJson(whole);
          refused += code == brokenInfo;
        }
        place = std::move(kept);
      });
    }
  EXPECT_GT(refused, 300u);
}

TEST(HostileInfo, thatNestsTooDeepIsNeverParsed) { // F24
  RecordedInfo build("1.12.1");
  std::string &content = build.files.node(build.info("intro-targets"))->content;
  content = "[{\"a\":" + std::string(100000, '[');
  EXPECT_EQ(infoComesTo(build), brokenInfo);
  std::string deep = std::string(60, '[') + std::string(60, ']');
  content = R"([{"name":"x","type":"custom","a":)" + deep + "}]";
  EXPECT_EQ(infoComesTo(build), 0u);
}

// A failed configuration leaves no data, or those of an earlier one.
TEST(HostileInfo, ofAConfigurationThatFailedIsNoDescription) {
  for (const char *name : {"intro-targets", "intro-install_plan", "intro-buildsystem_files"}) {
    RecordedInfo build("1.12.1");
    build.files.remove(build.info(name));
    EXPECT_EQ(infoComesTo(build), brokenInfo) << name;
  }
  RecordedInfo build("1.12.1");
  std::string &content = build.files.node(build.info("meson-info"))->content;
  size_t at = content.find("\"error\":false");
  ASSERT_NE(at, std::string::npos);
  content.replace(at, 13, "\"error\":true");
  EXPECT_EQ(infoComesTo(build), brokenInfo);
}

TEST(HostileInfo, ofATargetWithoutFileIsBroken) {
  RecordedInfo build("1.12.1");
  build.files.file(build.info("intro-targets"), R"([{"name":"x","type":"executable"}])");
  EXPECT_EQ(infoComesTo(build), brokenInfo);
  build.files.file(build.info("intro-targets"), R"([{"name":"x","type":"run"}])");
  EXPECT_EQ(infoComesTo(build), 0u);
}

} // namespace cudacc::test
