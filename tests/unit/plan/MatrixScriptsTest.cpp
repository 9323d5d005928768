// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/MatrixScripts.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

namespace {

plan::MatrixBuildStep step() {
  plan::MatrixBuildStep step;
  step.name = "cu12.4";
  step.runtime = "torch==2.5.1; sm=80";
  step.toolkit = "/opt/cuda 12.4";
  step.recipe = plan::matrixRecipe("make all", {"lib/*.so"}, false);
  step.key = "key";
  return step;
}

const plan::MatrixPlaces places{"/usr/bin/cuda-cc", "/my project", "/my project/.cuda-cc/matrix"};

TEST(MatrixScripts, presets) {
  plan::MatrixRecipe wheel = plan::matrixRecipe("pip wheel", {}, false);
  EXPECT_TRUE(wheel.copies);
  EXPECT_THAT(wheel.command,
              AllOf(HasSubstr("pip wheel --no-deps -w dist ."), Not(HasSubstr("isolation"))));
  EXPECT_THAT(wheel.artefacts, ElementsAre("dist/*.whl"));
  EXPECT_THAT(plan::matrixRecipe("pip wheel", {"x.whl"}, true).command,
              HasSubstr("--no-build-isolation"));
  EXPECT_THAT(plan::matrixRecipe("pip wheel", {"x.whl"}, true).artefacts, ElementsAre("x.whl"));
  for (const char *preset : {"cmake", "meson"}) {
    plan::MatrixRecipe recipe = plan::matrixRecipe(preset, {"x.so"}, false);
    EXPECT_FALSE(recipe.copies);
    EXPECT_THAT(recipe.command, HasSubstr("\"$CUDA_CC_MATRIX_SOURCE\""));
    EXPECT_THAT(plan::matrixRecipe(preset, {}, false).artefacts, ElementsAre("install"));
  }
  EXPECT_EQ(plan::matrixRecipe("cmake --version", {"x"}, false).command, "cmake --version");
}

// `built` is removed first and written last.
TEST(MatrixScripts, aBuildCountsOnlyWhenItIsComplete) {
  std::string text = plan::buildScript(places, step());
  EXPECT_THAT(text, EndsWith("echo key > '/my project/.cuda-cc/matrix/cu12.4'/built\n"));
  EXPECT_LT(text.find("rm -f '/my project/.cuda-cc/matrix/cu12.4'/built"),
            text.find("/usr/bin/cuda-cc toolchain"));
  EXPECT_THAT(text, HasSubstr(" --runtime=torch==2.5.1 --runtime=sm=80 "
                              "--toolkit='/opt/cuda 12.4'"));
}

TEST(MatrixScripts, onlyWildcardsOfPatternsAreNotQuoted) {
  plan::MatrixBuildStep made = step();
  made.recipe.artefacts = {"lib/*.so", "a b/[xy]?$(touch z)"};
  EXPECT_THAT(plan::buildScript(places, made),
              HasSubstr("for each in lib/*.so 'a b/'[xy]?'$(touch z)'; do"));
}

TEST(MatrixScripts, workIsCopiedOrKeptWhileTheToolsAreTheSame) {
  plan::MatrixBuildStep made = step();
  EXPECT_THAT(plan::buildScript(places, made), HasSubstr("tar -C '/my project'"));
  made.recipe = plan::matrixRecipe("cmake", {"x.so"}, false);
  EXPECT_THAT(plan::buildScript(places, made),
              AllOf(Not(HasSubstr("tar ")), HasSubstr("[ \"$before\" = key ] || rm -rf work\n")));
}

TEST(MatrixScripts, thePythonIsThatOfTheEnvironment) {
  plan::MatrixBuildStep made = step();
  made.python = "/opt/py/bin/python";
  EXPECT_THAT(plan::buildScript(places, made), HasSubstr("export PYTHON=/opt/py/bin/python\n"));
  made.environment = "/e/venv";
  EXPECT_THAT(plan::buildScript(places, made),
              AllOf(HasSubstr("PYTHON=/e/venv/bin/python PATH=/e/venv/bin:\"$PATH\"\n"),
                    Not(HasSubstr("/opt/py"))));
}

TEST(MatrixScripts, environmentsByUvOrByPip) {
  plan::MatrixEnvironment made{"/r/environments/x", "/bin/uv", "3.11", {"torch==2.5.1", "a<2"}};
  EXPECT_THAT(plan::environmentScript(made),
              AllOf(HasSubstr("/bin/uv venv --quiet --seed --python 3.11 venv\n"),
                    HasSubstr("/bin/uv pip install --quiet --python venv/bin/python "
                              "torch==2.5.1 'a<2'\n"),
                    EndsWith(": > made\n")));
  made.uv.clear();
  made.python = "/usr/bin/python3.11";
  EXPECT_THAT(plan::environmentScript(made),
              AllOf(HasSubstr("/usr/bin/python3.11 -m venv venv\n"),
                    HasSubstr("venv/bin/python -m pip install --quiet torch==2.5.1 'a<2'\n")));
}

TEST(MatrixScripts, aCheckJudgesOnEveryRuntime) {
  std::string text = plan::checkScript(places, step(), {"cuda==12.4", "torch>=2.5,<3"});
  EXPECT_THAT(text, HasSubstr("check --format=json --runtime=cuda==12.4 "
                              "--runtime='torch>=2.5,<3' -- \"$@\""));
}

TEST(MatrixScripts, aTestIsRunInItsEnvironment) {
  plan::MatrixTestStep test{"torch--2.5.1", "torch==2.5.1", "pytest -q", {}, true};
  test.environment = {"/r/cu12.4/tests/torch--2.5.1/venv", "/bin/uv", "", {"torch==2.5.1"}};
  std::string text = plan::testScript(places, step(), test);
  EXPECT_THAT(text, AllOf(HasSubstr("set -- torch==2.5.1\nfor each in ../../work/lib/*.so; do"),
                          HasSubstr("\nsh -ec 'pytest -q'\n"), EndsWith("/passed\n")));
  // Nothing is installed into an environment of the user's.
  test.installs = false;
  EXPECT_THAT(plan::testScript(places, step(), test), Not(HasSubstr("install")));
}

TEST(MatrixScripts, buildsWaitForEachOtherAndSomeAreMadeAlways) {
  using Kind = plan::MatrixEdge::Kind;
  std::vector<plan::MatrixEdge> cells = {{Kind::Build,
                                          "a/build.sh",
                                          "a/build.log",
                                          "a/built",
                                          {"environments/e/made"},
                                          "k1",
                                          false,
                                          "build a"},
                                         {Kind::Check,
                                          "a/check.sh",
                                          "a/check.log",
                                          "a/check.json",
                                          {"a/built"},
                                          "k2",
                                          true,
                                          "check a"}};
  std::string text = plan::matrixBuildFile(cells, 2);
  EXPECT_THAT(text, HasSubstr("depth = 2\n"));
  EXPECT_THAT(text, HasSubstr("build a/built: cell environments/e/made\n"));
  EXPECT_THAT(text, HasSubstr("build a/check.json: cell a/built always\n"));
  EXPECT_THAT(text, EndsWith("description = check a\n"));
}

} // namespace
