// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/OwnOptions.h"
#include "driver/versions/Format.h"
#include "tests/unit/cli/Line.h"

using namespace cudacc;
using namespace cudacc::test;
using core::Code;
using core::Key;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct StartRow {
  const char *line;
  Role role;
  Dialect dialect;
  const char *compiler;
  /// Joined by blanks.
  const char *launchers, *args;
};

struct Start : testing::TestWithParam<StartRow> {};

TEST_P(Start, IsDecided) {
  const StartRow &row = GetParam();
  Invocation call = parsed(row.line);
  EXPECT_EQ(str(call.role).str(), str(row.role).str()) << row.line;
  EXPECT_EQ(str(call.dialect).str(), str(row.dialect).str()) << row.line;
  EXPECT_EQ(call.compiler, row.compiler) << row.line;
  EXPECT_EQ(llvm::join(call.launchers, " "), row.launchers) << row.line;
  EXPECT_EQ(llvm::join(call.args, " "), row.args) << row.line;
}

// F20
std::vector<StartRow> startRows() {
  constexpr Role F = Role::Front, L = Role::Launcher, M = Role::Masquerade;
  constexpr Dialect N = Dialect::Nvcc, G = Dialect::Gcc, C = Dialect::Clang;
  return {
      {"cuda-cc x.cu", F, N, "", "", "x.cu"},
      {"/opt/x/cuda-cc x.cu", F, N, "", "", "x.cu"},
      {"cuda-cc-0.1 x.cu", F, N, "", "", "x.cu"},
      {"cuda-cc -ccbin g++ x.cu", F, N, "", "", "-ccbin g++ x.cu"},
      {"cuda-cc", F, N, "", "", ""},
      {"cuda-cc notes", F, N, "", "", "notes"},
      {"cuda-cc nowhere", F, N, "", "", "nowhere"},
      {"cuda-cc a.out", L, G, "a.out", "", ""},
      {"cuda-cc libx.so.12", F, N, "", "", "libx.so.12"},
      {"cuda-cc @objects1", F, N, "", "", "@objects1"},
      {"cuda-cc nvcc x.cu", L, N, "nvcc", "", "x.cu"},
      {"cuda-cc /opt/cuda/bin/nvcc x.cu", L, N, "/opt/cuda/bin/nvcc", "", "x.cu"},
      {"cuda-cc g++ -c a.cpp", L, G, "g++", "", "-c a.cpp"},
      {"cuda-cc cc a.c", L, G, "cc", "", "a.c"},
      {"cuda-cc c++ a.c", L, G, "c++", "", "a.c"},
      {"cuda-cc gcc-12 a.c", L, G, "gcc-12", "", "a.c"},
      {"cuda-cc g++-12.2.0 a.c", L, G, "g++-12.2.0", "", "a.c"},
      {"cuda-cc x86_64-linux-gnu-g++-12 a.c", L, G, "x86_64-linux-gnu-g++-12", "", "a.c"},
      {"cuda-cc x86_64-conda-linux-gnu-cc a.c", L, G, "x86_64-conda-linux-gnu-cc", "", "a.c"},
      {"cuda-cc clang a.c", L, C, "clang", "", "a.c"},
      {"cuda-cc clang++-19 a.c", L, C, "clang++-19", "", "a.c"},
      {"cuda-cc /no/such/clang++ a.c", L, C, "/no/such/clang++", "", "a.c"},
      {"cuda-cc /opt/my~tools/icpx a.c", L, G, "/opt/my tools/icpx", "", "a.c"},
      {"cuda-cc mpicxx a.o", L, G, "mpicxx", "", "a.o"},
      {"cuda-cc nvc++ a.o", L, G, "nvc++", "", "a.o"},
      {"cuda-cc ccache g++ a.o", L, G, "g++", "ccache", "a.o"},
      {"cuda-cc /usr/bin/ccache distcc clang++ a.o", L, C, "clang++", "/usr/bin/ccache distcc",
       "a.o"},
      {"cuda-cc sccache nvcc -w -cudart static x.cu -o x.exe", L, N, "nvcc", "sccache", // T18
       "-w -cudart static x.cu -o x.exe"},
      {"cuda-cc icecc /opt/no/mpicxx a.o", L, G, "/opt/no/mpicxx", "icecc", "a.o"},
      {"cuda-cc ccache max_size=5G g++ a.o", L, G, "g++", "ccache max_size=5G", "a.o"},
      {"cuda-cc ccache", L, G, "ccache", "", ""},
      {"cuda-cc ccache -s", L, G, "ccache", "", "-s"},
      {"cuda-cc ccache sccache --show-stats", L, G, "ccache", "", "sccache --show-stats"},
      {"cuda-cc cuda-cc g++ a.o", L, G, "g++", "", "a.o"},
      {"cuda-cc ccache cuda-cc g++ a.o", L, G, "g++", "ccache", "a.o"},
      {"cuda-cc ccache cuda-cc -c x.cu", F, N, "", "ccache", "-c x.cu"},
      {"cuda-cc cuda-cc ccache -s", L, G, "ccache", "", "-s"},
      {"cuda-cc /td/bin/cuda-cc g++ a.o", L, G, "/td/bin/cuda-cc", "", "g++ a.o"},
      {"cuda-cc ccache /td/bin/cuda-cc-c++ a.o", L, G, "/td/bin/cuda-cc-c++", "ccache", "a.o"},
      {"nvcc x.cu", M, N, "nvcc", "", "x.cu"},
      {"/td/bin/nvcc x.cu", M, N, "nvcc", "", "x.cu"},
      {"/my~dir/g++ a.o", M, G, "g++", "", "a.o"},
      {"/td/bin/x86_64-linux-gnu-gcc-13 a.o", M, G, "x86_64-linux-gnu-gcc-13", "", "a.o"},
      {"clang++-14 a.o", M, C, "clang++-14", "", "a.o"},
      {"/td/bin/mpicxx a.o", M, G, "mpicxx", "", "a.o"},
      {"g++ target", M, G, "g++", "", "target"},
  };
}
INSTANTIATE_TEST_SUITE_P(F20, Start, testing::ValuesIn(startRows()));

// F20: what other names are, only the programs know.
TEST(Start, NamesThatTellNoDialectAreOpen) {
  for (const char *text : {"cuda-cc a.out x.o", "cuda-cc icpx a.c", "cuda-cc mpicxx a.o",
                           "cuda-cc icecc /opt/no/nvcc_wrapper a.o", "/td/bin/mpicxx a.o"}) {
    Invocation call = parsed(text);
    EXPECT_TRUE(call.isOpen) << text;
    EXPECT_TRUE(cli::mayCompile(call)) << text;
    EXPECT_EQ(call.kind, CallKind::Probe) << text;
  }
  for (const char *text : {"cuda-cc g++ a.o", "cuda-cc ccache -s", "cuda-cc ccache", "nvcc x.cu",
                           "cuda-cc x.cu", "g++ target"})
    EXPECT_FALSE(parsed(text).isOpen) << text;
  EXPECT_FALSE(cli::mayCompile(parsed("cuda-cc a.out --help")));
}

TEST(Start, AnOpenLineIsParsedAsOneOfTheDialect) {
  Line line({"cuda-cc", "mpicxx", "-arch=sm_80", "-c", "x.cu"});
  Invocation call = line.parse();
  core::Environment environment;
  llvm::Error error = cli::parseAs(Dialect::Nvcc, call, environment, line.files);
  ASSERT_FALSE(error);
  EXPECT_FALSE(call.isOpen);
  EXPECT_EQ(call.kind, CallKind::Compile);
  EXPECT_EQ(call.cudaSources, 1u);
}

TEST(Start, SubcommandsComeFirst) { // F20
  for (llvm::StringRef name : cli::subcommands()) {
    Line line({"cuda-cc", name.str(), "--runtime", "x"});
    line.files.program("/usr/bin/" + name.str());
    Invocation call = line.parse();
    EXPECT_EQ(call.role, Role::Tool);
    EXPECT_EQ(call.tool, name.str());
    EXPECT_THAT(texts(call.args), ElementsAre("--runtime", "x"));
    EXPECT_EQ(call.kind, CallKind::Probe);
  }
  EXPECT_EQ(parsed("cuda-cc --cudacc-runtime=cuda==12.4 target").role, Role::Tool);
}

// The command may be cuda-cc itself.
TEST(Start, WhatTraceRunsKeepsItsWords) {
  Invocation call = parsed("cuda-cc trace --cudacc-strict -- cuda-cc --cudacc-runtime=x g++ --");
  EXPECT_EQ(call.tool, "trace");
  EXPECT_THAT(texts(call.args), ElementsAre("--", "cuda-cc", "--cudacc-runtime=x", "g++", "--"));
  EXPECT_THAT(call.own[Key::Strict], ElementsAre("true"));
  EXPECT_TRUE(call.own[Key::Runtime].empty());
  EXPECT_THAT(texts(parsed("cuda-cc check -- --cudacc-runtime=x a").args), ElementsAre("--", "a"));
}

TEST(Start, WhatIsNoCompilerRunsAsItIs) {
  for (const char *text : {"cuda-cc ccache -s", "cuda-cc clang-format -i a.cc",
                           "clang-tidy-19 a.cc", "cuda-cc /x/clang-scan-deps a.cc",
                           "cuda-cc ar cr l.a a.o", "cuda-cc x86_64-linux-gnu-gcc-ranlib-12 l.a",
                           "cuda-cc ld.gold a.o", "cuda-cc cp a.o b.o"}) {
    Line line(words(text));
    line.files.program("/usr/bin/clang-format").program("/x/clang-scan-deps");
    for (const char *name : {"ar", "x86_64-linux-gnu-gcc-ranlib-12", "ld.gold", "cp"})
      line.files.program(fmt::format("/usr/bin/{}", name));
    Invocation call = line.parse();
    EXPECT_NE(call.role, Role::Front) << text;
    EXPECT_EQ(str(call.kind).str(), "probe") << text;
    EXPECT_THAT(call.sources, IsEmpty()) << text;
  }
  EXPECT_FALSE(cli::dialectOf("clang-format").has_value());
  EXPECT_FALSE(cli::dialectOf("cuda-cc").has_value());
  EXPECT_FALSE(cli::dialectOf("g++.orig").has_value());
  EXPECT_FALSE(cli::dialectOf("mygcc").has_value());
}

TEST(Start, EmptyArgvAndEmptyWords) {
  EXPECT_EQ(Line(Strings{}).parse().role, Role::Front);
  EXPECT_EQ(Line({"cuda-cc", ""}).parse().role, Role::Front);
  EXPECT_EQ(Line({"cuda-cc", "ccache", ""}).parse().compiler, "ccache");
  // Without PATH the default folders of execvp are searched.
  Line noPath({"cuda-cc", "mpicxx", "a.o"});
  noPath.variables.clear();
  EXPECT_EQ(noPath.parse().role, Role::Launcher);
  noPath.variables = {"PATH=/none"};
  EXPECT_EQ(noPath.parse().role, Role::Front);
}

TEST(OwnOptions, AreTakenOutAnywhere) { // F19
  Invocation call =
      parsed("cuda-cc --cudacc-runtime=torch==2.5.1 g++ -c --cudacc-enforce=warn a.cc "
             "--cudacc-runtime=sm>=80 --cudacc-require --cudacc-toolkit=/opt/c "
             "--cudacc-host-compiler=g++ --cudacc-install-dir=p --cudacc-dtags=rpath "
             "--cudacc-launcher=env --cudacc-launcher=A=b "
             "--cudacc-layout=none --cudacc-print=plan");
  EXPECT_THAT(texts(call.args), ElementsAre("-c", "a.cc"));
  EXPECT_THAT(call.own[Key::Runtime], ElementsAre("torch==2.5.1", "sm>=80"));
  EXPECT_THAT(call.own[Key::Enforce], ElementsAre("warn"));
  EXPECT_THAT(call.own[Key::Toolkit], ElementsAre("/opt/c"));
  EXPECT_THAT(call.own[Key::HostCompiler], ElementsAre("g++"));
  EXPECT_THAT(call.own[Key::Launcher], ElementsAre("env", "A=b"));
  EXPECT_THAT(call.own[Key::InstallDir], ElementsAre("p"));
  EXPECT_THAT(call.own[Key::Dtags], ElementsAre("rpath"));
  EXPECT_THAT(call.own[Key::Layout], ElementsAre("none"));
  EXPECT_EQ(call.own.print, "plan");
  EXPECT_THAT(call.own[Key::Require], ElementsAre("true"));
  EXPECT_FALSE(call.own.help);
  EXPECT_TRUE(parsed("g++ --cudacc-help").own.help);
  for (const char *stage : {"invocation", "target", "toolkit", "verdict", "plan", "facts"})
    EXPECT_EQ(parsed(std::string("g++ --cudacc-print=") + stage).own.print, stage);
}

TEST(OwnOptions, UnknownNamesTheNearest) {
  core::Finding finding = Line(words("cuda-cc --cudacc-runtme=x a.cu")).finding();
  EXPECT_EQ(finding.code, Code::UnknownOption);
  EXPECT_THAT(finding.message, testing::HasSubstr("--cudacc-runtme"));
  EXPECT_THAT(finding.fixes, ElementsAre(testing::HasSubstr("--cudacc-runtime")));
  EXPECT_EQ(Line(words("cuda-cc --cudacc-enforce warn")).finding().code, Code::Usage);
  EXPECT_EQ(Line(words("cuda-cc --cudacc-require=1")).finding().code, Code::Usage);
  EXPECT_EQ(Line(words("cuda-cc --cudacc-print=plans")).finding().code, Code::BadValue);
  EXPECT_EQ(Line(words("cuda-cc --cudacc-")).finding().code, Code::UnknownOption);
}

TEST(OwnOptions, InAResponseFileAreTheCompilers) {
  Line line(words("cuda-cc g++ @r"));
  line.files.file("/project/r", "--cudacc-runtime=x a.o");
  EXPECT_THAT(texts(line.parse().words), ElementsAre("--cudacc-runtime=x", "a.o"));
}

} // namespace

TEST(OwnOptions, TakesEveryOneThatIsListed) {
  for (const std::string &name : cli::ownOptionNames())
    for (const std::string &text : {name, name + "=x"}) {
      core::OwnOptions own;
      llvm::StringRef word = text;
      llvm::BumpPtrAllocator arena;
      auto rest = cli::takeOwnOptions(word, 1, own, arena);
      if (!rest)
        EXPECT_NE(core::toFinding(rest.takeError()).code, Code::UnknownOption) << text;
    }
}
