// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/support/MadeFiles.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::ToolchainDirectory;
using core::TreeEntry;
using testing::ElementsAre;
using testing::HasSubstr;

static ToolchainDirectory named() {
  ToolchainDirectory directory;
  directory.anonymous = false;
  directory.nvcc = "/opt/cuda/bin/nvcc";
  directory.compilers = {{"g++", "/usr/bin/g++"}};
  return directory;
}

TEST(PlanToolchain, equalContentHasAnEqualName) {
  std::vector<TreeEntry> entries = {{"lib", "lib64", TreeEntry::Kind::Link}};
  auto content = plan::planToolchain(named(), "1.0", entries);
  EXPECT_EQ(plan::planToolchain(named(), "1.0", entries).name, content.name);
  EXPECT_NE(plan::planToolchain(named(), "1.1", entries).name, content.name);
  EXPECT_NE(plan::planToolchain(named(), "1.0").name, content.name);
  // A symbolic link is not equal to a file with that content.
  entries[0].kind = TreeEntry::Kind::File;
  EXPECT_NE(plan::planToolchain(named(), "1.0", entries).name, content.name);
  ToolchainDirectory other = named();
  other.compilers[0].second = "/usr/bin/g++-12";
  EXPECT_NE(plan::planToolchain(other, "1.0").name, plan::planToolchain(named(), "1.0").name);
}

// R26: caches hash the bytes of a compiler.
TEST(PlanToolchain, theCopiesCarryTheName) {
  auto content = plan::planToolchain(named(), "1.0");
  EXPECT_EQ(content.fingerprint, "cuda-cc-fingerprint:" + content.name + "\n");
  EXPECT_EQ(content.fingerprint.size(), plan::trailerSize);
}

TEST(PlanToolchain, aNamedOneHasCudaCcAndSaysItsFingerprint) {
  auto content = plan::planToolchain(named(), "1.0");
  EXPECT_THAT(content.programs, ElementsAre("bin/cuda-cc", "bin/cuda-cc-cc", "bin/cuda-cc-c++",
                                            "bin/nvcc", "bin/g++"));
  ASSERT_EQ(content.entries.size(), 2u);
  EXPECT_EQ(content.entries[0].path, "cuda-cc.facts");
  EXPECT_EQ(content.entries[1].path, "cuda-cc.files");
  auto made = support::MadeFiles::parse(content.entries[1].text);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->fingerprint, content.fingerprint);
  EXPECT_EQ(made->files.count("cuda-cc.facts") + made->files.count("bin/g++"), 2u);
  EXPECT_THAT(content.entries[0].text, HasSubstr("fingerprint\t" + content.name));
}

TEST(PlanToolchain, oneMadeUnseenHasItsCompilersAlone) {
  ToolchainDirectory directory = named();
  directory.anonymous = true;
  auto content = plan::planToolchain(directory, "1.0");
  EXPECT_THAT(content.programs, ElementsAre("bin/nvcc", "bin/g++"));
  ASSERT_EQ(content.entries.size(), 1u);
  EXPECT_THAT(content.entries[0].text, testing::Not(HasSubstr("fingerprint")));
}

TEST(UserCompiler, isThatOfTheVariableOrTheUsualOne) {
  core::Environment environment;
  test::MemoryFiles files;
  std::vector<std::string> kept;
  auto words = [&](llvm::SmallVector<llvm::StringRef, 64> argv) {
    return llvm::join(plan::withUserCompiler(std::move(argv), environment, files, kept), "|");
  };
  EXPECT_EQ(words({"/t/bin/cuda-cc-c++", "-c", "x.cpp"}), "/t/bin/cuda-cc|g++|-c|x.cpp");
  EXPECT_EQ(words({"cuda-cc-cc"}), "cuda-cc|gcc");
  environment.entries = {"CUDA_CC_USER_CXX=ccache g++-12  -g"};
  EXPECT_EQ(words({"/t/bin/cuda-cc-c++", "x.cpp"}), "/t/bin/cuda-cc|ccache|g++-12|-g|x.cpp");
  // cuda-cc as its launcher, as in a link by CMake, also with a cache; no other word.
  EXPECT_EQ(words({"/u/cuda-cc", "cuda-cc-c++", "x.o"}), "/u/cuda-cc|ccache|g++-12|-g|x.o");
  EXPECT_EQ(words({"/u/cuda-cc", "sccache", "cuda-cc-c++", "x.o"}),
            "/u/cuda-cc|sccache|ccache|g++-12|-g|x.o");
  EXPECT_EQ(words({"/u/cuda-cc", "/t/bin/cuda-cc-c++"}), "/u/cuda-cc|/t/bin/cuda-cc-c++");
  EXPECT_EQ(words({"/t/bin/cuda-cc", "g++", "cuda-cc-c++"}), "/t/bin/cuda-cc|g++|cuda-cc-c++");
  EXPECT_EQ(words({"cuda-cc"}), "cuda-cc");
  const plan::UserCompiler *user = plan::UserCompiler::find("/t/bin/cuda-cc-c++");
  EXPECT_EQ(user->compiler(user->words(environment, files)), "g++-12");
  // It would lead back here.
  environment.entries = {"CUDA_CC_USER_CXX=/u/bin/cuda-cc-c++"};
  EXPECT_EQ(words({"/t/bin/cuda-cc-c++"}), "/t/bin/cuda-cc|g++");
  environment.entries = {"CUDA_CC_USER_CXX=ccache /u/bin/cuda-cc-c++"};
  EXPECT_EQ(words({"/t/bin/cuda-cc-c++"}), "/t/bin/cuda-cc|g++");
}

// Quotes are those of sh, as for setuptools and Meson; a path with blanks is one word, as for
// CMake.
TEST(UserCompiler, mayLieInAFolderWithBlanks) {
  core::Environment environment;
  test::MemoryFiles files;
  for (const char *path : {"/my dir/g++", "/it's/g++", "/my dir/a b/ccache"})
    files.program(path);
  auto words = [&](const char *value) {
    environment.entries = {value};
    return plan::UserCompiler::all[1].words(environment, files);
  };
  EXPECT_THAT(words("CUDA_CC_USER_CXX=/my dir/g++"), ElementsAre("/my dir/g++"));
  EXPECT_THAT(words("CUDA_CC_USER_CXX=/it's/g++"), ElementsAre("/it's/g++"));
  EXPECT_THAT(words("CUDA_CC_USER_CXX=/my dir/a b/ccache /my dir/g++ -I/x -DA='b c'"),
              ElementsAre("/my dir/a b/ccache", "/my dir/g++", "-I/x", "-DA=b c"));
  EXPECT_THAT(words("CUDA_CC_USER_CXX='/my dir/g++' \"-DA=\\\"b  c\\\"\" x\\ y '' "),
              ElementsAre("/my dir/g++", "-DA=\"b  c\"", "x y", ""));
  EXPECT_THAT(words("CUDA_CC_USER_CXX=/no dir/g++"), ElementsAre("/no", "dir/g++"));
  EXPECT_THAT(words("CUDA_CC_USER_CXX= "), ElementsAre("g++"));
}
