// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Trust.h"
#include "Trusting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::Trusting;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST_F(Trusting, ownAndRootsFilesCount) { // F12
  EXPECT_THAT(launchers(good()), ElementsAre("ccache (cuda-cc.toml:1)"));
  give("/project", 0);
  give("/project/cuda-cc.toml", 0);
  EXPECT_THAT(launchers(good()), ElementsAre("ccache (cuda-cc.toml:1)"));
}

TEST_F(Trusting, anothersFileInOnesOwnFolder) { // F12
  declare("runtime = 'torch==2.5.1'\nlauncher = ['ccache', 'x']\n", 1001);
  std::string why = refusal();
  EXPECT_THAT(why, HasSubstr("file: /project/cuda-cc.toml"));
  EXPECT_THAT(why, HasSubstr("owner: alice (uid 1001); you are me (uid 1000)"));
  EXPECT_THAT(why, HasSubstr("because: it belongs to alice (uid 1001)"));
  EXPECT_THAT(why, HasSubstr("refused: launcher = ccache in cuda-cc.toml:2:"));
  EXPECT_THAT(why, HasSubstr("refused: launcher = x in cuda-cc.toml:2:"));
  EXPECT_THAT(why, Not(HasSubstr("torch")));
  EXPECT_THAT(why, HasSubstr("fix: cuda-cc trust /project\n"));
  EXPECT_THAT(why, HasSubstr("fix: export CUDA_CC_TRUST=/project"));
  EXPECT_THAT(why, Not(HasSubstr("chmod")));
}

TEST_F(Trusting, aPyprojectIsAFileLikeAnother) { // F12
  ASSERT_TRUE(files.remove("/project/cuda-cc.toml"));
  files.file("/project/pyproject.toml", "[tool.cuda-cc]\nlauncher = 'ccache'\n");
  give("/project/pyproject.toml", 1001);
  EXPECT_THAT(refusal(), HasSubstr("file: /project/pyproject.toml"));
  files.file("/project/pyproject.toml", "[project]\nname = 'x'\n");
  give("/project/pyproject.toml", 1001);
  EXPECT_FALSE(good().declared());
}

TEST_F(Trusting, aFileThatEverybodyCanWrite) { // F12
  test::MemoryFiles::Node &file = declare("launcher = 'ccache'\n");
  file.mode = 0646;
  std::string why = refusal();
  EXPECT_THAT(why, HasSubstr("because: everybody can write to it (mode 0646)"));
  EXPECT_THAT(why, HasSubstr("fix: chmod o-w /project/cuda-cc.toml"));
  file.mode = 0666;
  EXPECT_THAT(refusal(), HasSubstr("fix: chmod go-w /project/cuda-cc.toml"));
  file.owner = 0;
  EXPECT_THAT(refusal(), Not(HasSubstr("chmod")));
  file.mode = 0644;
  good();
}

TEST_F(Trusting, aFolderOfAnotherOrThatOthersCanWrite) { // F12
  test::MemoryFiles::Node &folder = give("/project", 1001);
  EXPECT_THAT(refusal(), HasSubstr("because: its directory belongs to alice (uid 1001)"));
  folder.owner = folder.group = 1000;
  folder.mode = 0777;
  std::string why = refusal();
  EXPECT_THAT(why, HasSubstr("because: everybody can write to its directory (mode 0777)"));
  EXPECT_THAT(why, HasSubstr("fix: chmod go-w /project\n"));
  // Sticky but group-writable: another member may have put a link there.
  folder.mode = 01775;
  folder.group = 2000;
  EXPECT_THAT(refusal(),
              HasSubstr("because: the group devs (gid 2000) can write to its directory"));
}

TEST_F(Trusting, aLinkCountsAsWhatItLeadsTo) { // F12
  files.file("/mnt/theirs.toml", "launcher = 'ccache'\n");
  give("/mnt/theirs.toml", 1001);
  ASSERT_TRUE(files.remove("/project/cuda-cc.toml"));
  files.symlink("/project/cuda-cc.toml", "../mnt/theirs.toml");
  std::string why = refusal();
  EXPECT_THAT(why, HasSubstr("link to: /mnt/theirs.toml"));
  EXPECT_THAT(why, HasSubstr("fix: cuda-cc trust /mnt\n"));
  // Its folder is checked as well.
  give("/mnt/theirs.toml");
  good();
  give("/mnt", 1001);
  EXPECT_THAT(refusal(), HasSubstr("its directory belongs to alice"));
  // Trust in the directory of a link does not include its target, and vice versa.
  variables.push_back("CUDA_CC_TRUST=/project");
  refusal();
  variables.back() = "CUDA_CC_TRUST=/mnt";
  good();
  give("/project", 1001);
  EXPECT_THAT(refusal(), HasSubstr("fix: cuda-cc trust /project\n"));
  variables.back() = "CUDA_CC_TRUST=/mnt:/project";
  good();
}

TEST_F(Trusting, foldersFurtherUpAreNotAsked) { // F12
  files.directory("/shared/app");
  give("/shared", 1001).mode = 0777;
  give("/shared/app");
  files.file("/shared/app/cuda-cc.toml", "launcher = 'ccache'");
  give("/shared/app/cuda-cc.toml");
  files.cwd = "/shared/app";
  EXPECT_EQ(good().launcher.size(), 1u);
}

TEST_F(Trusting, privateGroups) { // F12
  test::MemoryFiles::Node &file = declare("launcher = 'ccache'\n");
  file.mode = 0664;
  give("/project").mode = 02775;
  // Only `me` is in group 1000, and root's group is root.
  good();
  file.group = 0;
  good();
  for (unsigned group : {1001u, 2000u, 2001u, 2002u, 1003u, 4711u}) {
    file.group = group;
    EXPECT_THAT(refusal(), HasSubstr("fix: chmod g-w /project/cuda-cc.toml")) << group;
  }
  EXPECT_THAT(refusal(), HasSubstr("because: the group gid 4711 can write to it (mode 0664)"));
  // Another member, or another account whose primary group it is.
  file.group = 1000;
  files.file("/etc/group", "me:x:1000:me,root\n");
  good();
  files.file("/etc/group", "me:x:1000:me,www\n");
  refusal();
  files.file("/etc/group", "me:x:1000:\n");
  files.file("/etc/passwd", "me:x:1000:1000::/:\nbob:x:1002:1000::/:\n");
  refusal();
  // By its name, if its number differs.
  files.file("/etc/passwd", "me:x:1000:1005::/:\n");
  files.file("/etc/group", "me:x:1005:\n");
  file.group = give("/project").group = 1005;
  good();
  uid = 1002;
  file.owner = files.node("/project")->owner = 1002;
  refusal();
}

TEST_F(Trusting, aPrivateGroupThatNoFileKnows) { // F12
  test::MemoryFiles::Node &file = declare("launcher = 'ccache'\n");
  file.mode = 0664;
  ASSERT_TRUE(files.remove("/etc/passwd") && files.remove("/etc/group"));
  good();
  file.group = 1001;
  refusal();
  file.group = 1000;
  files.file("/etc/group", "me:x:1000:\n");
  files.unreadable.insert("/etc/group");
  refusal();
}

TEST_F(Trusting, whatOnlyRestrictsIsObeyed) { // F12
  declare("runtime = ['torch==2.5.1', 'cuda==12.4', 'driver>=550', 'sm>=80', 'env']\n"
          "enforce = 'toolkit'\nrequire = true\nstrict = true\nseverity = ['CC4102=error', "
          "'CC3001=error']\ntoolkit = 'auto'\nlauncher = 'none'\nlayout = 'wheels'\n"
          "dtags = 'rpath'\nassume-forward-compatibility = false\ndevelop = false\n"
          "manifest = 'always'\n",
          1001);
  give("/project", 1001).mode = 0777;
  Declaration declaration = good();
  EXPECT_EQ(declaration.runtime.size(), 5u);
  EXPECT_TRUE(declaration.require.value);
  EXPECT_TRUE(declaration.strict.value);
}

TEST_F(Trusting, whatDoesMoreIsRefused) { // F12
  for (llvm::StringRef line :
       {"enforce = 'symbols'", "enforce = 'warn'", "enforce = 'off'", "toolkit = 'env'",
        "toolkit = '/x'", "host-compiler = 'g++-11'", "launcher = ['none', 'x']",
        "install-dir = 'pkg'", "layout = 'none'", "layout = 'conda'", "layout = 'system:/x'",
        "dtags = 'runpath'", "facts = 'x'", "severity = ['CC4102=error', 'CC3001=warning']",
        "waive = ['CC3001: x']", "assume-forward-compatibility = true", "develop = true",
        "manifest = 'never'"}) {
    SCOPED_TRACE(line.str());
    declare(line);
    good();
    give("/project/cuda-cc.toml", 1001);
    EXPECT_THAT(refusal(), HasSubstr("refused: " + line.split(' ').first.str() + " = "));
  }
}

// A key without a rule of its own would always be allowed, or never.
TEST_F(Trusting, everyKeyIsDecided) { // F12
  using core::Key;
  for (const core::KeyInfo &row : core::allKeys()) {
    SCOPED_TRACE(row.name.str());
    EXPECT_FALSE(config::onlyRestricts(row.key, row.key == Key::Runtime ? "env:/x" : "/x"));
    EXPECT_FALSE(row.key != Key::Runtime && config::onlyRestricts(row.key, ""));
    llvm::SmallVector<llvm::StringRef, 4> known, restricting;
    row.words.split(known, ' ', -1, false);
    row.restricting.split(restricting, ' ', -1, false);
    for (llvm::StringRef word : restricting)
      EXPECT_TRUE(llvm::is_contained(known, word) || row.fallback == word) << word.str();
  }
}

TEST_F(Trusting, placesAreObeyedWhereOnlyTheUserCanWrite) { // F12
  files.directory("/home/me/venv").file("/home/me/uv.lock").directory("/project/.venv");
  give("/home/me");
  give("/home/me/venv");
  give("/home/me/uv.lock");
  declare("runtime = ['env:/home/me/venv', 'lock:~/uv.lock']\n", 1001);
  EXPECT_EQ(good().runtime.size(), 2u);
  give("/home/me/venv", 1001);
  EXPECT_THAT(refusal(), HasSubstr("refused: runtime = env:/home/me/venv in cuda-cc.toml:1:12: it "
                                   "belongs to alice (uid 1001)"));
  give("/home/me/venv");
  files.node("/home/me/uv.lock")->mode = 0666;
  EXPECT_THAT(refusal(), HasSubstr("lock:~/uv.lock"));
  // In a folder that others can write, the file could be replaced, or a missing one created.
  give("/project", 1001);
  declare("runtime = 'env:.venv'\n", 1001);
  EXPECT_THAT(refusal(), HasSubstr("env:/project/.venv in cuda-cc.toml:1:11: its directory"));
  declare("runtime = 'env:/nowhere'\n", 1001);
  EXPECT_THAT(refusal(), HasSubstr("it does not exist"));
  // In the user's own file they are the user's choice.
  give("/project");
  declare("runtime = 'env:.venv'\n");
  good();
}

TEST_F(Trusting, whatIsOverriddenIsNotAsked) { // F12
  declare("launcher = 'ccache'\nwaive = ['CC3001: x']\n", 1001);
  variables.push_back("CUDA_CC_LAUNCHER=none");
  EXPECT_THAT(refusal(), Not(HasSubstr("launcher")));
  own[Key::Waive] = {"CC3001: mine"};
  EXPECT_EQ(good().waive[0].value.reason, "mine");
}

TEST_F(Trusting, rootTrustsNobodyElse) { // F12
  uid = 0;
  give("/project", 0);
  give("/project/cuda-cc.toml", 1000);
  EXPECT_THAT(refusal(), HasSubstr("owner: me (uid 1000); you are root (uid 0)"));
}

TEST_F(Trusting, trustCostsLittle) { // F12
  declare("runtime = 'torch==2.5.1'\n");
  files.stats = files.reads = 0;
  good();
  // cuda-cc.toml and its folder.
  EXPECT_EQ(files.stats, 2u);
  EXPECT_EQ(files.reads, 1u);
  declare("launcher = 'ccache'\n");
  files.stats = files.reads = 0;
  good();
  // It is a symbolic link; the folder is checked again; and a runtime is looked for above it.
  EXPECT_EQ(files.stats, 6u);
  EXPECT_EQ(files.reads, 1u);
  // With umask 002: the members of the group, queried once.
  files.node("/project/cuda-cc.toml")->mode = 0664;
  files.node("/project")->mode = 0775;
  files.stats = files.reads = 0;
  good();
  EXPECT_EQ(files.stats, 6u);
  EXPECT_EQ(files.reads, 3u);
}
