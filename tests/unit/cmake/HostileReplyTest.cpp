// SPDX-License-Identifier: Apache-2.0
#include "Recorded.h"
#include "plugins/cmake/FileApi.h"

// Replies that CMake did not write give one clear error, or are read; nothing else happens.
namespace cudacc::test {

namespace {

/// The result of reading: 0 if it succeeded, else the code.
unsigned comesTo(RecordedBuild &build) {
  audit::BuildModel model;
  model.build = "/b";
  auto described = cmake::readFileApi(build.files, "/b", model, oneByOne);
  if (described)
    return 0;
  return unsigned(core::toFinding(described.takeError()).code);
}

/// Only the targets that are used: reading the others costs time.
void keepTwoTargets(RecordedBuild &build) {
  std::string path = build.reply("codemodel-");
  auto value = llvm::cantFail(llvm::json::parse(build.files.node(path)->content));
  for (llvm::json::Value &configuration : *value.getAsObject()->getArray("configurations")) {
    llvm::json::Array kept;
    for (llvm::json::Value &target : *configuration.getAsObject()->getArray("targets"))
      if (auto name = target.getAsObject()->getString("name"); *name == "mixed" || *name == "outer")
        kept.push_back(target);
    (*configuration.getAsObject())["targets"] = std::move(kept);
  }
  build.files.node(path)->content = llvm::formatv("{0}", value).str();
}

constexpr unsigned broken = 6016;

} // namespace

TEST(HostileReply, inAFolderThatCannotBeReadIsNotMissing) {
  RecordedBuild build("3.25-ninja");
  build.files.unreadable.insert("/b/.cmake/api/v1/reply");
  EXPECT_EQ(comesTo(build), 2005u);
}

TEST(HostileReply, cutShortAnywhereIsBroken) {
  for (const char *prefix : {"index-", "codemodel-", "target-mixed-", "toolchains-"}) {
    RecordedBuild build("3.25-ninja");
    keepTwoTargets(build);
    std::string path = build.reply(prefix);
    std::string whole = build.files.node(path)->content;
    ASSERT_EQ(comesTo(build), 0u);
    for (size_t length = 0; length < whole.size(); ++length) {
      build.files.node(path)->content = whole.substr(0, length);
      EXPECT_EQ(comesTo(build), broken) << prefix << length;
    }
  }
}

TEST(HostileReply, withAnotherTypeInAnyPlaceIsBrokenOrRead) {
  const Json others[] = {nullptr, -1, "x", llvm::json::Array{}, llvm::json::Object{}};
  unsigned refused = 0;
  for (const char *name : {"3.25-ninja", "4.4-makefiles"})
    for (const char *prefix :
         {"index-", "codemodel-", "target-mixed-", "target-outer-", "toolchains-", "cmakeFiles-"}) {
      RecordedBuild build(name);
      keepTwoTargets(build);
      std::string path = build.reply(prefix);
      Json whole = llvm::cantFail(llvm::json::parse(build.files.node(path)->content));
      forEachPlace(whole, [&](Json &place) {
        Json kept = place;
        for (const Json &other : others) {
          place = other;
          build.files.node(path)->content = printedJson(whole);
          unsigned code = comesTo(build);
          EXPECT_TRUE(code == 0 || code == broken) << prefix << printedJson(whole);
          refused += code == broken;
        }
        place = std::move(kept);
      });
    }
  EXPECT_GT(refused, 500u);
}

TEST(HostileReply, thatNestsTooDeepIsNeverParsed) { // F24
  RecordedBuild build("3.25-ninja");
  std::string path = build.reply("target-mixed-");
  build.files.node(path)->content = "{\"a\":" + std::string(100000, '[');
  EXPECT_EQ(comesTo(build), broken);
  build.files.node(path)->content =
      "{\"name\":\"mixed\",\"a\":" + std::string(60, '[') + std::string(60, ']') + "}";
  EXPECT_EQ(comesTo(build), 0u);
  // A bracket in a string is not nesting.
  build.files.node(path)->content = "{\"name\":\"mixed\",\"a\":\"" + std::string(99, '[') + "\"}";
  EXPECT_EQ(comesTo(build), 0u);
}

// Values that are not used are not parsed, but the depth limit and the end are still checked.
TEST(HostileReply, mayHaveAnythingThatNestsInMembersThatAreNotRead) {
  RecordedBuild build("3.25-ninja");
  keepTwoTargets(build);
  std::string path = build.reply("target-mixed-");
  auto with = [&](std::string members) {
    build.files.node(path)->content = "{\"name\":\"mixed\"," + members + ",\"type\":\"UTILITY\"}";
    return comesTo(build);
  };
  EXPECT_EQ(with(R"("includes" : [{"path":"a]}\"["}, 1 ],"defines":[])"), 0u);
  EXPECT_EQ(with(R"("includes":7,"defines":"]","implicit":{"a":{}})"), 0u);
  EXPECT_EQ(with(R"("nameOnDisk":"includes","x":["includes","defines"])"), 0u);
  EXPECT_EQ(with(R"("includes":[)"), broken);
  EXPECT_EQ(with(R"("includes":[]])"), broken);
  EXPECT_EQ(with(R"("includes":{"a":"b)"), broken);
  EXPECT_EQ(with("\"includes\":" + std::string(70, '[') + std::string(70, ']')), broken);
  EXPECT_EQ(with("\"includes\":" + std::string(60, '[') + std::string(60, ']')), 0u);
}

TEST(HostileReply, leadsToNoOtherFolder) {
  RecordedBuild build("3.25-ninja");
  std::string path = build.reply("codemodel-");
  llvm::StringRef whole = build.files.node(path)->content;
  build.files.file("/b/.cmake/api/v1/evil.json", "{\"name\":\"evil\"}");
  size_t at = whole.find("target-mixed-");
  std::string name = whole.substr(at).split('"').first.str();
  for (const char *other : {"../evil.json", "/b/.cmake/api/v1/evil.json", "", "gone.json", "."}) {
    std::string changed = whole.str();
    changed.replace(changed.find(name), name.size(), other);
    RecordedBuild again("3.25-ninja");
    again.files.file("/b/.cmake/api/v1/evil.json", "{\"name\":\"evil\"}");
    again.files.node(again.reply("codemodel-"))->content = changed;
    EXPECT_EQ(comesTo(again), broken) << other;
  }
}

TEST(HostileReply, whoseBacktraceGoesInCirclesEnds) {
  RecordedBuild build("3.25-ninja");
  std::string path = build.reply("target-mixed-");
  build.files.node(path)->content =
      R"({"name":"mixed","type":"UTILITY","backtrace":0,"backtraceGraph":{"files":["x"],)"
      R"("commands":["c"],"nodes":[{"file":0,"parent":1},{"file":0,"parent":0,"command":9}]}})";
  EXPECT_EQ(comesTo(build), 0u);
}

TEST(HostileReply, ofAMajorThatIsNotKnownIsNoReply) {
  RecordedBuild build("3.25-ninja");
  std::string path = build.reply("index-"), whole = build.files.node(path)->content;
  size_t at = whole.find("\"major\":2", whole.find("codemodel"));
  for (std::string &content = build.files.node(path)->content;
       (at = content.find("\"major\":2")) != std::string::npos;)
    content.replace(at, 9, "\"major\":3");
  audit::BuildModel model = build.model();
  EXPECT_FALSE(model.isDescribed);
}

TEST(HostileCache, ofAnyBytesIsReadOrRefused) {
  RecordedBuild build("3.25-ninja");
  std::string whole = build.files.node("/b/CMakeCache.txt")->content;
  for (size_t length = 0; length < whole.size(); ++length) {
    build.files.node("/b/CMakeCache.txt")->content = whole.substr(0, length);
    auto model = build.read();
    if (!model)
      EXPECT_EQ(core::exitOf(core::toFinding(model.takeError())), core::Exit::Undetermined);
  }
}

TEST(HostileScript, installScriptsThatIncludeEachOtherEnd) {
  RecordedBuild build("3.25-ninja");
  build.files.file("/b/cmake_install.cmake", "include(\"/b/sub/cmake_install.cmake\")\n");
  build.files.file("/b/sub/cmake_install.cmake", "include(\"/b/cmake_install.cmake\")\n"
                                                 "file(RPATH_CHANGE FILE x)\nfile(\nfile()");
  EXPECT_THAT(build.model().edits, testing::IsEmpty());
}

} // namespace cudacc::test
