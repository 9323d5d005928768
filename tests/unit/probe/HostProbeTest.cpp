// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/HostProbe.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Answers by the last words of the command line.
struct Answers : Runner {
  std::vector<std::pair<std::string, Answer>> rows;
  std::vector<Command> asked;
  llvm::Error exec(const Command &) override { return llvm::Error::success(); }
  llvm::Expected<ExitStatus> spawn(const Command &) override { return ExitStatus{}; }
  llvm::Expected<Answer> ask(const Command &command) override {
    asked.push_back(command);
    std::string line;
    for (const std::string &word : command.argv.strings())
      line += word + " ";
    for (auto &[part, answer] : rows)
      if (llvm::StringRef(line).contains(part))
        return answer;
    return Answer{{1, 0}, "", "unknown option"};
  }
};

struct HostProbe : testing::Test {
  test::MemoryFiles files;
  Answers runner;

  HostProbe() {
    for (auto *dir :
         {"/usr/include/c++/12", "/usr/lib/gcc/x/12/include", "/usr/local/include", "/usr/include",
          "/usr/lib/gcc/x/12", "/usr/lib/x86_64-linux-gnu", "/usr/lib", "/usr/local/lib"})
      files.directory(dir);
    files.program("/usr/bin/g++").program("/usr/bin/ld");
  }
  HostCompiler probe() {
    auto compiler = probe::probeHostCompiler("/usr/bin/g++", files, runner);
    EXPECT_TRUE(bool(compiler));
    return compiler ? *compiler : (llvm::consumeError(compiler.takeError()), HostCompiler{});
  }
};

TEST_F(HostProbe, gcc) {
  // As Debian's gcc 12 answers.
  std::string head = "Using built-in specs.\nTarget: x86_64-linux-gnu\nThread model: posix\n"
                     "gcc version 12.2.0 (Debian 12.2.0-14) \n"
                     "ignoring nonexistent directory \"/usr/local/include/x86_64-linux-gnu\"\n"
                     "#include \"...\" search starts here:\n#include <...> search starts here:\n";
  runner.rows = {
      {"-x c++ ",
       {{},
        "",
        head + " /usr/include/c++/12\n /usr/lib/gcc/x/12/include\n"
               " /usr/local/include\n /usr/include\nEnd of search list.\n# 0\n"}},
      {"-x c ",
       {{},
        "",
        head + " /usr/lib/gcc/x/12/include\n /usr/local/include\n /usr/include\n"
               "End of search list.\n"}},
      {"-print-search-dirs",
       {{},
        "install: /usr/lib/gcc/x/12/\nprograms: =/usr/bin/\n"
        "libraries: =/cuda-cc-library-path/x86_64-linux-gnu/12/:/usr/lib/gcc/x/12/:"
        "/usr/lib/gcc/x/12/../../../x86_64-linux-gnu/:/cuda-cc-library-path/:/none/:/usr/lib/\n",
        ""}},
      {"-print-prog-name=ld", {{}, "ld\n", ""}},
      {"ld --verbose",
       {{},
        "SEARCH_DIR(\"=/usr/local/lib\"); SEARCH_DIR(\"=/usr/lib\"); SEARCH_DIR(\"=/none\");",
        ""}},
  };
  HostCompiler compiler = probe();
  EXPECT_EQ(compiler.family, "gcc");
  EXPECT_EQ(compiler.version, "12.2.0");
  EXPECT_EQ(compiler.machine, "x86_64-linux-gnu");
  EXPECT_THAT(compiler.cxxIncludes, ElementsAre("/usr/include/c++/12", "/usr/lib/gcc/x/12/include",
                                                "/usr/local/include", "/usr/include"));
  EXPECT_EQ(compiler.cIncludes.size(), 3u);
  EXPECT_THAT(compiler.libraryDirs, ElementsAre("/usr/lib/gcc/x/12", "/usr/lib/x86_64-linux-gnu",
                                                "/usr/lib", "/usr/local/lib"));
  EXPECT_EQ(compiler.libraryPathAt, 2u);
  EXPECT_EQ(compiler.inputs.size(), 1u);
  for (const Command &command : runner.asked) {
    EXPECT_TRUE(llvm::is_contained(command.unset, "CPATH"));
    EXPECT_TRUE(
        llvm::is_contained(command.set, std::pair<std::string, std::string>("LC_ALL", "C")));
  }
}

TEST_F(HostProbe, clang) {
  runner.rows = {
      {"-x c",
       {{},
        "",
        "Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n"
        "#include <...> search starts here:\n /usr/include\nEnd of search list.\n"}},
      {"-print-search-dirs",
       {{}, "programs: =/usr/bin\nlibraries: =/usr/lib/gcc/x/12:/usr/lib\n", ""}},
  };
  HostCompiler compiler = probe();
  EXPECT_EQ(compiler.family, "clang");
  EXPECT_EQ(compiler.version, "14.0.6");
  EXPECT_THAT(compiler.libraryDirs, ElementsAre("/usr/lib/gcc/x/12", "/usr/lib"));
  EXPECT_EQ(compiler.libraryPathAt, 2u);
}

TEST_F(HostProbe, unknownCompilerIsTolerated) {
  HostCompiler compiler = probe();
  EXPECT_EQ(compiler.family, "");
  EXPECT_THAT(compiler.cxxIncludes, IsEmpty());
  EXPECT_EQ(compiler.path, "/usr/bin/g++");
}

TEST_F(HostProbe, absent) {
  auto compiler = probe::probeHostCompiler("/nowhere/g++", files, runner);
  ASSERT_FALSE(bool(compiler));
  EXPECT_EQ(toFinding(compiler.takeError()).code, Code::NoCompiler);
}

TEST(HostProbeText, garbage) {
  EXPECT_THAT(probe::parseIncludeList("#include <...> search starts here:\n"), IsEmpty());
  EXPECT_THAT(probe::parseIncludeList("x"), IsEmpty());
  EXPECT_THAT(probe::parseLinkerDirs("SEARCH_DIR(\""), IsEmpty());
  EXPECT_THAT(probe::parseLinkerDirs("SEARCH_DIR(\"/a"), ElementsAre("/a"));
}

} // namespace
