// SPDX-License-Identifier: Apache-2.0
#include "driver/config/DirectoryCodec.h"
#include "driver/config/ParseOverride.h"
#include "driver/plan/toolchain/DirectoryCodec.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using Kind = Origin::Kind;

static Declaration declared(const char *runtime, Kind kind, Enforce enforce, Kind enforceKind) {
  Declaration declaration;
  declaration.runtime.push_back({runtime, {kind, "", 0, 0}});
  declaration.enforce = {enforce, {enforceKind, "", 0, 0}};
  return declaration;
}

TEST(ToolchainDirectory, survivesItsOwnForm) {
  ToolchainDirectory directory;
  directory.declaration = declared("torch==2.5.1", Kind::File, Enforce::Warn, Kind::Option);
  directory.declaration.installDir = {"pkg\tsub", {Kind::Variable, "X", 0, 0}};
  Origin at{Kind::File, "cuda-cc.toml", 3, 0};
  directory.declaration.severity = {
      {llvm::cantFail(config::parseSeverityChange("E_FLOOR=warning")), at}};
  directory.declaration.waive = {
      {llvm::cantFail(config::parseWaiver("CC4003 libx.so: a\\b: c")), at}};
  directory.declaration.assumeForwardCompatibility = {true, at};
  directory.declaration.strict = {true, at};
  directory.declaration.develop = {false, at};
  directory.declarationFile = "/p/cuda-cc.toml";
  directory.nvcc = "/c/bin/nvcc";
  directory.compilers = {{"g++", "/usr/bin/g++"}};
  auto read = config::readToolchainDirectory(plan::serialise(directory));
  ASSERT_TRUE(read);
  EXPECT_EQ(plan::serialise(*read), plan::serialise(directory));
  EXPECT_EQ(*read->compiler("g++"), "/usr/bin/g++");
  EXPECT_EQ(read->compiler("gcc"), nullptr);
  EXPECT_EQ(read->declaration.installDir->value, "pkg\tsub");
  EXPECT_EQ(read->declaration.severity[0].value, directory.declaration.severity[0].value);
  EXPECT_EQ(read->declaration.waive[0].value, directory.declaration.waive[0].value);
  EXPECT_TRUE(read->declaration.assumeForwardCompatibility.value);
  EXPECT_TRUE(read->declaration.strict.value);
  EXPECT_FALSE(read->declaration.develop->value);
  EXPECT_FALSE(config::readToolchainDirectory("cuda-cc-toolchain\t99\tanonymous\n"));
  EXPECT_FALSE(config::readToolchainDirectory(""));
}

TEST(ToolchainDirectory, knowsWhatItsNvlinkStandsFor) {
  ToolchainDirectory directory;
  directory.linker = {"/c/bin/nvlink", "/v/libnvJitLink.so.13", {13, 0}, "a wheel", "/l/devlink"};
  auto read = config::readToolchainDirectory(plan::serialise(directory));
  ASSERT_TRUE(read && read->linker);
  EXPECT_EQ(read->linker->nvlink, "/c/bin/nvlink");
  EXPECT_EQ(read->linker->library, "/v/libnvJitLink.so.13");
  EXPECT_EQ(read->linker->version, (versions::CudaVersion{13, 0}));
  EXPECT_EQ(read->linker->origin, "a wheel");
  EXPECT_EQ(read->linker->helper, "/l/devlink");
  directory.linker->version = {};
  EXPECT_FALSE(config::readToolchainDirectory(plan::serialise(directory))->linker->version.known());
}

TEST(ToolchainDirectory, aNamedOneKnowsWhatItWasMadeFrom) {
  using Input = ToolchainDirectory::Input;
  ToolchainDirectory directory;
  directory.anonymous = false;
  directory.path = "/td";
  directory.driver = "/c/bin/nvcc";
  directory.machine = "aarch64";
  directory.program = "0.1.0 5000";
  directory.fingerprint = "0123456789abcdef";
  directory.declarationFile = "/p/cuda-cc.toml";
  directory.declarationDigest = "fedcba9876543210";
  directory.madeWith = {"--runtime=torch==2.5.1"};
  directory.declaration.hostCompiler = {"/usr/bin/g++-11", {Origin::Kind::Option, "", 0, 0}};
  Origin line4{Origin::Kind::File, "cuda-cc.toml", 4, 0};
  directory.declaration.launcher = {{"ccache", line4}, {"base_dir=/a b", line4}};
  directory.inputs = {{Input::Kind::Compiler, {"/c/bin/nvcc", 1, 2, 3, -4}},
                      {Input::Kind::Declaration, {"/p/cuda-cc.toml", 5, 6, 7, 8}},
                      {Input::Kind::Environment, {"/v\tx", 9, 10, 11, 12}}};
  auto read = config::readToolchainDirectory(plan::serialise(directory));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->anonymous);
  EXPECT_EQ(plan::serialise(*read), plan::serialise(directory));
  EXPECT_EQ(read->fingerprint, directory.fingerprint);
  EXPECT_EQ(read->machine, "aarch64");
  EXPECT_EQ(read->declaration.hostCompiler.value, "/usr/bin/g++-11");
  ASSERT_EQ(read->declaration.launcher.size(), 2u);
  EXPECT_EQ(read->declaration.launcher[0].value, "ccache");
  EXPECT_EQ(read->declaration.launcher[1].value, "base_dir=/a b");
  EXPECT_EQ(read->declaration.launcher[1].origin.str(), "cuda-cc.toml:4");
  EXPECT_EQ(read->declaration.file, "/p/cuda-cc.toml");
  ASSERT_EQ(read->inputs.size(), 3u);
  EXPECT_EQ(read->inputs[0].id, directory.inputs[0].id);
  EXPECT_EQ(read->inputs[2].id.path, "/v\tx");
}

// Equal content, equal name: modification times are not part of it.
TEST(ToolchainDirectory, theIdentityLeavesOutWhatTouchChanges) {
  using Input = ToolchainDirectory::Input;
  ToolchainDirectory directory;
  directory.inputs = {{Input::Kind::Compiler, {"/c", 1, 2, 3, 4}}};
  std::string identity = plan::identity(directory);
  directory.fingerprint = "x";
  directory.inputs.push_back({Input::Kind::Declaration, {"/p", 5, 6, 7, 8}});
  directory.inputs.push_back({Input::Kind::Environment, {"/v", 5, 6, 7, 8}});
  EXPECT_EQ(plan::identity(directory), identity);
  directory.inputs[0].id.mtime = 5;
  EXPECT_NE(plan::identity(directory), identity);
}

TEST(ToolchainDirectory, aDamagedInputIsNeverUnchanged) {
  auto read = config::readToolchainDirectory("cuda-cc-toolchain\t2\tnamed\n"
                                             "input\tcompiler\t/c\t1\t2\tx\t4\n");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->inputs.size(), 1u);
  EXPECT_EQ(read->inputs[0].id.path, "");
}

TEST(ToolchainDirectory, theCommandThatRemakesItIsForAShell) {
  ToolchainDirectory directory;
  directory.path = "/a b/it's";
  directory.madeWith = {"--runtime=torch>=2.5", "--toolkit=/opt/cuda"};
  EXPECT_EQ(plan::remake(directory), "cuda-cc toolchain '/a b/it'\\''s' '--runtime=torch>=2.5' "
                                     "--toolkit=/opt/cuda");
}

// F17: the file as it is now, with the options of the call that made the directory.
TEST(ToolchainDirectory, anOptionOfTheCallWinsOverFileAndVariable) {
  ToolchainDirectory directory;
  directory.declaration = declared("torch==2.5.1", Kind::Option, Enforce::Warn, Kind::Option);
  Declaration now = declared("cuda==12.6", Kind::Variable, Enforce::Toolkit, Kind::None);
  Declaration over = config::applyOver(directory, now);
  EXPECT_EQ(over.runtime[0].value, "torch==2.5.1");
  EXPECT_EQ(over.enforce.value, Enforce::Warn);
}

TEST(ToolchainDirectory, aVariableOfNowWinsOverOneOfThen) {
  ToolchainDirectory directory;
  directory.declaration = declared("cuda==12.4", Kind::Variable, Enforce::Off, Kind::Variable);
  EXPECT_EQ(config::applyOver(
                directory, declared("cuda==12.6", Kind::Variable, Enforce::Toolkit, Kind::Variable))
                .runtime[0]
                .value,
            "cuda==12.6");
  EXPECT_EQ(config::applyOver(directory, {}).runtime[0].value, "cuda==12.4");
  EXPECT_EQ(config::applyOver(directory, {}).enforce.value, Enforce::Off);
}

TEST(ToolchainDirectory, theFileAsItIsNowWinsOverTheFileOfThen) {
  ToolchainDirectory directory;
  directory.declaration = declared("cuda==12.4", Kind::File, Enforce::Off, Kind::File);
  Declaration over = config::applyOver(
      directory, declared("cuda==12.6", Kind::File, Enforce::Toolkit, Kind::None));
  EXPECT_EQ(over.runtime[0].value, "cuda==12.6");
  EXPECT_EQ(over.enforce.value, Enforce::Toolkit);
}

TEST(ToolchainDirectory, listsAndSwitchesAreSettingsLikeOthers) {
  auto waiver = [](const char *text, Kind kind) {
    return Setting<Waiver>{llvm::cantFail(config::parseWaiver(text)), {kind, "", 0, 0}};
  };
  ToolchainDirectory directory;
  directory.declaration.waive = {waiver("CC4003: then", Kind::Option)};
  directory.declaration.strict = {true, {Kind::File, "", 0, 0}};
  directory.declaration.develop = {true, {Kind::Variable, "", 0, 0}};
  Declaration now;
  now.waive = {waiver("CC4003: now", Kind::File), waiver("CC4106: now", Kind::File)};
  Declaration over = config::applyOver(directory, now);
  ASSERT_EQ(over.waive.size(), 1u);
  EXPECT_EQ(over.waive[0].value.reason, "then");
  EXPECT_FALSE(over.strict.value) << "the file says it no longer";
  EXPECT_TRUE(over.develop->value);
}

TEST(ToolchainDirectory, keepsItsFactsFile) {
  ToolchainDirectory directory;
  EXPECT_FALSE(llvm::StringRef(plan::serialise(directory)).contains("facts\t"));
  directory.declaration.facts = {"/p/more.json", {Kind::Option, "--cudacc-facts", 0, 0}};
  auto read = config::readToolchainDirectory(plan::serialise(directory));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->declaration.facts.value, "/p/more.json");
  EXPECT_EQ(read->declaration.facts.origin.str(), "--cudacc-facts");
  EXPECT_EQ(config::applyOver(*read, {}).facts.value, "/p/more.json");
}
