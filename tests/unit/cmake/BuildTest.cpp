// SPDX-License-Identifier: Apache-2.0
#include "Recorded.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::test {

using namespace audit;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

namespace {

struct Expectation {
  const char *build, *system, *version;
};

class DescribedBuild : public testing::TestWithParam<Expectation> {};

std::string whereOf(const BuildTarget &target) {
  return target.place.file + ":" + std::to_string(target.place.line);
}

std::vector<std::string> kindsOfSteps(const BuildModel &model, llvm::StringRef name) {
  std::vector<std::string> out;
  for (llvm::StringRef step : stepsOf(model, name))
    out.push_back(step.split(" -> ").first.str());
  return out;
}

} // namespace

TEST_P(DescribedBuild, tellsTargetsWithTheirPlacesAndArtefacts) {
  RecordedBuild build(GetParam().build);
  BuildModel model = build.model();
  EXPECT_TRUE(model.isDescribed);
  EXPECT_TRUE(model.hasCommands);
  EXPECT_EQ(model.system, GetParam().system);
  EXPECT_EQ(model.source, "/s");
  EXPECT_THAT(model.newer, IsEmpty());
  const Toolchain *cuda = model.toolchain("CUDA");
  ASSERT_TRUE(cuda);
  EXPECT_EQ(cuda->compiler, "/td/bin/nvcc");
  EXPECT_EQ(cuda->version, "13.0.88");
  EXPECT_EQ(cuda->linkDriver, "/td/bin/g++");
  EXPECT_EQ(cuda->root, "/td");

  bool multi = std::string(GetParam().build) == "3.31-multi";
  std::string configuration = multi ? "Release" : "", folder = multi ? "/Release" : "";
  const BuildTarget *mixed = targetOf(model, "mixed", configuration);
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->type, TargetType::Shared);
  EXPECT_EQ(mixed->language, "CXX");
  EXPECT_THAT(mixed->artefacts, ElementsAre("/b" + folder + "/libmixed.so"));
  EXPECT_EQ(whereOf(*mixed), "/s/CMakeLists.txt:9");
  EXPECT_THAT(mixed->destinations, testing::Contains("lib"));
  ASSERT_THAT(mixed->groups, SizeIs(2));
  EXPECT_EQ(mixed->groups[0].language, "CUDA");
  EXPECT_THAT(mixed->groups[0].sources, ElementsAre("/s/m.cu"));

  // The innermost line of the project: that of the function that contains it.
  const BuildTarget *inner = targetOf(model, "inner", configuration);
  ASSERT_TRUE(inner);
  EXPECT_EQ(whereOf(*inner), "/s/sub/CMakeLists.txt:2");
  EXPECT_EQ(inner->language, "CUDA");
  EXPECT_THAT(inner->artefacts, ElementsAre("/b/sub" + folder + "/libinner.so"));
  EXPECT_EQ(targetOf(model, "ext", configuration)->type, TargetType::Module);
  EXPECT_EQ(targetOf(model, "tool", configuration)->type, TargetType::Program);
  EXPECT_EQ(targetOf(model, "archive", configuration)->type, TargetType::Static);
  EXPECT_EQ(targetOf(model, "objs", configuration)->type, TargetType::Objects);

  // A function of CMake's own modules is not part of the project: its caller is.
  const BuildTarget *outer = targetOf(model, "outer", configuration);
  ASSERT_TRUE(outer);
  EXPECT_TRUE(outer->isBuild);
  EXPECT_EQ(whereOf(*outer), "/s/CMakeLists.txt:28");
  const BuildTarget *ptx = targetOf(model, "ptx", configuration);
  EXPECT_FALSE(ptx->isBuild);
  EXPECT_THAT(ptx->generated, testing::Contains("/b/c.ptx"));
}

TEST_P(DescribedBuild, tellsCommandsWithTheirLaunchers) { // R29
  RecordedBuild build(GetParam().build);
  BuildModel model = build.model();
  bool multi = std::string(GetParam().build) == "3.31-multi";
  auto steps = [&](llvm::StringRef name) {
    std::vector<std::string> found = kindsOfSteps(model, name);
    // Each configuration has its own.
    if (multi && name != "ptx") {
      EXPECT_EQ(found.size() % 2, 0u) << name.str();
      found.resize(found.size() / 2);
    }
    return found;
  };
  EXPECT_THAT(steps("kernels"), UnorderedElementsAre("compile /td/bin/nvcc", "link /td/bin/g++"));
  EXPECT_THAT(steps("mixed"),
              UnorderedElementsAre("compile /td/bin/nvcc", "link /td/bin/cuda-cc /usr/bin/c++"));
  EXPECT_THAT(steps("rdc"), UnorderedElementsAre("compile /td/bin/nvcc", "device link /td/bin/nvcc",
                                                 "link /td/bin/g++"));
  EXPECT_THAT(steps("archive"), ElementsAre("compile /td/bin/nvcc"));
  EXPECT_THAT(steps("ext"), ElementsAre("link /td/bin/cuda-cc /usr/bin/c++"));
  EXPECT_THAT(steps("ptx"), testing::Contains("own compile /td/bin/nvcc"));
  // A source with a blank in its name.
  EXPECT_THAT(steps("inner"), UnorderedElementsAre("compile /td/bin/nvcc", "link /td/bin/g++"));
  EXPECT_TRUE(llvm::any_of(model.commands, [](const BuildCommand &command) {
    return command.sources == std::vector<std::string>{"/s/sub/inner s.cu"};
  }));
}

TEST_P(DescribedBuild, tellsWhatLinksReadFromResponseFilesToo) {
  RecordedBuild build(GetParam().build);
  BuildModel model = build.model();
  for (const BuildCommand &command : model.commands) {
    if (command.kind != BuildCommand::Kind::Link || model.targets[*command.target].name != "rdc")
      continue;
    EXPECT_THAT(command.inputs, testing::Contains("-lcudart"));
    EXPECT_THAT(command.inputs, testing::Contains(testing::EndsWith("/r.cu.o")));
  }
}

TEST_P(DescribedBuild, tellsTheEditsOfInstalling) {
  RecordedBuild build(GetParam().build);
  BuildModel model = build.model();
  bool multi = std::string(GetParam().build) == "3.31-multi";
  std::string folder = multi ? "/Release" : "";
  std::vector<PathEdit> edits;
  for (const PathEdit &edit : model.edits)
    if (edit.artefact == "/b/sub" + folder + "/libinner.so" ||
        edit.artefact == "/b" + folder + "/tool")
      edits.push_back(edit);
  ASSERT_THAT(edits, SizeIs(2));
  EXPECT_EQ(edits[0].from, "/b" + folder + ":");
  EXPECT_EQ(edits[0].to, "");
  EXPECT_EQ(edits[1].from, ":::::::::::::::::::");
  EXPECT_EQ(edits[1].to, "$ORIGIN/../x:/abs/k");
  EXPECT_FALSE(edits[1].dropsRest || edits[1].replacesAll);
  for (const PathEdit &edit : model.edits)
    EXPECT_NE(edit.artefact, "/b" + folder + "/libkernels.so") << "CMake gave it no path";
}

INSTANTIATE_TEST_SUITE_P(
    Generators, DescribedBuild,
    testing::Values(Expectation{"3.25-ninja", "CMake 3.25.1, Ninja", "2.4"},
                    Expectation{"3.31-multi", "CMake 3.31.6, Ninja Multi-Config", "2.7"},
                    Expectation{"4.4-makefiles", "CMake 4.4.2, Unix Makefiles", "2.11"}),
    [](const auto &info) {
      std::string name = info.param.build;
      std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
      return name;
    });

// Without a reply the targets and their folders are taken from the commands.
TEST(UndescribedBuild, isReadFromItsCommands) {
  for (const char *name : {"3.25-ninja", "4.4-makefiles"}) {
    RecordedBuild build(name);
    for (const std::string &file : build.files.list("/b/.cmake/api/v1/reply"))
      build.files.remove("/b/.cmake/api/v1/reply/" + file);
    BuildModel model = build.model();
    EXPECT_FALSE(model.isDescribed);
    EXPECT_EQ(model.toolchain("CUDA")->compiler, "/td/bin/nvcc") << name;
    EXPECT_EQ(model.toolchain("CXX")->compiler, "/usr/bin/c++") << name;
    const BuildTarget *mixed = targetOf(model, "mixed");
    ASSERT_TRUE(mixed) << name;
    EXPECT_TRUE(mixed->isLinked()) << name;
    EXPECT_THAT(mixed->artefacts, ElementsAre("/b/libmixed.so")) << name;
    EXPECT_THAT(mixed->destinations, SizeIs(1)) << name;
    EXPECT_EQ(mixed->place.file, "") << name;
    EXPECT_THAT(kindsOfSteps(model, "mixed"),
                UnorderedElementsAre("compile /td/bin/nvcc", "link /td/bin/cuda-cc /usr/bin/c++"));
  }
}

TEST(UndescribedBuild, ofAnotherGeneratorHasNoCommands) {
  RecordedBuild build("3.25-ninja");
  build.files.file("/b/CMakeCache.txt", "CMAKE_GENERATOR:INTERNAL=Green Hills MULTI\n"
                                        "CMAKE_CACHE_MAJOR_VERSION:INTERNAL=3\n");
  BuildModel model = build.model();
  EXPECT_FALSE(model.hasCommands);
  EXPECT_TRUE(model.isDescribed);
  EXPECT_THAT(build.ninja.asked, IsEmpty());
}

TEST(NinjaBuild, isAskedOnceForEachConfiguration) {
  RecordedBuild build("3.31-multi");
  build.model();
  ASSERT_THAT(build.ninja.asked, SizeIs(2));
  std::vector<std::string> words = build.ninja.asked[0];
  // Targets that are not part of `all` are requested by name.
  EXPECT_THAT(words, testing::IsSupersetOf({"all", "mixed", "ptx"}));
  words.resize(7);
  EXPECT_THAT(words, ElementsAre(testing::StartsWith("/"), "-C", "/b", "-f", "build-Debug.ninja",
                                 "-t", "commands"));
}

// `-t commands` does not print outputs: a command that names none belongs to the target whose rule
// has it. A versioned library is linked and installed under another name than the description has.
TEST(NinjaBuild, aLinkIsTheTargetsWhoseObjectsItReads) {
  RecordedBuild build("3.25-ninja");
  std::string &text = build.ninja.answers["build.ninja"];
  std::string &script = build.files.node("/b/cmake_install.cmake")->content;
  for (std::string *each : {&text, &script})
    for (size_t at = 0; (at = each->find("libmixed.so", at)) != std::string::npos; at += 15)
      each->insert(at + 11, ".1.2");
  BuildModel model = build.model();
  EXPECT_THAT(stepsOf(model, "mixed"),
              testing::Contains("link /td/bin/cuda-cc /usr/bin/c++ -> /b/libmixed.so.1.2"));
  EXPECT_THAT(targetOf(model, "mixed")->artefacts, ElementsAre("/b/libmixed.so"));
  EXPECT_TRUE(llvm::any_of(model.edits, [](const PathEdit &edit) {
    return edit.artefact == "/b/libmixed.so" && edit.from == "/b:/td/lib:";
  }));
}

TEST(NinjaBuild, placesCommandsOfTheProjectByTheirRules) {
  RecordedBuild build("3.25-round");
  const std::string line = "cd '/b/a b' && /cuda/bin/nvcc -ptx /s/k.cu -o $x.ptx";
  build.ninja.answers["build.ninja"] += line + "\n";
  EXPECT_THAT(stepsOf(build.model(), "outer"), IsEmpty());
  build.files.file("/b/build.ninja",
                   "build x$ y: phony\nbuild CMakeFiles/outer.util | ${d}z: CUSTOM_COMMAND a\n"
                   "  COMMAND = cd '/b/a b' && /cuda/bin/nvcc -ptx /s/k.cu -o $$x.ptx\n");
  EXPECT_THAT(stepsOf(build.model(), "outer"),
              ElementsAre("own compile /cuda/bin/nvcc -> /b/a b/$x.ptx"));
}

TEST(NinjaBuild, commandsAroundALinkAreItsTargets) {
  RecordedBuild build("3.25-round");
  build.ninja.answers["build.ninja"] =
      ": && /usr/bin/c++ -shared -o libmixed.so a.o && cd /b && /cuda/bin/nvcc -ptx k.cu -o k.p\n"
      "cd /b && /usr/bin/cmake -E copy /cuda/bin/nvcc there\n"
      "/x/launch.sh --log /cuda/bin/nvcc -c k.cu -o CMakeFiles/rdc.dir/k.cu.o\n"
      "cd /b && /usr/bin/cmake -E env A=1 /usr/bin/ccache /cuda/bin/nvcc -c k.cu -o c.ptx\n";
  BuildModel model = build.model();
  EXPECT_THAT(stepsOf(model, "mixed"), ElementsAre("link /usr/bin/c++ -> /b/libmixed.so",
                                                   "own compile /cuda/bin/nvcc -> /b/k.p"));
  EXPECT_THAT(stepsOf(model, "ptx"),
              ElementsAre("own compile /usr/bin/cmake /usr/bin/ccache /cuda/bin/nvcc -> /b/c.ptx"));
  EXPECT_THAT(stepsOf(model, "rdc"),
              ElementsAre("compile /x/launch.sh /cuda/bin/nvcc -> /b/CMakeFiles/rdc.dir/k.cu.o"));
  EXPECT_THAT(model.commands, SizeIs(4));
}

/// The Ninja that is run for a build in /home/me/p/build whose cache names one; empty: none.
std::string asked(MemoryFiles &disk, llvm::StringRef program, llvm::StringRef onPath) {
  RecordedBuild build("3.25-ninja");
  build.around = {onPath.str(), 1000};
  for (const std::string &path : disk.paths())
    if (!build.files.node(path))
      *(build.files.directory(path), build.files.node(path)) = *disk.node(path);
  std::string &cache = build.files.node("/b/CMakeCache.txt")->content;
  llvm::StringRef recorded = "/usr/bin/ninja";
  cache.replace(cache.find(recorded), recorded.size(), program.str());
  auto model = build.read();
  if (!model) {
    core::Finding finding = core::toFinding(model.takeError());
    EXPECT_EQ(finding.code, core::Code::UnreadableFile);
    EXPECT_EQ(finding.facts[1].text, program.empty() ? "none" : program.str());
    EXPECT_THAT(build.ninja.asked, IsEmpty());
    return "";
  }
  return build.ninja.asked.at(0).at(0);
}

TEST(NinjaBuild, startsNothingThatTheCacheAloneNames) {
  MemoryFiles disk;
  disk.program("/usr/bin/ninja").program("/home/me/bin/ninja-1.12").program("/tmp/evil");
  disk.program("/s/tools/ninja").program("/b/ninja").program("/usr/bin/my-ninja");
  disk.program("/home/you/bin/ninja").program("/opt/open/ninja").program("/opt/file/ninja");
  disk.program("/var/sticky/ninja").file("/opt/plain/ninja");
  disk.symlink("/opt/link/ninja", "/b/ninja").symlink("/s/link/ninja", "/usr/bin/ninja");
  for (const char *own :
       {"/home/me/bin/ninja-1.12", "/home/me/bin", "/home/me", "/var/sticky/ninja"})
    disk.node(own)->owner = 1000;
  disk.node("/home/you/bin/ninja")->owner = 1001;
  disk.node("/opt/open")->mode = 0777;
  disk.node("/opt/file/ninja")->mode = 0775;
  disk.node("/var/sticky")->mode = 01777;
  for (const char *good : {"/usr/bin/ninja", "/home/me/bin/ninja-1.12", "/var/sticky/ninja"})
    EXPECT_EQ(asked(disk, good, "/path/ninja"), good);
  for (const char *bad :
       {"/tmp/evil", "/tmp/ninja/sh", "ninja", "", "/usr/bin/my-ninja", "/s/tools/ninja",
        "/b/ninja", "/opt/link/ninja", "/s/link/ninja", "/home/you/bin/ninja", "/opt/open/ninja",
        "/opt/file/ninja", "/opt/plain/ninja", "/usr/bin/ninja-none"}) {
    EXPECT_EQ(asked(disk, bad, "/path/ninja"), "/path/ninja") << bad;
    EXPECT_EQ(asked(disk, bad, ""), "") << bad;
  }
}

// The copy contains the paths of the original.
TEST(MakefilesBuild, isReadWhereItWasCopiedTo) {
  for (bool described : {true, false}) {
    RecordedBuild build("4.4-makefiles");
    for (const std::string &path : build.files.paths())
      if (llvm::StringRef rest = path; rest.consume_front("/b/")) {
        llvm::StringRef text = build.files.node(path)->content;
        if (build.files.node(path)->kind != core::FileStatus::Kind::Regular)
          continue;
        if (described || !rest.starts_with(".cmake/api/v1/reply"))
          build.files.file(("/copy/" + rest).str(), text);
      }
    auto read = [&] {
      return llvm::cantFail(
          cmake::readBuild(build.files, build.ninja, "/copy", build.around, oneByOne));
    };
    BuildModel model = read();
    EXPECT_EQ(model.build, "/copy");
    EXPECT_EQ(model.configuredAs, "/b");
    EXPECT_EQ(model.isDescribed, described);
    EXPECT_TRUE(model.hasCommands);
    EXPECT_THAT(kindsOfSteps(model, "mixed"),
                UnorderedElementsAre("compile /td/bin/nvcc", "link /td/bin/cuda-cc /usr/bin/c++"));
    // It belongs to another build: its commands are unknown, which differs from having none.
    std::string &cache = build.files.node("/copy/CMakeCache.txt")->content;
    cache.replace(cache.find("CACHEFILE_DIR:INTERNAL=/b"), 25, "CACHEFILE_DIR:INTERNAL=/c");
    model = read();
    EXPECT_FALSE(model.hasCommands);
    EXPECT_EQ(model.targets.empty(), !described);
  }
}

TEST(NinjaBuild, thatNinjaCannotReadIsAnError) {
  RecordedBuild build("3.25-ninja");
  build.ninja.ended.status = 1;
  auto model = build.read();
  ASSERT_FALSE(model);
  core::Finding finding = core::toFinding(model.takeError());
  EXPECT_EQ(finding.code, core::Code::UnreadableFile);
  EXPECT_EQ(finding.facts[1].text, "ninja: error: broken");
}

TEST(PreparedBuild, asksForWhatIsReadAndOnlyOnce) {
  MemoryFiles files;
  files.directory("/b");
  auto written = llvm::cantFail(cmake::prepare(files, "/b"));
  EXPECT_THAT(written, ElementsAre("/b/.cmake/api/v1/query/client-cuda-cc/codemodel-v2",
                                   "/b/.cmake/api/v1/query/client-cuda-cc/toolchains-v1",
                                   "/b/.cmake/api/v1/query/client-cuda-cc/cmakeFiles-v1"));
  EXPECT_THAT(llvm::cantFail(cmake::prepare(files, "/b")), IsEmpty());
}

TEST(ConfiguredBuild, isOlderThanFilesThatChangedLater) {
  RecordedBuild build("3.25-ninja");
  build.files.file("/s/CMakeLists.txt").file("/s/sub/CMakeLists.txt");
  build.files.node("/s/CMakeLists.txt")->mtime = 20;
  build.files.node("/s/sub/CMakeLists.txt")->mtime = 5;
  build.files.node(build.reply("index-"))->mtime = 10;
  EXPECT_THAT(build.model().newer, ElementsAre("/s/CMakeLists.txt"));
}

TEST(CMakeFixes, nameOnlyFoldersThatAreThere) {
  using audit::FixKind;
  EXPECT_EQ(cmake::fixes(FixKind::Launcher, "b", "/td", "/usr/bin/cuda-cc")[0],
            "cmake b -DCMAKE_CXX_LINKER_LAUNCHER=/td/bin/cuda-cc (CMAKE_C_LINKER_LAUNCHER for C)");
  EXPECT_EQ(cmake::fixes(FixKind::Launcher, "b", "", "/usr/bin/cuda-cc")[0],
            "cmake b -DCMAKE_CXX_LINKER_LAUNCHER=/usr/bin/cuda-cc (CMAKE_C_LINKER_LAUNCHER for C)");
  EXPECT_EQ(cmake::fixes(FixKind::NewTree, "b b", "/t d", "")[0],
            "configure a new build directory with -DCMAKE_TOOLCHAIN_FILE='/t d'/toolchain.cmake");
  // Without the option CMake would forget the toolchain file.
  EXPECT_EQ(
      cmake::fixes(FixKind::NewTree, "b b", "/t d", "")[1],
      "cmake --fresh 'b b' -DCMAKE_TOOLCHAIN_FILE='/t d'/toolchain.cmake, with its other options");
}

} // namespace cudacc::test
