// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Toolchain.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/RealFiles.h"
#include "tests/support/MemoryFiles.h"
#include "tests/unit/run/Scratch.h"
#include <atomic>
#include <gmock/gmock.h>
#include <thread>

using namespace cudacc;
using core::TreeEntry;
using testing::ElementsAre;

static TreeEntry file(const char *path, const char *text) {
  return {path, text, TreeEntry::Kind::File};
}

/// The content of the directory with its list of files.
static run::DirectoryContent listed(std::vector<TreeEntry> entries) {
  std::string list = support::MadeFiles::of(entries, {}, "").serialise();
  entries.push_back(file(support::MadeFiles::name.data(), list.c_str()));
  return {entries};
}

/// Replaced by a directory without a list; the old one has none either, so only \p old is known.
static llvm::Error replaceWith(core::Files &files, llvm::StringRef path, const char *text,
                               std::vector<TreeEntry> old) {
  return run::replaceDirectory(files, path, {{file("facts", text)}},
                               support::MadeFiles::of(old, {}, ""));
}

TEST(Toolchain, isMadeWholeWithCopiesThatCarryTheFingerprint) {
  Scratch scratch;
  run::RealFiles files;
  std::string self = scratch.path + "/self";
  ASSERT_FALSE(bool(files.write(self, "program", 0755)));
  std::string path = scratch.path + "/store/abc";
  ASSERT_FALSE(bool(run::makeDirectory(
      files, path, {{file("facts", "text")}, {"bin/nvcc", "bin/g++"}, self, "-print"})));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/bin/g++", 100)), "program-print");
  EXPECT_EQ(files.stat(path + "/bin/g++").id.inode, files.stat(path + "/bin/nvcc").id.inode);
  EXPECT_TRUE(files.executable(path + "/bin/nvcc"));
  EXPECT_THAT(files.list(scratch.path + "/store"), ElementsAre("abc"));
}

// Two processes make the same directory: the second takes the first one's.
TEST(Toolchain, aDirectoryThatIsThereIsKept) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{file("facts", "1")}})));
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{file("facts", "2")}})));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "1");
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

TEST(Toolchain, leavesNothingBehindWhenItCannotBeMade) {
  Scratch scratch;
  run::RealFiles files;
  llvm::Error error =
      run::makeDirectory(files, scratch.path + "/abc",
                         {{file("facts", "1")}, {"bin/x"}, scratch.path + "/no-such-program"});
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
  EXPECT_THAT(files.list(scratch.path), ElementsAre());
}

TEST(Toolchain, linksAreMadeAsTheySay) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(
      files, path,
      {{{"lib64/libx.so", "libx.so.1"}, {"lib", "lib64"}, file("lib64/libx.so.1", "")}})));
  EXPECT_EQ(files.readLink(path + "/lib64/libx.so"), "libx.so.1");
  EXPECT_TRUE(files.stat(path + "/lib/libx.so").exists());
}

TEST(Toolchain, isReplacedWholeAndTheOldOneIsGone) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  run::DirectoryContent content{{file("facts", "1"), file("old", "")}};
  content.readOnly = true;
  ASSERT_FALSE(bool(run::makeDirectory(files, path, content)));
  auto old = support::MadeFiles::of(content.entries, {}, "").namesOnly();
  content.entries = {file("facts", "2")};
  ASSERT_FALSE(bool(run::replaceDirectory(files, path, content, old)));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "2");
  EXPECT_THAT(files.list(path), ElementsAre("facts"));
  EXPECT_EQ(files.stat(path + "/facts").mode & 0777u, 0444u);
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

TEST(Toolchain, theOldOneStaysWhereTheNewOneCannotBeMade) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(files, path, {{file("facts", "1")}})));
  llvm::Error error = run::replaceDirectory(
      files, path, {{file("facts", "2")}, {"bin/x"}, scratch.path + "/no-such-program"}, {});
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
  EXPECT_EQ(llvm::cantFail(files.read(path + "/facts", 100)), "1");
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
}

// Concurrent builds: each one's directory exists for a time, and one always exists.
TEST(Toolchain, severalReplaceItAtOnce) {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/abc";
  ASSERT_FALSE(bool(run::makeDirectory(files, path, listed({file("facts", "0")}))));
  std::atomic<int> failed = 0, missing = 0;
  std::atomic<bool> ended = false;
  auto replace = [&](const char *text) {
    for (int i = 0; i < 40; ++i)
      if (llvm::Error error =
              run::replaceDirectory(files, path, listed({file("facts", text)}), {})) {
        llvm::consumeError(std::move(error));
        ++failed;
      }
  };
  std::thread reader([&] {
    while (!ended)
      missing += !files.stat(path).exists();
  });
  std::thread first(replace, "1"), second(replace, "2"), third(replace, "3");
  first.join();
  second.join();
  third.join();
  ended = true;
  reader.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(missing, 0);
  EXPECT_THAT(files.list(scratch.path), ElementsAre("abc"));
  EXPECT_TRUE(run::findForeignFiles(files, path, {}).empty());
}

/// A file system that cannot exchange names, on which other processes recreate the path first.
struct Contended : test::MemoryFiles {
  int others = 0;
  /// The suffix of names that cannot be renamed.
  std::string refused = "none";
  llvm::Error rename(llvm::StringRef from, llvm::StringRef to) override {
    if (from.ends_with(refused))
      return core::makeError(core::Code::CannotWrite, "cannot write " + to.str());
    if (to != "/td" || others-- <= 0)
      return MemoryFiles::rename(from, to);
    file("/td/facts", "1");
    return core::makeError(core::Code::CannotWrite, "cannot write " + to.str());
  }
};

TEST(Toolchain, isReplacedWhereNamesCannotBeExchanged) {
  for (int others : {0, 1, 3}) {
    Contended files;
    files.others = others;
    files.file("/td/facts", "1").file("/td/old");
    ASSERT_FALSE(bool(replaceWith(files, "/td", "2", {file("facts", "1"), file("old", "")})));
    EXPECT_EQ(llvm::cantFail(files.read("/td/facts", 100)), "2");
    EXPECT_THAT(files.list("/td"), ElementsAre("facts"));
    EXPECT_THAT(files.list("/"), ElementsAre("td"));
  }
}

TEST(Toolchain, theOldOneComesBackWhereTheNewOneCannotBePutThere) {
  Contended files;
  files.refused = ".tmp";
  files.file("/td/facts", "1");
  llvm::Error error = replaceWith(files, "/td", "2", {file("facts", "1")});
  EXPECT_TRUE(bool(error));
  llvm::consumeError(std::move(error));
  EXPECT_EQ(llvm::cantFail(files.read("/td/facts", 100)), "1");
  EXPECT_THAT(files.list("/"), ElementsAre("td"));
}

// cuda-cc of a toolchain directory makes another one: its own trailer is not copied.
TEST(Toolchain, aTrailerIsNotCopied) {
  Scratch scratch;
  run::RealFiles files;
  std::string self = scratch.path + "/self";
  for (const char *program : {"program", "programmark:11"}) {
    ASSERT_FALSE(bool(files.write(self, program, 0755)));
    std::string path = scratch.path + "/" + std::string(program).substr(7) + "d";
    ASSERT_FALSE(bool(run::makeDirectory(files, path, {{}, {"bin/nvcc"}, self, "mark:22"})));
    EXPECT_EQ(llvm::cantFail(files.read(path + "/bin/nvcc", 100)), "programmark:22");
  }
}

/// A directory with a list, and the changes that a user made to it.
struct Foreign : testing::Test {
  Scratch scratch;
  run::RealFiles files;
  std::string path = scratch.path + "/td";
  run::DirectoryContent content;
  void SetUp() override {
    std::string self = scratch.path + "/self";
    ASSERT_FALSE(bool(files.write(self, "program", 0755)));
    content.entries = {file("activate", "sh"), {"lib64/libx.so", "libx.so.1"}, {"lib", "lib64"}};
    content.programs = {"bin/nvcc", "bin/g++"};
    auto made = support::MadeFiles::of(content.entries, content.programs, "mark:22");
    content.entries.push_back(file(support::MadeFiles::name.data(), made.serialise().c_str()));
    content.self = self;
    content.trailer = "mark:22";
    content.readOnly = true;
    ASSERT_FALSE(bool(run::makeDirectory(files, path, content)));
  }
  void write(const char *name, const char *text = "mine") {
    ASSERT_FALSE(bool(files.write(path + "/" + name, text, 0644)));
  }
  void relink(const char *name, const char *target) {
    files.remove(path + "/" + name);
    ASSERT_FALSE(bool(files.makeSymlink(path + "/" + name, target)));
  }
};

TEST_F(Foreign, nothingIsWhereNothingWasDone) {
  auto found = run::findForeignFiles(files, path, {});
  EXPECT_THAT(found.added, ElementsAre());
  EXPECT_THAT(found.changed, ElementsAre());
  files.remove(path + "/activate");
  EXPECT_TRUE(run::findForeignFiles(files, path, {}).empty()) << "what is gone is nobody's";
}

TEST_F(Foreign, whatWasAddedIsNamed) {
  write("note");
  write("bin/mytool");
  write("share/mine/deep");
  relink("lib64/liby.so", "/x/liby.so");
  ASSERT_FALSE(bool(files.makeDirectories(path + "/lib64/empty", 0755)));
  EXPECT_THAT(run::findForeignFiles(files, path, {}).added,
              ElementsAre("bin/mytool", "lib64/empty/", "lib64/liby.so", "note", "share/"));
}

TEST_F(Foreign, whatWasChangedIsNamed) {
  write("activate");
  write("bin/g++", "#!/bin/sh\n");
  relink("lib64/libx.so", "libx.so.2");
  files.remove(path + "/lib");
  write("lib");
  EXPECT_THAT(run::findForeignFiles(files, path, {}).changed,
              ElementsAre("activate", "bin/g++", "lib", "lib64/libx.so"));
}

TEST_F(Foreign, aFolderThatBecameALinkIsNotEntered) {
  ASSERT_FALSE(bool(files.rename(path + "/lib64", scratch.path + "/elsewhere")));
  relink("lib64", "../elsewhere");
  EXPECT_THAT(run::findForeignFiles(files, path, {}).changed, ElementsAre("lib64"));
}

// Without a list, an existing name that would be made now is ours if it cannot be written.
TEST_F(Foreign, withoutAListNamesCount) {
  auto known = support::MadeFiles::of(content.entries, content.programs, "").namesOnly();
  files.remove(path + "/cuda-cc.files");
  EXPECT_TRUE(run::findForeignFiles(files, path, known).empty());
  write("bin/g++");
  write("bin/mytool");
  auto found = run::findForeignFiles(files, path, known);
  EXPECT_THAT(found.added, ElementsAre("bin/mytool"));
  EXPECT_THAT(found.changed, ElementsAre("bin/g++"));
  write("cuda-cc.files", "damaged");
  EXPECT_THAT(run::findForeignFiles(files, path, known).added, ElementsAre("bin/mytool"));
}

// A file that was added while the new directory was made is still there.
TEST_F(Foreign, whatCameMeanwhileStays) {
  write("bin/mytool");
  write("activate");
  llvm::Error error = run::replaceDirectory(files, path, content, {});
  ASSERT_TRUE(bool(error));
  core::Finding finding = core::toFinding(std::move(error));
  EXPECT_EQ(finding.code, core::Code::ForeignFiles);
  EXPECT_EQ(finding.facts[1].label, "it lies in");
  const std::string &old = finding.facts[1].text;
  EXPECT_THAT(files.list(old), ElementsAre("activate", "bin"));
  EXPECT_EQ(llvm::cantFail(files.read(old + "/bin/mytool", 100)), "mine");
  EXPECT_TRUE(run::findForeignFiles(files, path, {}).empty());
}
