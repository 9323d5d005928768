// SPDX-License-Identifier: Apache-2.0
#include "RecordedInfo.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::test {

using namespace audit;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class MesonBuild : public testing::TestWithParam<const char *> {
protected:
  RecordedInfo build{GetParam()};
  bool isOld = llvm::StringRef(GetParam()) == "1.0.1";
  BuildModel model = build.model();
};

TEST_P(MesonBuild, tellsTargetsWithTheirFilesAndArtefacts) {
  EXPECT_TRUE(model.isDescribed);
  EXPECT_TRUE(model.hasCommands);
  EXPECT_EQ(model.system, std::string("Meson ") + GetParam() + ", Ninja");
  EXPECT_EQ(model.source, "/s");
  EXPECT_THAT(model.newer, IsEmpty());
  const Toolchain *cuda = model.toolchain("CUDA"), *cxx = model.toolchain("CXX");
  ASSERT_TRUE(cuda && cxx);
  EXPECT_EQ(cuda->compiler, "/td/bin/nvcc");
  EXPECT_EQ(cuda->version, isOld ? "" : "13.0.88");
  EXPECT_EQ(cuda->linkDriver, "") << "nvcc links";
  EXPECT_EQ(cxx->compiler, "/usr/bin/g++") << "behind its launcher";

  const BuildTarget *mixed = targetOf(model, "mixed");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->type, TargetType::Shared);
  EXPECT_EQ(mixed->language, "CUDA");
  EXPECT_THAT(mixed->artefacts, ElementsAre("/b/libmixed.so"));
  EXPECT_EQ(mixed->place.file, "/s/meson.build");
  ASSERT_THAT(mixed->groups, SizeIs(2));
  EXPECT_EQ(mixed->groups[0].language, "CUDA");
  EXPECT_THAT(mixed->groups[0].sources, ElementsAre("/s/k.cu"));
  EXPECT_THAT(mixed->linkWords, testing::Contains("-lcusolver"));

  const BuildTarget *inner = targetOf(model, "inner");
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->language, "CXX");
  EXPECT_EQ(inner->place.file, "/s/sub/meson.build");
  EXPECT_THAT(inner->artefacts, ElementsAre("/b/sub/libinner.so.1.2.3")) << "the file, not links";
  EXPECT_EQ(targetOf(model, "ext")->type, TargetType::Module);
  EXPECT_EQ(targetOf(model, "prog")->type, TargetType::Program);
  EXPECT_EQ(targetOf(model, "archive")->type, TargetType::Static);
  EXPECT_EQ(targetOf(model, "ptx")->type, TargetType::Custom);
  EXPECT_THAT(targetOf(model, "ptx")->generated, ElementsAre("/b/k.ptx"));
}

// both_libraries() makes two targets with the same name; two folders may have such targets too.
TEST_P(MesonBuild, everyTargetHasANameOfItsOwn) {
  EXPECT_EQ(targetOf(model, "two")->type, TargetType::Shared);
  ASSERT_TRUE(targetOf(model, "libtwo.a"));
  EXPECT_EQ(targetOf(model, "libtwo.a")->type, TargetType::Static);
  ASSERT_TRUE(targetOf(model, "sub/prog"));
  EXPECT_THAT(targetOf(model, "prog")->artefacts, ElementsAre("/b/prog"));
}

TEST_P(MesonBuild, tellsCommandsWithTheirLaunchers) { // R29
  EXPECT_THAT(stepsOf(model, "pure"),
              UnorderedElementsAre("compile /td/bin/nvcc -> /b/libpure.so.p/k.cu.o",
                                   "link /td/bin/nvcc -> /b/libpure.so"));
  EXPECT_THAT(stepsOf(model, "archive"),
              ElementsAre("compile /td/bin/nvcc -> /b/libarchive.a.p/k.cu.o"));
  // A C++ target is linked by nvcc in Meson 1.0 if the project uses CUDA.
  EXPECT_THAT(stepsOf(model, "inner"),
              ElementsAre(isOld ? "link /td/bin/nvcc -> /b/sub/libinner.so.1.2.3"
                                : "link /td/bin/cuda-cc /usr/bin/g++ -> /b/sub/libinner.so.1.2.3"));
  EXPECT_THAT(stepsOf(model, "later"), SizeIs(2)) << "what is built by name alone";
  for (const BuildCommand &command : model.commands)
    if (command.kind == BuildCommand::Kind::Link &&
        model.targets[*command.target].name == "mixed") {
      EXPECT_THAT(command.inputs, testing::IsSupersetOf({"-lcusolver", "/b/libmixed.so.p/k.cu.o"}));
    }
}

TEST_P(MesonBuild, tellsCommandsOfTheProject) { // R23
  EXPECT_THAT(stepsOf(model, "ptx"), ElementsAre("own compile /td/bin/nvcc -> /b/k.ptx"));
  EXPECT_THAT(stepsOf(model, "captured"), ElementsAre("own compile /td/bin/nvcc -> /b/c.ptx"));
  EXPECT_THAT(stepsOf(model, "around"), ElementsAre("own compile /td/bin/nvcc -> /b/a.ptx"));
}

TEST_P(MesonBuild, tellsWhatInstallingDoesWhereMesonSays) {
  const BuildTarget *mixed = targetOf(model, "mixed");
  if (isOld) {
    EXPECT_THAT(model.edits, IsEmpty());
    EXPECT_THAT(mixed->destinations, IsEmpty());
    return;
  }
  EXPECT_THAT(mixed->destinations, ElementsAre("{libdir_shared}/libmixed.so"));
  ASSERT_THAT(model.edits, SizeIs(5));
  auto edit = llvm::find_if(model.edits,
                            [](const PathEdit &each) { return each.artefact == "/b/libmixed.so"; });
  ASSERT_NE(edit, model.edits.end());
  EXPECT_EQ(edit->from, "/k/lib");
  EXPECT_EQ(edit->to, "$ORIGIN/../lib");
  EXPECT_TRUE(edit->byElement);
  // 3.4: install_rpath is put in front.
  EXPECT_THAT(installedPath({"$ORIGIN/../nvidia/cu13/lib", "/k/lib", "XXXXXXXX"}, *edit).value(),
              ElementsAre("$ORIGIN/../lib", "$ORIGIN/../nvidia/cu13/lib"));
}

INSTANTIATE_TEST_SUITE_P(Versions, MesonBuild, testing::Values("1.0.1", "1.12.1"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(MesonNinja, isAskedForWhatIsBuiltByNameAlone) {
  RecordedInfo build("1.12.1");
  build.model();
  ASSERT_THAT(build.ninja.asked, SizeIs(1));
  EXPECT_THAT(build.ninja.asked[0], ElementsAre("/usr/bin/ninja", "-C", "/b", "-f", "build.ninja",
                                                "-t", "commands", "all", "liblater.so"));
}

TEST(MesonNinja, thatIsMissingOrCannotReadIsAnError) {
  RecordedInfo build("1.12.1");
  auto model = build.read("");
  ASSERT_FALSE(model);
  EXPECT_EQ(core::toFinding(model.takeError()).message,
            "no Ninja prints the commands of the build");
  build.ninja.ended.status = 1;
  model = build.read();
  ASSERT_FALSE(model);
  core::Finding finding = core::toFinding(model.takeError());
  EXPECT_EQ(finding.code, core::Code::UnreadableFile);
  EXPECT_EQ(finding.facts[1].text, "ninja: error: broken");
}

TEST(MesonNinja, isNotAskedForAnotherBackend) {
  RecordedInfo build("1.12.1");
  build.files.file(build.info("intro-buildoptions"), R"([{"name":"backend","value":"none"}])");
  BuildModel model = build.model();
  EXPECT_FALSE(model.hasCommands);
  EXPECT_EQ(model.system, "Meson 1.12.1, none");
  EXPECT_THAT(build.ninja.asked, IsEmpty());
}

TEST(MesonNinja, launchersStandInFrontOfRulesAndNotOfOthersCommands) {
  RecordedInfo build("1.12.1");
  build.ninja.answers["build.ninja"] =
      "/x/launch.sh --log /cuda/bin/nvcc -c ../k.cu -o libpure.so.p/k.cu.o\n"
      "/usr/bin/copy /cuda/bin/nvcc there\n"
      "/usr/bin/meson --internal exe --capture /cuda/bin/nvcc\n"
      "/usr/bin/meson --internal exe --unpickle /b/meson-private/x.dat\n"
      "/cuda/bin/nvcc -ptx ../k.cu -o other.ptx --log k.ptx\n";
  BuildModel model = build.model();
  EXPECT_THAT(stepsOf(model, "pure"),
              ElementsAre("compile /x/launch.sh /cuda/bin/nvcc -> /b/libpure.so.p/k.cu.o"));
  EXPECT_THAT(stepsOf(model, "ptx"), ElementsAre("own compile /cuda/bin/nvcc -> /b/other.ptx"));
  EXPECT_THAT(model.commands, SizeIs(2));
}

// R9: the response file that Ninja writes for a long line is removed after the build.
TEST(MesonNinja, aLinkOfAResponseFileIsTheTargetsThatItIsCalledAfter) {
  RecordedInfo build("1.12.1");
  build.ninja.answers["build.ninja"] =
      "c++ @sub/libinner.so.1.2.3.p/k.o.rsp\nc++ @sub/libinner.so.1.2.3.rsp\nc++ @other.rsp\n";
  BuildModel model = build.model();
  EXPECT_THAT(stepsOf(model, "inner"), ElementsAre("link c++ -> /b/sub/libinner.so.1.2.3"));
  build.files.file("/b/libtwo.so.rsp", "-o libtwo.so libtwo.so.p/only.cpp.o -lcudart -shared");
  build.ninja.answers["build.ninja"] = "c++ @libtwo.so.rsp\n";
  model = build.model();
  EXPECT_THAT(stepsOf(model, "two"), ElementsAre("link c++ -> /b/libtwo.so"));
  EXPECT_THAT(model.commands[0].inputs, testing::Contains("-lcudart"));
}

TEST(MesonInfo, ofABuildThatMovedIsReadWhereItLies) {
  RecordedInfo build("1.12.1");
  std::string &text = build.files.node(build.info("meson-info"))->content;
  for (const char *name : {"meson-info", "intro-targets", "intro-install_plan"}) {
    std::string &content = build.files.node(build.info(name))->content;
    for (size_t at = 0; (at = content.find("\"/b", at)) != std::string::npos; at += 5)
      content.insert(at + 1, "/was");
  }
  EXPECT_NE(text.find("/was/b"), std::string::npos);
  BuildModel model = build.model();
  EXPECT_EQ(model.build, "/b");
  EXPECT_THAT(targetOf(model, "mixed")->artefacts, ElementsAre("/b/libmixed.so"));
  EXPECT_THAT(model.edits, SizeIs(5));
  EXPECT_THAT(stepsOf(model, "pure"), SizeIs(2));
}

TEST(MesonInfo, placesTargetsInTheLinesOfTheirFiles) {
  RecordedInfo build("1.12.1");
  build.files.file("/s/meson.build", "\nshared_library('pure', 'k.cu')\n");
  build.files.file("/s/sub/meson.build", "executable('prog', 'x')\n");
  BuildModel model = build.model();
  EXPECT_EQ(targetOf(model, "pure")->place.line, 2u);
  EXPECT_EQ(targetOf(model, "sub/prog")->place.line, 1u);
  EXPECT_EQ(targetOf(model, "mixed")->place.line, 0u);
}

TEST(MesonInfo, isOlderThanFilesThatChangedLater) {
  RecordedInfo build("1.12.1");
  build.files.file("/s/meson.build").file("/s/sub/meson.build");
  build.files.node("/s/meson.build")->mtime = 20;
  build.files.node("/s/sub/meson.build")->mtime = 5;
  build.files.node(build.info("meson-info"))->mtime = 10;
  EXPECT_THAT(build.model().newer, ElementsAre("/s/meson.build"));
}

TEST(MesonFixes, nameTheNativeFile) {
  for (auto remedy : {FixKind::Front, FixKind::Launcher, FixKind::NewTree}) {
    EXPECT_EQ(meson::fixes(remedy, "b", "/td", "/bin/cuda-cc")[0],
              "configure a new build directory with --native-file=/td/native.ini");
    EXPECT_THAT(meson::fixes(remedy, "b", "", "/bin/cuda-cc")[0],
                testing::HasSubstr("cuda-cc toolchain DIR"));
  }
  EXPECT_EQ(meson::fixes(FixKind::Describe, "b b", "/t d", "")[0],
            "meson setup --reconfigure 'b b'");
  // In a machine file a path is no word of a shell.
  EXPECT_THAT(meson::fixes(FixKind::Launcher, "b b", "/t d", ""),
              testing::ElementsAre(testing::HasSubstr("'/t d'/native.ini"),
                                   testing::StartsWith("cpp = ['/t d/bin/cuda-cc', 'g++']")));
  for (int remedy = 0; remedy <= int(FixKind::Build); ++remedy)
    for (const std::string &fix : meson::fixes(FixKind(remedy), "b", "/td", "/bin/cuda-cc"))
      EXPECT_THAT(fix, testing::Not(testing::HasSubstr("CMAKE"))) << remedy;
}

} // namespace cudacc::test
