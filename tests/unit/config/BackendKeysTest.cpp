// SPDX-License-Identifier: Apache-2.0
// What the PEP 517 backend reads: checked, and of no effect on a call.
#include "driver/config/BackendKeys.h"
#include "driver/config/Settings.h"
#include "tests/unit/config/Configured.h"

using namespace cudacc;
using namespace cudacc::core;
using testing::HasSubstr;

namespace {

struct BackendKeys : test::Config {
  void says(const std::string &line) {
    files.file("/project/pyproject.toml", "[tool.cuda-cc]\nruntime = 'cuda==12.4'\n" + line + "\n");
  }
};

TEST_F(BackendKeys, aBackendIsAModuleOrAnObjectOfOne) {
  for (const char *line : {"backend = 'setuptools.build_meta'", "backend = 'mesonpy'",
                           "backend = 'scikit_build_core.build'", "backend = 'back_end2:api.hooks'",
                           "backend = 'b'\nbackend-path = ['.', 'tools/build']"}) {
    says(line);
    EXPECT_THAT(runtimes(good()), testing::ElementsAre("cuda==12.4 (pyproject.toml:2)")) << line;
  }
}

TEST_F(BackendKeys, otherValuesAreErrors) {
  for (auto [line, message] : {std::pair("backend = ''", "backend cannot be \"\""),
                               {"backend = 'a..b'", "backend cannot be \"a..b\""},
                               {"backend = 'a:'", "backend cannot be \"a:\""},
                               {"backend = ':a'", "backend cannot be \":a\""},
                               {"backend = 'a:b:c'", "backend cannot be \"a:b:c\""},
                               {"backend = '2a'", "backend cannot be \"2a\""},
                               {"backend = 'meson-python'", "backend cannot be \"meson-python\""},
                               {"backend = ['a']", "backend must be a string"},
                               {"backend-path = '.'", "backend-path must be a list"},
                               {"backend-path = []", "backend-path must be a list"},
                               {"backend-path = [1]", "backend-path must be a list"},
                               {"backend-path = ['']", "backend-path must be a list"},
                               {"backend-path = ['/opt']", "backend-path must be a list"},
                               {"backend-path = ['a/../..']", "backend-path must be a list"}}) {
    says(line);
    Finding finding = bad();
    EXPECT_EQ(finding.code, Code::BadValue) << line;
    EXPECT_THAT(finding.message, HasSubstr(message)) << line;
    EXPECT_LE(finding.message.size(), 60u) << line;
    EXPECT_THAT(text(finding), HasSubstr("where: pyproject.toml:3:")) << line;
  }
}

TEST_F(BackendKeys, belongInPyproject) {
  files.file("/project/cuda-cc.toml", "backend = 'mesonpy'\n");
  Finding finding = bad();
  EXPECT_EQ(finding.code, Code::BadValue);
  EXPECT_THAT(text(finding), HasSubstr("fix: move it to [tool.cuda-cc] of pyproject.toml"));
  EXPECT_THAT(text(finding), HasSubstr("fix: for the setting, write one of nvcc, ninja"));
}

TEST_F(BackendKeys, aTypoIsReported) {
  says("bakend = 'mesonpy'");
  EXPECT_THAT(text(bad()), HasSubstr("fix: write backend"));
}

// The digest of a toolchain directory's declaration: nothing that is compiled depends on them.
TEST_F(BackendKeys, areNoPartOfTheDeclaration) {
  says("");
  std::string plain = config::declarationText(good());
  says("backend = 'mesonpy'");
  EXPECT_EQ(config::declarationText(good()), plain);
}

TEST_F(BackendKeys, twoWordsAreValuesOfTheSettingOfThatName) {
  for (const char *path : {"/project/pyproject.toml", "/project/cuda-cc.toml"})
    for (auto [word, backend] : {std::pair("ninja", Backend::Ninja), {"nvcc", Backend::Nvcc}}) {
      bool isProject = llvm::StringRef(path).ends_with("pyproject.toml");
      files.file(path,
                 std::string(isProject ? "[tool.cuda-cc]\n" : "") + "backend = '" + word + "'\n");
      EXPECT_EQ(good().backend.value, backend) << path;
    }
}

TEST_F(BackendKeys, theWheelTableHasBooleansAndTexts) {
  files.file("/project/pyproject.toml",
             "[tool.cuda-cc.wheel]\nrepair = true\nrequires = 'torch'\nunbundle = false\n");
  std::vector<std::string> texts;
  for (const Setting<std::string> &each : good().wheel)
    texts.push_back(each.value);
  EXPECT_THAT(texts,
              testing::UnorderedElementsAre("repair=true", "requires=torch", "unbundle=false"));
}

TEST_F(BackendKeys, otherValuesInTheWheelTableAreErrors) {
  for (const char *line : {"requires = 'pip'", "requires = true", "unbundle = 'yes'", "repair = 1",
                           "repare = true", "repair = ['a']"}) {
    files.file("/project/pyproject.toml", std::string("[tool.cuda-cc.wheel]\n") + line + "\n");
    Finding finding = bad();
    EXPECT_EQ(finding.code, Code::BadValue) << line;
    EXPECT_THAT(text(finding), HasSubstr("where: pyproject.toml:")) << line;
  }
}

TEST_F(BackendKeys, whetherToRepairIsReadFromPyproject) {
  files.file("/project/cuda-cc.toml", "[wheel]\nrequires = 'none'\n");
  EXPECT_EQ(good().wheel.at(0).value, "requires=none");
  files.file("/project/cuda-cc.toml", "[wheel]\nrepair = true\n");
  EXPECT_THAT(text(bad()), HasSubstr("fix: move it to [tool.cuda-cc.wheel] of pyproject.toml"));
}

} // namespace
