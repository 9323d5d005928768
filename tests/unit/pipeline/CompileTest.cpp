// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Compile.h"
#include "driver/cli/Cli.h"
#include "tests/support/FakeSystem.h"
#include "tests/support/FakeToolkit.h"

using namespace cudacc;
using namespace cudacc::core;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace {

/// Calls on a machine with CUDA 13.0 and a g++, all in memory.
struct CompileTest : testing::Test {
  test::FakeSystem fake;
  std::vector<llvm::StringRef> variables = {"PATH=/cuda/bin:/usr/bin", "HOME=/home/u",
                                            "TMPDIR=/tmp"};

  CompileTest() {
    test::addToolkit(fake.files, "/cuda", "13.0.88", 13000);
    fake.files.program("/bin/cuda-cc", "cuda-cc");
    for (const char *name : {"/usr/bin/gcc", "/usr/bin/g++"})
      fake.files.program(name, "a compiler");
    fake.files.directory("/home/u").directory("/tmp", 01777).directory("/project");
    fake.files.file("/project/k.cu").file("/project/x.cpp").file("/project/x.o");
  }

  /// Exit status; a call whose last step is exec returns 0.
  int call(std::vector<llvm::StringRef> words, pipeline::CallDirectory place = {}) {
    words.insert(words.begin(), "/bin/cuda-cc");
    fake.system.environment.entries.assign(variables.begin(), variables.end());
    auto invocation = cli::parse(words, fake.system.environment, fake.files);
    if (!invocation) {
      ADD_FAILURE() << toFinding(invocation.takeError()).message;
      return -1;
    }
    return pipeline::compile(fake.system, std::move(*invocation), std::move(place));
  }
  std::vector<std::string> started() {
    EXPECT_EQ(fake.runner.started.size(), 1u);
    return fake.runner.started.empty() ? std::vector<std::string>{}
                                       : fake.runner.started[0].argv.strings();
  }
  std::vector<std::string> below(llvm::StringRef folder) {
    std::vector<std::string> found;
    for (const std::string &path : fake.files.paths())
      if (llvm::StringRef(path).starts_with(folder) && !fake.files.node(path)->content.empty())
        found.push_back(path);
    return found;
  }
};

TEST_F(CompileTest, undeclaredCallsReachTheCompilerWordForWord) {
  EXPECT_EQ(call({"-O2", "-c", "k.cu", "-o", "k.o"}), 0);
  EXPECT_THAT(started(), ElementsAre("/cuda/bin/nvcc", "-O2", "-c", "k.cu", "-o", "k.o"));
  EXPECT_THAT(below("/home"), IsEmpty());
  EXPECT_EQ(fake.console.complained, "");
}

TEST_F(CompileTest, anAcceptedCompileCarriesItsRecord) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  EXPECT_EQ(call({"-c", "k.cu"}), 0);
  auto records = below("/home/u/.local/share/cuda-cc/1/records");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_THAT(started(), Contains(records[0]));
  EXPECT_EQ(fake.console.complained, "");
}

TEST_F(CompileTest, aRejectedCompileStartsAndWritesNothing) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==12.4");
  auto before = fake.files.paths();
  EXPECT_EQ(call({"-c", "k.cu"}), 3);
  EXPECT_THAT(fake.runner.started, IsEmpty());
  EXPECT_EQ(fake.files.paths(), before);
  EXPECT_THAT(fake.console.complained, HasSubstr("CC3"));
}

TEST_F(CompileTest, warnedOfItGoesOn) {
  variables = {"PATH=/cuda/bin:/usr/bin", "HOME=/home/u", "CUDA_CC_RUNTIME=cuda==12.4",
               "CUDA_CC_ENFORCE=warn"};
  EXPECT_EQ(call({"-c", "k.cu"}), 0);
  EXPECT_EQ(fake.runner.started.size(), 1u);
  EXPECT_THAT(fake.console.complained, HasSubstr("warning"));
}

TEST_F(CompileTest, aPrintAnswersAndWritesNothing) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  auto before = fake.files.paths();
  for (const char *stage : {"invocation", "target", "toolkit", "verdict", "plan"})
    for (std::vector<llvm::StringRef> words : {std::vector<llvm::StringRef>{"-c", "k.cu"},
                                               {"x.o", "-o", "x"},
                                               {"g++", "-c", "x.cpp"},
                                               {"g++", "-shared", "x.o", "-o", "x.so"}}) {
      std::string option = std::string("--cudacc-print=") + stage;
      words.insert(words.begin(), option);
      fake.console.said.clear();
      EXPECT_EQ(call(words), 0) << stage;
      EXPECT_THAT(fake.console.said, StartsWith("{")) << stage;
      EXPECT_EQ(fake.files.paths(), before) << stage;
    }
  EXPECT_THAT(fake.runner.started, IsEmpty());
}

TEST_F(CompileTest, thePlanNamesWhatWouldBeWritten) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  EXPECT_EQ(call({"--cudacc-print=plan", "-c", "k.cu"}), 0);
  EXPECT_THAT(fake.console.said, HasSubstr("/home/u/.local/share/cuda-cc/1/records/"));
  fake.console.said.clear();
  EXPECT_EQ(call({"--cudacc-print=plan", "x.o", "-o", "x"}), 0);
  EXPECT_THAT(fake.console.said, HasSubstr("/home/u/.local/share/cuda-cc/1/directories/"));
}

TEST_F(CompileTest, whereHomeCannotBeWrittenTheTemporaryFolderServes) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  fake.files.readOnly = {"/home/u/.local/share/cuda-cc/1"};
  EXPECT_EQ(call({"-c", "k.cu"}), 0);
  EXPECT_THAT(below("/home"), IsEmpty());
  ASSERT_EQ(below("/tmp/cuda-cc-0/records").size(), 1u);
  EXPECT_THAT(started(), Contains(below("/tmp/cuda-cc-0/records")[0]));
}

TEST_F(CompileTest, withNoPlaceTheCompileGoesWithoutARecord) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  fake.files.readOnly = {"/home/u/.local/share/cuda-cc/1", "/tmp/cuda-cc-0"};
  EXPECT_EQ(call({"-c", "k.cu"}), 0);
  EXPECT_THAT(started(), ElementsAre("/cuda/bin/nvcc", "-c", "k.cu"));
}

TEST_F(CompileTest, aLinkByNvccLeadsThroughAShim) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  EXPECT_EQ(call({"--cudacc-manifest=always", "x.o", "-o", "x"}), 0);
  EXPECT_THAT(started(), Contains(HasSubstr("/home/u/.local/share/cuda-cc/1/directories/")));
  ASSERT_EQ(fake.runner.started[0].set.size(), 1u);
  EXPECT_EQ(fake.runner.started[0].set[0].first, pipeline::Nested::variable);
  EXPECT_EQ(fake.runner.started[0].set[0].second, "manifest=always\n");
}

TEST_F(CompileTest, theRuntimesDeviceLinkerStandsInForNvlink) {
  fake.files.program("/cuda/bin/nvlink", "nvlink").program("/cuda/bin/ptxas", "ptxas");
  fake.files.file("/cuda/lib64/libnvJitLink.so.13", "a library");
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  variables.push_back("CUDA_CC_DEVICE_LINKER=runtime");
  EXPECT_EQ(call({"-dlink", "x.o", "-o", "d.o"}), 0) << fake.console.complained;
  std::vector<std::string> words = started();
  ASSERT_FALSE(words.empty());
  llvm::StringRef nvcc = words[0];
  ASSERT_TRUE(nvcc.consume_back("/bin/nvcc")) << words[0];
  EXPECT_THAT(nvcc.str(), StartsWith("/home/u/.local/share/cuda-cc/1/directories/"));
  EXPECT_EQ(fake.files.readLink((nvcc + "/bin/ptxas").str()), "/cuda/bin/ptxas");
  EXPECT_EQ(fake.files.readLink((nvcc + "/bin/nvcc").str()), "/cuda/bin/nvcc");
  EXPECT_EQ(fake.files.readLink((nvcc + "/bin/nvlink").str()), std::nullopt);
  auto facts = fake.files.read((nvcc + "/cuda-cc.facts").str());
  ASSERT_TRUE(bool(facts));
  EXPECT_THAT(*facts, HasSubstr("/cuda/bin/nvlink\t/cuda/lib64/libnvJitLink.so.13\t13.0\t"));
  // A compile links no device code.
  fake.runner.started.clear();
  EXPECT_EQ(call({"-c", "k.cu"}), 0);
  EXPECT_EQ(started().front(), "/cuda/bin/nvcc");
}

TEST_F(CompileTest, withoutANvJitLinkInTheRuntimeADeviceLinkIsRefused) {
  variables.push_back("CUDA_CC_DEVICE_LINKER=runtime");
  EXPECT_EQ(call({"-dlink", "x.o"}), 2);
  EXPECT_THAT(fake.console.complained, AllOf(HasSubstr("CC1006"), HasSubstr("nvlink")));
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  EXPECT_EQ(call({"-dlink", "x.o"}), 4);
  EXPECT_THAT(fake.console.complained, HasSubstr("CC2003"));
  EXPECT_THAT(fake.runner.started, IsEmpty());
}

TEST_F(CompileTest, aLinkByAHostCompilerIsAwaitedAndItsOutputRead) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  fake.runner.onSpawn = [&](const Command &) { fake.files.file("/project/x.so", "no ELF file"); };
  EXPECT_EQ(call({"g++", "-shared", "x.o", "-o", "x.so"}), 0);
  EXPECT_THAT(started(), Contains(HasSubstr("/notes/")));
  EXPECT_TRUE(fake.files.stat("/project/x.so").exists());
}

// A truncated ELF file cannot be read; with a declared runtime such an output is removed.
TEST_F(CompileTest, anOutputThatCannotBeReadIsRemoved) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==13.0");
  fake.runner.onSpawn = [&](const Command &) {
    fake.files.file("/project/x.so", std::string("\x7f"
                                                 "ELF\2\1\1") +
                                         std::string(20, '\0'));
  };
  EXPECT_NE(call({"g++", "-shared", "x.o", "-o", "x.so"}), 0);
  EXPECT_FALSE(fake.files.stat("/project/x.so").exists());
  EXPECT_THAT(fake.console.complained, HasSubstr("error"));
}

TEST_F(CompileTest, withoutADeclarationARequiredRuntimeStopsTheCall) {
  variables.push_back("CUDA_CC_REQUIRE_RUNTIME=1");
  EXPECT_NE(call({"-c", "k.cu"}), 0);
  EXPECT_THAT(fake.runner.started, IsEmpty());
  EXPECT_THAT(fake.console.complained, HasSubstr("no runtime is declared"));
}

TEST_F(CompileTest, disabledItHandsTheCallOn) {
  variables.push_back("CUDA_CC_RUNTIME=cuda==12.4");
  variables.push_back("CUDA_CC_DISABLE=1");
  EXPECT_EQ(call({"-c", "k.cu"}), 0);
  EXPECT_THAT(started(), ElementsAre("/cuda/bin/nvcc", "-c", "k.cu"));
}

TEST_F(CompileTest, aDirectoryThatIsNotTrustedStopsTheCallButNoQuestion) {
  pipeline::CallDirectory place;
  place.directory.emplace();
  place.directory->anonymous = false;
  place.refused.emplace();
  place.refused->code = Code::UntrustedDeclaration;
  place.refused->message = "others may have made it";
  EXPECT_EQ(call({"-c", "k.cu"}, place), 2);
  EXPECT_THAT(fake.runner.started, IsEmpty());
  EXPECT_EQ(call({"--version"}, place), 0);
  EXPECT_EQ(fake.runner.started.size(), 1u);
}

TEST(Nested, whatIsPassedIsRead) {
  pipeline::Nested nested;
  nested.printsFacts = true;
  nested.manifest = "never";
  nested.locks = {"abc", "def"};
  Command command;
  command.set.emplace_back(pipeline::Nested::variable, "facts=0");
  nested.pass(command);
  ASSERT_EQ(command.set.size(), 1u);
  Environment environment;
  std::string entry = command.set[0].first + "=" + command.set[0].second + "later=1\n";
  environment.entries.push_back(entry);
  auto read = pipeline::Nested::read(environment);
  EXPECT_TRUE(read.printsFacts);
  EXPECT_EQ(read.manifest, "never");
  EXPECT_THAT(read.locks, ElementsAre("abc", "def"));
}

TEST(Nested, nothingToPassSetsNothing) {
  Command command;
  pipeline::Nested().pass(command);
  EXPECT_THAT(command.set, IsEmpty());
  EXPECT_THAT(command.unset, IsEmpty());
  EXPECT_FALSE(pipeline::Nested::read({}).manifest);
}

TEST(Nested, whatIsInheritedGoesNoFurtherByItself) {
  Environment environment;
  environment.entries.push_back("CUDA_CC_NESTED=facts=1\n");
  auto nested = pipeline::Nested::read(environment);
  nested.printsFacts = false;
  Command command;
  nested.pass(command);
  EXPECT_THAT(command.set, IsEmpty());
  EXPECT_THAT(command.unset, ElementsAre("CUDA_CC_NESTED"));
}

} // namespace
