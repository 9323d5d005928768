// SPDX-License-Identifier: Apache-2.0
// Every subcommand on an in-memory disk: its output and exit status, and that queries write no file
// and start no program.
#include "driver/cli/Cli.h"
#include "driver/commands/Subcommands.h"
#include "tests/support/FakeSystem.h"
#include "tests/support/FakeToolkit.h"

using namespace cudacc;
using namespace cudacc::core;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

struct CommandsTest : testing::Test {
  test::FakeSystem fake;
  std::vector<llvm::StringRef> variables = {"PATH=/cuda/bin:/usr/bin", "HOME=/home/u",
                                            "TMPDIR=/tmp"};

  CommandsTest() {
    test::addToolkit(fake.files, "/cuda", "13.0.88", 13000);
    for (const char *name : {"/usr/bin/gcc", "/usr/bin/g++", "/bin/cuda-cc"})
      fake.files.program(name, "a program");
    fake.files.directory("/home/u").directory("/tmp", 01777).directory("/project");
  }

  int run(std::vector<llvm::StringRef> words) {
    words.insert(words.begin(), "/bin/cuda-cc");
    fake.console.said.clear();
    fake.console.complained.clear();
    fake.system.environment.entries.assign(variables.begin(), variables.end());
    auto call = cli::parse(words, fake.system.environment, fake.files);
    if (!call) {
      ADD_FAILURE() << toFinding(call.takeError()).message;
      return -1;
    }
    EXPECT_EQ(call->role, Role::Tool) << words[1].str();
    return commands::run(fake.system, *call, nullptr);
  }
  const std::string &out() { return fake.console.said; }
  const std::string &err() { return fake.console.complained; }
};

TEST_F(CommandsTest, versionSaysItsOwn) {
  EXPECT_EQ(run({"version"}), 0);
  EXPECT_THAT(out(), HasSubstr("cuda-cc"));
}

TEST_F(CommandsTest, explainShowsThePageOfACode) {
  EXPECT_EQ(run({"explain", "CC3005"}), 0);
  EXPECT_THAT(out(), HasSubstr("CC3005"));
  EXPECT_EQ(run({"explain", "CC9999"}), 2);
}

TEST_F(CommandsTest, targetResolvesARequirement) {
  EXPECT_EQ(run({"target", "--runtime", "torch==2.5.1"}), 0);
  EXPECT_THAT(out(), HasSubstr("12.4"));
  EXPECT_EQ(run({"target", "--runtime", "torch==2.5.1", "--format=json"}), 0);
  EXPECT_THAT(out(), StartsWith("{"));
  EXPECT_EQ(run({"target"}), 2);
  EXPECT_THAT(err(), HasSubstr("error"));
}

TEST_F(CommandsTest, targetChecksInALine) {
  EXPECT_EQ(run({"target", "--check", "--runtime", "torch==2.5.1"}), 0);
  EXPECT_THAT(out(), StartsWith("torch==2.5.1 "));
  EXPECT_THAT(out(), testing::EndsWith(", 44 libraries\n"));
  EXPECT_EQ(run({"target", "--check", "--runtime", "torch==9.9.9"}), 4);
  EXPECT_EQ(run({"target", "--check", "--diff", "cuda==12.4", "cuda==12.4"}), 2);
}

TEST_F(CommandsTest, targetComparesTwo) {
  EXPECT_EQ(run({"target", "--diff", "cuda==12.4", "cuda==12.4"}), 0);
  EXPECT_EQ(run({"target", "--diff", "cuda==12.4", "cuda==12.6"}), 1);
}

TEST_F(CommandsTest, checkJudgesAFileAndSaysWhatItCannotRead) {
  fake.files.file("/project/text.so", "no ELF file");
  EXPECT_EQ(run({"check", "missing.so", "--runtime", "cuda==12.4"}), 4);
  EXPECT_THAT(err() + out(), HasSubstr("missing.so"));
  EXPECT_EQ(run({"check", "--runtime", "cuda==12.4"}), 2);
}

TEST_F(CommandsTest, inspectReadsWhatItIsGiven) {
  fake.files.file("/project/text.so", "no ELF file");
  EXPECT_EQ(run({"inspect", "text.so", "--format=json"}), 4);
  EXPECT_THAT(out(), StartsWith("{"));
  EXPECT_EQ(run({"inspect", "missing.so"}), 4);
  EXPECT_EQ(run({"inspect"}), 2);
}

TEST_F(CommandsTest, configPrintsWordsForACompiler) {
  fake.files.file("/cuda/include/cuda_runtime.h").file("/cuda/lib64/libcudart.so", "a library");
  EXPECT_EQ(run({"config", "cudart", "--cflags", "--runtime", "cuda==13.0"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("/cuda/include"));
  EXPECT_EQ(run({"config", "--cflags", "--runtime", "cuda==13.0"}), 2);
}

TEST_F(CommandsTest, initWritesADeclarationUnlessItOnlyShowsIt) {
  EXPECT_EQ(run({"init", "--runtime", "cuda==13.0", "--dry-run"}), 0);
  EXPECT_FALSE(fake.files.stat("/project/cuda-cc.toml").exists());
  EXPECT_EQ(run({"init", "--runtime", "cuda==13.0"}), 0);
  EXPECT_TRUE(fake.files.stat("/project/cuda-cc.toml").exists());
}

// What could not be looked at may be what the result depends on.
TEST_F(CommandsTest, nothingIsWrittenOnceTheSystemFailed) {
  fake.files.file("/project/ext.so", "no library").file("/project/log.txt", "text");
  fake.files.failed = "/somewhere: Input/output error";
  EXPECT_EQ(run({"init", "--runtime", "cuda==13.0"}), 4);
  EXPECT_FALSE(fake.files.stat("/project/cuda-cc.toml").exists());
  EXPECT_EQ(run({"doctor", "--report", "r.html"}), 4);
  EXPECT_FALSE(fake.files.stat("/project/r.html").exists());
  EXPECT_EQ(run({"explain", "missing.txt"}), 4);
  EXPECT_EQ(out(), "");
  EXPECT_THAT(err(), HasSubstr("Input/output error"));
}

TEST_F(CommandsTest, toolchainPrintsOrMakesADirectory) {
  EXPECT_EQ(run({"toolchain", "/project/tc", "--runtime", "cuda==13.0", "--print"}), 0);
  EXPECT_FALSE(fake.files.stat("/project/tc").exists());
  EXPECT_EQ(run({"toolchain", "/project/tc", "--runtime", "cuda==13.0"}), 0) << err();
  EXPECT_TRUE(fake.files.stat("/project/tc/cuda-cc.facts").exists());
  EXPECT_EQ(run({"toolchain", "/project/tc", "--check"}), 0) << err();
}

TEST_F(CommandsTest, trustListsAddsAndRemoves) {
  fake.files.file("/project/cuda-cc.toml", "runtime = \"cuda==13.0\"\n");
  EXPECT_EQ(run({"trust", "--list"}), 0);
  EXPECT_EQ(out(), "");
  EXPECT_EQ(run({"trust", "/project/cuda-cc.toml"}), 0) << err();
  EXPECT_EQ(run({"trust", "--list"}), 0);
  EXPECT_THAT(out(), HasSubstr("/project/cuda-cc.toml"));
  EXPECT_EQ(run({"trust", "--remove", "/project/cuda-cc.toml"}), 0);
}

TEST_F(CommandsTest, auditAndDoctorSayWhatIsNotThere) {
  EXPECT_EQ(run({"audit", "/project/build"}), 4);
  EXPECT_THAT(err(), HasSubstr("/project/build"));
  EXPECT_NE(run({"doctor", "missing.so"}), 0);
  EXPECT_NE(run({"trace"}), 0);
  EXPECT_THAT(fake.runner.started, IsEmpty());
}

TEST_F(CommandsTest, eachHasAHelpPage) {
  for (const commands::Subcommand &each : commands::subcommands()) {
    const char *name = each.name.data();
    EXPECT_EQ(run({name, "--help"}), 0) << name;
    EXPECT_THAT(out(), StartsWith(fmt::format("cuda-cc {}: ", name)));
    // The argument of `explain` is a text, whatever it begins with.
    if (each.name != "explain") {
      EXPECT_EQ(run({name, "--no-such-option"}), 2) << name;
    }
  }
}

TEST_F(CommandsTest, aValueOfWordsIsOneOfThem) {
  auto refused = [&](std::vector<llvm::StringRef> words, const char *problem) {
    EXPECT_EQ(run(words), 2) << problem;
    EXPECT_THAT(err(), HasSubstr(problem));
  };
  refused({"check", "a.so", "--only", "torch"}, "--only is cuda, not 'torch'");
  refused({"inspect", "a.so", "--format=sarif"}, "--format is text or json, not 'sarif'");
  refused({"check", "a.so", "--format=xml"}, "--format is text, json or sarif, not 'xml'");
  refused({"wheel", "repair", "a.whl", "--requires="}, "--requires is nvidia, torch or none");
  refused({"check", "a.so", "--against", " "}, "--against needs all, or a requirement");
  EXPECT_EQ(run({"version", "--format=json"}), 0) << err();
}

TEST_F(CommandsTest, completionPrintsAScriptOrWhatMayFollow) {
  for (const char *shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(run({"completion", shell}), 0);
    EXPECT_THAT(out(), HasSubstr("completion --complete --")) << shell;
  }
  EXPECT_EQ(run({"completion", "--complete", "--", "completion", ""}), 0);
  EXPECT_EQ(out(), "bash\t\nzsh\t\nfish\t\n");
  // The options of the line are not those of the call.
  EXPECT_EQ(run({"completion", "--complete", "--", "--cudacc-no-such", "check", "--help", "--json",
                 "--format", ""}),
            0);
  EXPECT_EQ(out(), "text\t\njson\t\nsarif\t\n");
  EXPECT_EQ(run({"completion"}), 2);
  EXPECT_EQ(run({"completion", "csh"}), 2);
}

} // namespace
