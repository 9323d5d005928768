// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Chain.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using run::Chain;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Starts no program; keeps the variable as the last program would get it.
struct FakeRunner : Runner {
  unsigned started = 0;
  std::optional<std::string> variable;

  void take(const Command &command) {
    ++started;
    variable.reset();
    for (const auto &[name, value] : command.set)
      if (name == run::chainVariable)
        variable = value;
  }
  llvm::Error exec(const Command &command) override {
    take(command);
    return llvm::Error::success();
  }
  llvm::Expected<ExitStatus> spawn(const Command &command) override {
    take(command);
    return ExitStatus{};
  }
  llvm::Expected<Answer> ask(const Command &command) override {
    take(command);
    return Answer{};
  }
};

struct Guarded : testing::Test {
  test::MemoryFiles files;
  FakeRunner next;
  std::string variable;
  uint64_t cpuTime = 600;
  std::string other;
  const std::string elf = "\x7f"
                          "ELF",
                    large = elf + std::string(1 << 20, '\0');

  Guarded() {
    files.program("/w/g++", "#!/bin/sh\nexec cuda-cc g++ \"$@\"\n");
    files.program("/w/nvcc", "#!/bin/sh\n");
    files.program("/usr/bin/g++", large);
    files.program("/usr/bin/small", elf);
    files.program("/usr/bin/ccache", large).symlink("/usr/lib/ccache/g++", "../../bin/ccache");
    files.symlink("/proc/77/exe", "/usr/bin/make");
    files.program("/usr/bin/make", large);
  }
  llvm::Error start(const std::string &program) {
    Environment env;
    std::string entry = run::chainVariable.str() + "=" + variable;
    if (!variable.empty())
      env.entries.push_back(entry);
    run::GuardedRunner runner(
        next, files, env, {[] { return 77; }, [this] { return cpuTime; }},
        [this](llvm::StringRef, llvm::ArrayRef<std::string>) { return other; });
    return runner.exec({program, {program}, {}, {}});
  }
  /// The variable's value in the started program; "none" if it is unset.
  std::string given(const std::string &program) {
    llvm::cantFail(start(program));
    return next.variable.value_or("none");
  }
  /// The chain after these programs, each started through cuda-cc; and how often a program was
  /// started.
  Finding refused(const std::vector<std::string> &round, unsigned &times) {
    for (times = 0;; ++times) {
      if (llvm::Error error = start(round[times % round.size()]))
        return toFinding(std::move(error));
      variable = *next.variable;
      if (times == 100)
        return {};
    }
  }
};

TEST_F(Guarded, scriptsGetTheVariableAndCompilersDoNot) {
  EXPECT_EQ(given("/w/g++"), "/w/g++");
  EXPECT_EQ(given("/usr/bin/g++"), "none");
  // A file that cannot be read is unknown.
  files.unreadable.insert("/w/nvcc");
  EXPECT_EQ(given("/w/nvcc"), "/w/nvcc");
  EXPECT_EQ(given("/nowhere/g++"), "/nowhere/g++");
  files.program("/w/empty", "");
  EXPECT_EQ(given("/w/empty"), "/w/empty");
  files.cwd = "/w";
  EXPECT_EQ(given("./g++"), "/w/./g++");
}

TEST_F(Guarded, everyWayToStartIsGuarded) {
  Environment env;
  run::GuardedRunner runner(next, files, env, {[] { return 77; }, [] { return 0; }}, nullptr);
  const Command script{"/w/g++", {"g++"}, {}, {}};
  EXPECT_FALSE(bool(runner.exec(script)));
  EXPECT_EQ(next.variable, "/w/g++");
  llvm::cantFail(runner.spawn(script));
  EXPECT_EQ(next.variable, "/w/g++");
  llvm::cantFail(runner.ask(script));
  EXPECT_EQ(next.variable, "/w/g++");
}

TEST_F(Guarded, belowAScriptCompilersContinueTheChain) {
  variable = "/w/nvcc";
  EXPECT_EQ(given("/usr/bin/g++"), "/w/nvcc:/usr/bin/g++");
}

TEST_F(Guarded, elfProgramsGetItWhereThereAreSignsOfALoop) {
  EXPECT_EQ(given("/usr/bin/small"), "none");
  EXPECT_EQ(given("/usr/lib/ccache/g++"), "none");
  // The parent process is the program that is to be started.
  files.symlink("/proc/77/exe", "/usr/bin/small");
  EXPECT_EQ(given("/usr/bin/small"), "/usr/bin/small");
  EXPECT_EQ(given("/usr/lib/ccache/g++"), "none");
  files.symlink("/proc/77/exe", "/usr/bin/ccache");
  EXPECT_EQ(given("/usr/lib/ccache/g++"), "/usr/lib/ccache/g++");
  EXPECT_EQ(given("/usr/bin/ccache"), "/usr/bin/ccache");
  // The process was there before.
  cpuTime = 1'000'000;
  EXPECT_EQ(given("/usr/bin/g++"), "/usr/bin/g++");
}

TEST_F(Guarded, theFifthStartIsRefused) {
  unsigned times;
  Finding finding = refused({"/w/g++"}, times);
  EXPECT_EQ(times, 4u);
  EXPECT_EQ(next.started, 4u);
  EXPECT_EQ(finding.code, Code::NoCompiler);
  EXPECT_EQ(int(exitOf(finding)), 4);
  EXPECT_EQ(finding.message, "g++ starts cuda-cc, which starts it again");
  ASSERT_EQ(finding.facts.size(), 2u);
  EXPECT_EQ(finding.facts[0].label + ": " + finding.facts[0].text, "chain: /w/g++");
  EXPECT_EQ(finding.facts[1].text, "/w/g++, again");
  EXPECT_THAT(finding.fixes, ElementsAre("in /w/g++, start cuda-cc with the path of the compiler",
                                         "put cuda-cc in its place: "
                                         "ln -sf \"$(command -v cuda-cc)\" /w/g++"));
}

TEST_F(Guarded, theFixNamesACompilerThatIsThere) {
  other = "/usr/bin/g++ 12";
  unsigned times;
  Finding finding = refused({"/w/nvcc", "/w/g++"}, times);
  EXPECT_EQ(times, 8u);
  EXPECT_THAT(finding.fixes, ElementsAre("in /w/nvcc, start cuda-cc '/usr/bin/g++ 12'"));
  ASSERT_EQ(finding.facts.size(), 3u);
  EXPECT_EQ(finding.facts[1].text, "/w/g++");
  EXPECT_EQ(finding.facts[2].text, "/w/nvcc, again");
}

TEST_F(Guarded, aCacheIsTakenOffPath) {
  variable = "/w/x";
  unsigned times;
  Finding finding = refused({"/usr/lib/ccache/g++"}, times);
  EXPECT_THAT(finding.fixes,
              ElementsAre("take /usr/lib/ccache off PATH, and set CUDA_CC_LAUNCHER=ccache"));
}

TEST_F(Guarded, aChainOfDifferentProgramsEnds) {
  unsigned times = 0;
  std::vector<std::string> round;
  for (int i = 0; i < 90; ++i)
    round.push_back("/w/" + std::string(5000, 'a') + std::to_string(i));
  Finding finding = refused(round, times);
  EXPECT_EQ(times, 32u);
  EXPECT_EQ(finding.facts.size(), 33u);
  EXPECT_LT(variable.size(), 16u << 10) << "bounded, whatever paths there are";
}

// A daemon that a wrapper started keeps the variable, and starts thousands of processes.
TEST_F(Guarded, whatIsStartedOneAfterAnotherDoesNotAddUp) {
  variable = "/w/nvcc:/w/g++";
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(given("/w/g++"), "/w/nvcc:/w/g++:/w/g++");
    EXPECT_EQ(given("/usr/bin/g++"), "/w/nvcc:/w/g++:/usr/bin/g++");
  }
}

TEST(Chain, anyPathIsOnePrintableEntry) {
  Chain chain("");
  chain.add("/a b/c:d%3A\n/ö");
  chain.add("/plain-1.2_+/g++");
  EXPECT_EQ(chain.text().find('\n'), std::string::npos);
  Chain read(chain.text());
  EXPECT_THAT(read.programs(), ElementsAre("/a b/c:d%3A\n/ö", "/plain-1.2_+/g++"));
  EXPECT_EQ(read.text(), chain.text());
}

TEST(Chain, anyTextIsTaken) {
  for (const char *text : {"", ":", ":::", "%", "%zz:%4", "a", "\n"}) {
    Chain chain(text);
    chain.add("/w/g++");
    EXPECT_FALSE(chain.isEndless()) << text;
    EXPECT_EQ(chain.programs().back(), "/w/g++");
  }
  Chain chain(std::string(1 << 20, ':') + "x" + std::string(1 << 20, 'y'));
  EXPECT_LT(chain.text().size(), 1000u);
  std::string many;
  for (int i = 0; i < 1000; ++i)
    many += "/p" + std::to_string(i) + ":";
  Chain full(many);
  full.add("/w/g++");
  EXPECT_TRUE(full.isEndless());
}

} // namespace
