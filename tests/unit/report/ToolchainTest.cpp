// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Toolchain.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/DirectoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::HasSubstr;
using testing::Not;

namespace {

struct ToolchainReport : testing::Test {
  ToolchainDirectory directory;
  Target target;
  Toolkit toolkit;
  std::vector<TreeEntry> entries = {{"lib", "lib64", TreeEntry::Kind::Link},
                                    {"cuda-cc.facts", "", TreeEntry::Kind::File}};
  std::vector<std::string> programs = {"bin/nvcc", "bin/g++"};

  ToolchainReport() {
    directory.path = "/td";
    directory.nvcc = "/opt/cuda/bin/nvcc";
    directory.fingerprint = "0123";
    directory.compilers = {{"g++", "/usr/bin/g++"}};
    directory.declaration.runtime = {{"torch==2.5.1", {Origin::Kind::Option, "--runtime", 0, 0}}};
    target.declared = true;
    target.declaredAs = directory.declaration.runtime;
    target.line = {12, 4};
    TargetLibrary row;
    row.soname = "libcublas.so.12";
    row.dist = "nvidia-cublas-cu12";
    row.version = *Version::parse("12.4.5.8");
    target.libraries = {row};
    toolkit.components = {{"nvcc", "/opt/cuda/bin/nvcc", {12, 4}, "12.4.131", ""}};
  }
  report::DirectoryReport report(llvm::StringRef did) {
    return {did, &directory, &target, &toolkit, entries, programs};
  }
};

} // namespace

TEST_F(ToolchainReport, saysWhatWasMadeAndHowItIsUsed) {
  std::string text = report::text(report("made"), {});
  EXPECT_THAT(text, HasSubstr("/td: made\n"));
  EXPECT_THAT(text, HasSubstr("torch==2.5.1"));
  EXPECT_THAT(text, HasSubstr("nvcc 12.4.131 of /opt/cuda/bin/nvcc"));
  EXPECT_THAT(text, HasSubstr("nvcc, g++"));
  EXPECT_THAT(text, HasSubstr("  shell  . /td/activate\n"));
  EXPECT_THAT(report::text(report("up to date"), {}), Not(HasSubstr("PATH=")));
  directory.path = "/t d";
  text = report::text(report("made"), {});
  EXPECT_THAT(text, HasSubstr("  shell  . '/t d/activate'\n"));
  EXPECT_THAT(text, HasSubstr("-DCMAKE_TOOLCHAIN_FILE='/t d/toolchain.cmake'\n"));
  EXPECT_THAT(text, HasSubstr("--native-file '/t d/native.ini'\n"));
}

TEST_F(ToolchainReport, saysForWhichOtherMachineItIs) {
  directory.machine = "aarch64";
  std::string text = report::text(report("made"), {});
  EXPECT_THAT(text, HasSubstr("builds for  aarch64\n"));
  EXPECT_THAT(text, HasSubstr("--cross-file /td/cross.ini\n"));
  EXPECT_THAT(text, Not(HasSubstr("native.ini")));
  EXPECT_EQ(report::toJson(report("made"), false).getAsObject()->getString("machine"), "aarch64");
}

TEST_F(ToolchainReport, saysWhatIsMissing) {
  auto bare = report("made");
  bare.toolkit = nullptr;
  bare.target = nullptr;
  std::string text = report::text(bare, {});
  EXPECT_THAT(text, HasSubstr("no nvcc was found"));
  EXPECT_THAT(text, HasSubstr("no runtime is declared"));
}

TEST_F(ToolchainReport, listsWhatItWouldHold) {
  EXPECT_EQ(report::listing(report("would make")), "bin/g++ (cuda-cc)\n"
                                                   "bin/nvcc (cuda-cc)\n"
                                                   "cuda-cc.facts (written)\n"
                                                   "lib -> lib64\n");
}

TEST_F(ToolchainReport, asJson) {
  std::string text = report::print(report::toJson(report("made"), true), true);
  for (const char *part :
       {R"("schema":1)", R"("directory":"/td")", R"("fingerprint":"0123")", R"("did":"made")",
        R"("version":"12.4.131")", R"({"kind":"link","path":"lib","target":"lib64"})",
        R"({"kind":"program","path":"bin/nvcc"})"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(report::print(report::toJson(report("made"), false)), Not(HasSubstr("entries")));
}

TEST_F(ToolchainReport, targetTomlIsReadable) {
  directory.declarationFile = "/p/\"q\\\x01";
  std::string text = report::targetToml(directory, target, &toolkit);
  EXPECT_THAT(text, HasSubstr("runtime = [ \"torch==2.5.1\" ]\n"));
  EXPECT_THAT(text, HasSubstr("file = \"/p/\\\"q\\\\\\u0001\""));
  EXPECT_THAT(text, HasSubstr("line = \"12.4\""));
  EXPECT_THAT(text, HasSubstr("version = \"12.4.131\""));
  EXPECT_THAT(text, HasSubstr("[[library]]\ndist = \"nvidia-cublas-cu12\"\n"));
  EXPECT_THAT(text, HasSubstr("from = \"--runtime\"\n"));
  EXPECT_THAT(text, HasSubstr("\"g++\" = \"/usr/bin/g++\"\n"));
}

// Meson doubles every backslash of a machine file before it parses strings, so nothing is escaped
// there.
TEST_F(ToolchainReport, mesonFileHasPathsAsMesonReadsThem) {
  directory.path = "/it's $d";
  directory.compilers = {{"g++", "/a\\b/g++"}};
  std::string text = report::mesonFile(directory, "");
  EXPECT_THAT(text, HasSubstr("cuda_cc = '''/it's $d'''\n"));
  EXPECT_THAT(text, HasSubstr("cpp = [cuda_cc / 'bin/cuda-cc', '/a\\b/g++']\n"));
}
