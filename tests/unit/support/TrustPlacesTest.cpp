// SPDX-License-Identifier: Apache-2.0
#include "Trusting.h"
#include "driver/support/Trust.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::Trusting;
using testing::HasSubstr;
using testing::Not;

TEST_F(Trusting, theVariableTrusts) { // F12
  give("/project/cuda-cc.toml", 1001);
  give("/project", 1001).mode = 0777;
  variables.push_back("");
  for (const char *value :
       {"/project", "/x:/project/", "/project/cuda-cc.toml", "/", "/project/a/.."}) {
    variables.back() = std::string("CUDA_CC_TRUST=") + value;
    EXPECT_EQ(good().launcher.size(), 1u) << value;
  }
  for (const char *value : {"", "/proj", "/project/a", "/project2", ":"}) {
    variables.back() = std::string("CUDA_CC_TRUST=") + value;
    refusal();
  }
  variables.back() = "CUDA_CC_TRUST=.:/x";
  std::string why = refusal();
  EXPECT_THAT(why, HasSubstr("CUDA_CC_TRUST: . does not count: it is not absolute"));
  EXPECT_THAT(why, HasSubstr("export CUDA_CC_TRUST=.:/x:/project"));
  // Through a link to it.
  files.symlink("/short", "/project");
  variables.back() = "CUDA_CC_TRUST=/short";
  good();
}

// A search may start in a directory that is named through a symbolic link (audit of a build
// directory).
TEST_F(Trusting, whatIsTrustedIsThePlaceBehindLinks) { // F12
  give("/project/cuda-cc.toml", 1001);
  files.symlink("/theirs", "/project");
  Environment env;
  auto read = [&](llvm::StringRef entry) {
    env.entries = {entry};
    auto declaration = config::readDeclaration({}, env, files, nullptr, uid, "/theirs");
    bool obeyed = bool(declaration);
    llvm::consumeError(declaration.takeError());
    return obeyed;
  };
  EXPECT_TRUE(read("CUDA_CC_TRUST=/project"));
  EXPECT_TRUE(read("CUDA_CC_TRUST=/theirs"));
  EXPECT_FALSE(read("CUDA_CC_TRUST=/theirs/a"));
  // Not by the name of a symbolic link, whose target may change.
  trustedList("/theirs\n");
  EXPECT_FALSE(read("HOME=/home/me"));
  trustedList("/project\n");
  EXPECT_TRUE(read("HOME=/home/me"));
}

TEST_F(Trusting, theListTrusts) { // F12
  give("/project/cuda-cc.toml", 1001);
  trustedList("# mine\n\n/other\n/project\n");
  good();
  trustedList("/other\nproject\n");
  refusal();
  trustedList("/project\n");
  variables.push_back("XDG_CONFIG_HOME=/elsewhere");
  refusal();
  variables.back() = "XDG_CONFIG_HOME=relative";
  good();
  // A symbolic link that replaced the trusted directory is not trusted.
  files.directory("/real");
  give("/real");
  files.file("/real/cuda-cc.toml", "launcher = 'ccache'\n");
  give("/real/cuda-cc.toml", 1001);
  files.cwd = "/real";
  files.symlink("/link", "/real");
  trustedList("/link\n");
  refusal();
}

TEST_F(Trusting, aListThatOthersCanWriteDoesNotCount) { // F12
  give("/project/cuda-cc.toml", 1001);
  trustedList("/project\n");
  test::MemoryFiles::Node &list = *files.node("/home/me/.config/cuda-cc/trust");
  for (unsigned mode : {0602u, 0666u}) {
    list.mode = mode;
    EXPECT_THAT(refusal(), HasSubstr("trust list: /home/me/.config/cuda-cc/trust does not count: "
                                     "everybody can write to it"));
  }
  list.mode = 0664;
  good();
  // The list belongs to root although HOME does not (sudo); its directory belongs to another user.
  list.owner = 0;
  EXPECT_THAT(refusal(), HasSubstr("does not count: it belongs to root"));
  list.owner = 1000;
  give("/home/me/.config/cuda-cc", 1001);
  EXPECT_THAT(refusal(), HasSubstr("does not count: its directory belongs to alice"));
}

TEST_F(Trusting, aSharedFolderIsPassedBy) { // F12
  files.file("/cuda-cc.toml", "runtime = 'cuda==12.1'\n");
  give("/project").mode = 01777;
  config::SearchNotes notes;
  Environment env;
  auto read = [&] {
    notes = {};
    auto declaration = config::readDeclaration({}, env, files, nullptr, uid, "", &notes);
    EXPECT_TRUE(bool(declaration));
    return std::move(*declaration);
  };
  // The declaration above it is used, and the skipped file is reported.
  EXPECT_THAT(runtimes(read()), ElementsAre("cuda==12.1 (/cuda-cc.toml:1)"));
  EXPECT_THAT(notes.passedBy, ElementsAre("/project/cuda-cc.toml"));
  EXPECT_THAT(text(notes.findings()[0]), HasSubstr("file: /project/cuda-cc.toml"));
  // Its content need not be valid, and a pyproject.toml without our table is ignored.
  declare("broken = [");
  files.file("/project/pyproject.toml", "[project]\n");
  read();
  EXPECT_THAT(notes.passedBy, ElementsAre("/project/cuda-cc.toml"));
  files.file("/project/pyproject.toml", "[tool.cuda-cc]\n");
  read();
  EXPECT_THAT(notes.passedBy, ElementsAre("/project/cuda-cc.toml", "/project/pyproject.toml"));
  ASSERT_TRUE(files.remove("/project/pyproject.toml"));
  ASSERT_TRUE(files.remove("/project/cuda-cc.toml"));
  read();
  EXPECT_THAT(notes.passedBy, IsEmpty());
  // Trusted directories are trusted there too.
  declare("launcher = 'ccache'\n", 1001);
  variables.push_back("CUDA_CC_TRUST=/project/cuda-cc.toml");
  EXPECT_EQ(good().launcher.size(), 1u);
}

TEST_F(Trusting, foldersWithoutADeclarationDoNotStopTheSearch) { // F12
  files.cwd = "/project/a/b";
  give("/project/a", 1001);
  EXPECT_EQ(good().launcher.size(), 1u);
  give("/project/a").mode = 01777;
  EXPECT_EQ(good().launcher.size(), 1u);
  give("/project/a").mode = 0777;
  EXPECT_EQ(good().launcher.size(), 1u);
}

TEST_F(Trusting, requireIsSeenWhereTheRestIsRefused) { // F12
  declare("require = true\nlauncher = 'x'\n", 1001);
  config::SearchNotes notes;
  auto declaration = config::readDeclaration({}, {}, files, nullptr, uid, "", &notes);
  ASSERT_FALSE(bool(declaration));
  llvm::consumeError(declaration.takeError());
  EXPECT_TRUE(notes.required);
}
