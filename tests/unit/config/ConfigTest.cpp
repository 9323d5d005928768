// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Format.h"
#include "tests/unit/config/Configured.h"

using namespace cudacc;
using namespace cudacc::core;
using test::Config;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST_F(Config, withoutSettingsNothingIsDeclared) {
  Declaration declaration = good();
  EXPECT_FALSE(declaration.declared());
  // V-MD-01
  EXPECT_EQ(declaration.enforce.value, Enforce::Toolkit);
  EXPECT_EQ(declaration.toolkit.value, "auto");
  EXPECT_EQ(declaration.file, "");
}

TEST_F(Config, emptyVariableIsUnset) { // V-MD-01
  variables = {"CUDA_CC_ENFORCE=", "CUDA_CC_RUNTIME=", "CUDA_CC_REQUIRE_RUNTIME="};
  Declaration declaration = good();
  EXPECT_FALSE(declaration.declared());
  EXPECT_EQ(declaration.enforce.value, Enforce::Toolkit);
  EXPECT_FALSE(declaration.require.value);
}

TEST_F(Config, everyKeyOfAFile) {
  files.file("/project/cuda-cc.toml", R"(# target
runtime = ["torch==2.5.1", "driver>=550"]
enforce = "warn"
require = true
toolkit = "../cuda-12.4"
host-compiler = "g++-11"
launcher = ["tools/env", "A=/b", "ccache"]
install-dir = "pkg/ext"
layout = "system:/opt/cuda/lib64"
dtags = "runpath"
)");
  Declaration declaration = good();
  EXPECT_THAT(runtimes(declaration),
              ElementsAre("torch==2.5.1 (cuda-cc.toml:2)", "driver>=550 (cuda-cc.toml:2)"));
  EXPECT_EQ(declaration.runtime[1].origin.column, 28u);
  EXPECT_EQ(declaration.enforce.value, Enforce::Warn);
  EXPECT_EQ(declaration.enforce.origin.line, 3u);
  EXPECT_TRUE(declaration.require.value);
  EXPECT_EQ(declaration.toolkit.value, "/project/../cuda-12.4");
  EXPECT_EQ(declaration.hostCompiler.value, "g++-11");
  EXPECT_THAT(launchers(declaration),
              ElementsAre("/project/tools/env (cuda-cc.toml:7)", "A=/b (cuda-cc.toml:7)",
                          "ccache (cuda-cc.toml:7)"));
  EXPECT_EQ(declaration.installDir->value, "pkg/ext");
  EXPECT_EQ(declaration.layout.value.kind, Layout::System);
  EXPECT_EQ(declaration.layout.value.path, "/opt/cuda/lib64");
  EXPECT_EQ(declaration.dtags->value, Dtags::Runpath);
  EXPECT_EQ(declaration.file, "/project/cuda-cc.toml");
}

TEST_F(Config, optionBeatsVariableBeatsFile) { // F12
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.1'\nenforce = 'off'\n");
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.1 (cuda-cc.toml:1)"));
  variables = {"CUDA_CC_RUNTIME=cuda==12.2; torch==2.5.1 ;"};
  EXPECT_THAT(runtimes(good()),
              ElementsAre("cuda==12.2 (CUDA_CC_RUNTIME)", "torch==2.5.1 (CUDA_CC_RUNTIME)"));
  own[Key::Runtime] = {"cuda==12.3", "torch==2.6.0"};
  Declaration declaration = good();
  EXPECT_THAT(runtimes(declaration),
              ElementsAre("cuda==12.3 (--cudacc-runtime)", "torch==2.6.0 (--cudacc-runtime)"));
  // Per key: enforce still comes from the file.
  EXPECT_EQ(declaration.enforce.value, Enforce::Off);
}

TEST_F(Config, aLauncherIsOneSettingOfSeveralWords) { // F12
  EXPECT_THAT(launchers(good()), ElementsAre());
  files.file("/project/cuda-cc.toml", "launcher = 'ccache'\n");
  EXPECT_THAT(launchers(good()), ElementsAre("ccache (cuda-cc.toml:1)"));
  variables = {"CUDA_CC_LAUNCHER=env; CCACHE_PREFIX=distcc ;ccache"};
  EXPECT_THAT(launchers(good()),
              ElementsAre("env (CUDA_CC_LAUNCHER)", "CCACHE_PREFIX=distcc (CUDA_CC_LAUNCHER)",
                          "ccache (CUDA_CC_LAUNCHER)"));
  own[Key::Launcher] = {"~/bin/sccache"};
  EXPECT_THAT(launchers(good()), ElementsAre("~/bin/sccache (--cudacc-launcher)"));
  own[Key::Launcher] = {"none"};
  EXPECT_THAT(launchers(good()), ElementsAre());
  own[Key::Launcher] = {"ccache", ""};
  EXPECT_EQ(bad().code, Code::BadValue);
}

TEST_F(Config, precedenceOfEnforceAndToolkit) { // F12
  files.file("/project/cuda-cc.toml", "enforce = 'off'\ntoolkit = '/f'\n");
  variables = {"CUDA_CC_ENFORCE=warn", "CUDA_CC_TOOLKIT=/v"};
  EXPECT_EQ(good().enforce.value, Enforce::Warn);
  EXPECT_EQ(good().toolkit.value, "/v");
  own[Key::Enforce] = {"toolkit"};
  own[Key::Toolkit] = {"/o"};
  EXPECT_EQ(good().enforce.value, Enforce::Toolkit);
  EXPECT_EQ(good().enforce.origin.str(), "--cudacc-enforce");
  EXPECT_EQ(good().toolkit.value, "/o");
}

TEST_F(Config, requireByOptionVariableAndFile) {
  variables = {"CUDA_CC_REQUIRE_RUNTIME=1"};
  EXPECT_TRUE(good().require.value);
  EXPECT_EQ(good().require.origin.str(), "CUDA_CC_REQUIRE_RUNTIME");
  files.file("/project/cuda-cc.toml", "require = true\n");
  variables = {"CUDA_CC_REQUIRE_RUNTIME=0"};
  EXPECT_FALSE(good().require.value);
  own[Key::Require] = {"true"};
  EXPECT_TRUE(good().require.value);
  own[Key::Require].clear();
  variables = {"CUDA_CC_REQUIRE_RUNTIME=yes"};
  EXPECT_EQ(bad().code, Code::BadValue);
}

TEST_F(Config, nearestFolderWins) { // F12
  files.file("/cuda-cc.toml", "runtime = 'cuda==12.0'");
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.1'");
  files.file("/project/a/pyproject.toml", "[tool.cuda-cc]\nruntime = 'cuda==12.2'");
  files.cwd = "/project/a/b";
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.2 (/project/a/pyproject.toml:2)"));
  files.cwd = "/project";
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.1 (cuda-cc.toml:1)"));
  files.cwd = "/";
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.0 (cuda-cc.toml:1)"));
}

// A member of a workspace has keys of its own and runs on what the workspace runs on.
TEST_F(Config, aTableWithoutRuntimeInheritsIt) { // F28
  files.file("/cuda-cc.toml", "runtime = 'cuda==12.0'\nenforce = 'off'");
  files.file("/project/pyproject.toml",
             "[tool.cuda-cc]\nruntime = 'torch==2.5.1'\nenforce = 'warn'");
  files.file("/project/a/pyproject.toml", "[tool.cuda-cc]\nrequire = true");
  files.file("/project/a/b/cuda-cc.toml", "dtags = 'runpath'");
  files.cwd = "/project/a/b";
  Declaration declaration = good();
  EXPECT_THAT(runtimes(declaration), ElementsAre("torch==2.5.1 (/project/pyproject.toml:2)"));
  EXPECT_EQ(declaration.enforce.value, Enforce::Toolkit);
  EXPECT_FALSE(declaration.require.value);
  EXPECT_EQ(declaration.file, "/project/a/b/cuda-cc.toml");
  variables = {"CUDA_CC_RUNTIME=cuda==12.6"};
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.6 (CUDA_CC_RUNTIME)"));
  variables.clear();
  files.remove("/project/pyproject.toml");
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.0 (/cuda-cc.toml:1)"));
  files.file("/cuda-cc.toml", "enforce = 'off'");
  EXPECT_FALSE(good().declared());
}

// As a table in the nearest file that is overridden: an option must not hide a typo.
TEST_F(Config, aBrokenTableAboveStopsWhateverDeclares) { // F28
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.0'\nenforc = 'off'");
  files.file("/project/a/cuda-cc.toml", "require = true");
  files.cwd = "/project/a";
  variables = {"CUDA_CC_RUNTIME=cuda==12.6"};
  EXPECT_EQ(bad().code, Code::UnknownKey);
  // It is not looked for where the nearest table has a runtime.
  files.file("/project/a/cuda-cc.toml", "runtime = 'cuda==12.4'");
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.6 (CUDA_CC_RUNTIME)"));
}

TEST_F(Config, anInheritedRuntimeNeedsTrust) { // F28
  files.file("/project/cuda-cc.toml", "runtime = 'lock:uv.lock'");
  files.node("/project/cuda-cc.toml")->owner = 77;
  files.node("/project")->owner = 77;
  files.file("/project/a/cuda-cc.toml", "require = true");
  files.cwd = "/project/a";
  EXPECT_EQ(bad().code, Code::UntrustedDeclaration);
}

/// A disk on which another user puts a file of their own in place of the declaration after it was
/// looked at, and the old one back.
struct SwappedFiles : test::MemoryFiles {
  core::FileStatus stat(llvm::StringRef path) override {
    core::FileStatus status = test::MemoryFiles::stat(path);
    if (path.ends_with("/cuda-cc.toml"))
      status.owner = 0;
    return status;
  }
};

TEST(ConfigOwner, isThatOfTheFileThatWasRead) { // F12
  SwappedFiles swapped;
  swapped.file("/project/cuda-cc.toml", "launcher = 'x'");
  EXPECT_TRUE(bool(config::readDeclaration({}, {}, swapped, nullptr, 1000)));
  swapped.node("/project/cuda-cc.toml")->owner = 77;
  auto declaration = config::readDeclaration({}, {}, swapped, nullptr, 1000);
  ASSERT_FALSE(declaration);
  EXPECT_EQ(core::toFinding(declaration.takeError()).code, core::Code::UntrustedDeclaration);
}

TEST_F(Config, aNearNameOfOurTableIsAnError) {
  for (const char *name : {"cuda_cc", "cudacc", "CUDA-CC", "\"cuda.cc\""}) {
    files.file("/project/pyproject.toml", fmt::format("[tool.{}]\nruntime = 'cuda==12.4'", name));
    EXPECT_EQ(bad().code, Code::UnknownKey) << name;
  }
  files.file("/project/pyproject.toml",
             "[tool.cuda-cc]\nruntime = 'cuda==12.4'\n[tool.cuda_cc]\nrequire = true");
  EXPECT_EQ(bad().code, Code::UnknownKey) << "beside ours";
  for (const char *other : {"cuda-c", "cuda", "cuda-ccache", "my-cuda-cc"}) {
    files.file("/project/pyproject.toml", fmt::format("[tool.{}]\nruntime = 'cuda==12.4'", other));
    EXPECT_FALSE(good().declared()) << other;
  }
}

TEST_F(Config, ownFileBeatsPyprojectInOneFolder) { // F12
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.1'");
  files.file("/project/pyproject.toml", "[tool.cuda-cc]\nruntime = 'cuda==12.2'");
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.1 (cuda-cc.toml:1)"));
}

TEST_F(Config, pyprojectWithoutOurTableIsPassedBy) { // F12
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.1'");
  files.file("/project/a/pyproject.toml", "[tool.black]\nline-length = 100\n");
  files.file("/project/a/b/pyproject.toml", "[project]\nname = 'my-cuda-cc-thing'\n");
  files.cwd = "/project/a/b";
  EXPECT_THAT(runtimes(good()), ElementsAre("cuda==12.1 (/project/cuda-cc.toml:1)"));
  // A broken pyproject.toml without our table is not an error of ours.
  files.file("/project/a/b/pyproject.toml", "[[[");
  EXPECT_TRUE(good().declared());
}

TEST_F(Config, cwdGone) {
  files.cwd = "";
  EXPECT_FALSE(good().declared());
  own[Key::Runtime] = {"cuda==12.4"};
  EXPECT_TRUE(good().declared());
}

// F17: the shim of an anonymous toolchain directory searches from the folder of the declaration.
TEST_F(Config, searchThatBeginsElsewhere) { // F17
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.1'");
  files.cwd = "/tmp";
  auto declaration = config::readDeclaration(own, {}, files, nullptr, uid, "/project");
  ASSERT_TRUE(bool(declaration));
  EXPECT_THAT(runtimes(*declaration), ElementsAre("cuda==12.1 (/project/cuda-cc.toml:1)"));
}

TEST_F(Config, bakedIsNotSearchedOver) { // R6
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.1'\nbroken");
  baked.emplace();
  baked->runtime = {{"torch==2.5.1", {Origin::Kind::File, "pyproject.toml", 4}}};
  EXPECT_THAT(runtimes(good()), ElementsAre("torch==2.5.1 (pyproject.toml:4)"));
  EXPECT_EQ(files.reads, 0u);
}

TEST_F(Config, contradictingBakedIsAnError) { // F17
  baked.emplace();
  baked->runtime = {{"torch==2.5.1", {Origin::Kind::File, "pyproject.toml", 4}}};
  own[Key::Runtime] = {"torch == 2.5.1"};
  EXPECT_TRUE(good().declared());
  own[Key::Runtime] = {"torch==2.6.0"};
  Finding finding = bad();
  EXPECT_EQ(finding.code, Code::ContradictsBaked);
  EXPECT_THAT(text(finding), HasSubstr("pyproject.toml:4"));
  EXPECT_THAT(text(finding), HasSubstr("--cudacc-runtime: torch==2.6.0"));
  own[Key::Runtime].clear();
  variables = {"CUDA_CC_RUNTIME=cuda==12.4"};
  EXPECT_EQ(bad().code, Code::ContradictsBaked);
}

// A toolchain directory records its environment by path; in the shell, that environment is active.
TEST_F(Config, theActiveEnvironmentIsTheBakedOne) { // F17
  baked.emplace();
  baked->runtime = {{"env:/v", {Origin::Kind::File, "cuda-cc.toml", 1}}};
  files.directory("/v").directory("/w");
  variables = {"CUDA_CC_RUNTIME=env", "VIRTUAL_ENV=/v"};
  EXPECT_EQ(good().runtime[0].value, "env:/v");
  variables = {"CUDA_CC_RUNTIME=env", "VIRTUAL_ENV=/w"};
  EXPECT_EQ(bad().code, Code::ContradictsBaked);
}

TEST_F(Config, textOfADeclaration) { // F17
  files.file("/project/cuda-cc.toml", "# a\nruntime = \"torch==2.5.1\"\nstrict = true\n");
  files.cwd = "/project/a";
  std::string text = config::declarationText(good());
  EXPECT_EQ(text, "/project/cuda-cc.toml\nruntime=torch==2.5.1\nstrict=true");
  files.file("/project/cuda-cc.toml", "strict = true\n\n\nruntime = [\"torch==2.5.1\"] # b\n");
  EXPECT_EQ(config::declarationText(good()), text);
  files.file("/project/cuda-cc.toml", "runtime = \"torch==2.5.1\"\n");
  EXPECT_NE(config::declarationText(good()), text);
}

// The outputs are the same: a shell may use no cache or another one.
TEST_F(Config, aLauncherIsTheCallsOwn) { // F17
  baked.emplace();
  baked->launcher = {{"ccache", {Origin::Kind::File, "cuda-cc.toml", 2}}};
  EXPECT_THAT(launchers(good()), ElementsAre("ccache (cuda-cc.toml:2)"));
  variables = {"CUDA_CC_LAUNCHER=sccache"};
  EXPECT_THAT(launchers(good()), ElementsAre("sccache (CUDA_CC_LAUNCHER)"));
  variables = {"CUDA_CC_LAUNCHER=none"};
  EXPECT_THAT(launchers(good()), ElementsAre());
  variables = {"CUDA_CC_LAUNCHER=", "CUDA_CC_ENFORCE=off"};
  baked->enforce = {Enforce::Warn, {Origin::Kind::File, "cuda-cc.toml", 3}};
  EXPECT_EQ(bad().code, Code::ContradictsBaked);
}

TEST_F(Config, contradictingBakedSettings) { // F17
  baked.emplace();
  baked->enforce = {Enforce::Warn, {Origin::Kind::Option, "--cudacc-enforce"}};
  own[Key::Enforce] = {"warn"};
  EXPECT_EQ(good().enforce.value, Enforce::Warn);
  own[Key::Enforce] = {"off"};
  EXPECT_EQ(bad().code, Code::ContradictsBaked);
  own[Key::Enforce].clear();
  // A setting that nobody made cannot be contradicted.
  own[Key::Dtags] = {"runpath"};
  EXPECT_EQ(good().dtags->value, Dtags::Runpath);
  variables = {"CUDA_CC_REQUIRE_RUNTIME=1"};
  EXPECT_TRUE(good().require.value);
}

TEST_F(Config, aFolderThatCannotBeSearchedHasNoDeclaration) {
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.4'\n");
  files.unsearchable.insert("/project/a");
  files.cwd = "/project/a";
  EXPECT_EQ(good().runtime.front().value, "cuda==12.4");
}

TEST_F(Config, brokenFiles) {
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.4'\nenforce = \n");
  Finding finding = bad();
  EXPECT_EQ(finding.code, Code::BrokenConfig);
  EXPECT_THAT(finding.message, HasSubstr("cuda-cc.toml:2:"));
  files.file("/project/cuda-cc.toml", "runtime = '\xff\xfe'\n");
  EXPECT_EQ(bad().code, Code::BrokenConfig);
  files.file("/project/cuda-cc.toml", std::string((1 << 20) + 1, '#'));
  EXPECT_EQ(bad().code, Code::UnreadableFile);
  files.file("/project/cuda-cc.toml", "");
  files.unreadable.insert("/project/cuda-cc.toml");
  EXPECT_EQ(bad().code, Code::UnreadableFile);
}

TEST_F(Config, aDirectoryInPlaceOfTheFile) {
  files.directory("/project/cuda-cc.toml");
  EXPECT_EQ(bad().code, Code::UnreadableFile);
}

TEST_F(Config, aFifoInPlaceOfTheFile) {
  files.other("/project/pyproject.toml");
  EXPECT_EQ(bad().code, Code::UnreadableFile);
  EXPECT_EQ(files.reads, 0u);
}

TEST_F(Config, searchTouchesLittle) {
  files.directory("/project/1/2/3/4/5/6");
  files.cwd = "/project/1/2/3/4/5/6";
  good();
  EXPECT_LE(files.stats, 2u * 8u);
  EXPECT_EQ(files.lists, 0u);
}

} // namespace
