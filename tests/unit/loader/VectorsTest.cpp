// SPDX-License-Identifier: Apache-2.0
// LS-10 to LS-25 without files; tests/integration/loader-vectors.py compares the same with the real
// loader.
#include "FakeTree.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::LoadedBy;
using test::FakeTree;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = loader::Candidate::Kind;

static const char *notFound =
    "libp.so.13: cannot open shared object file: No such file or directory";

namespace {
struct Vectors : testing::Test {
  FakeTree tree;
  Vectors() {
    for (const char *copy : {"right", "env", "pre"})
      tree.add(std::string("/") + copy + "/libp.so.13");
  }
  FakeTree::Shape needing(std::optional<std::string> rpath, std::optional<std::string> runpath) {
    return {{"libp.so.13"}, std::move(rpath), std::move(runpath), {}};
  }
  std::string p(llvm::StringRef path = "/x/ext.so") {
    return tree.serves("libp.so.13", tree.load(path));
  }
};
} // namespace

TEST_F(Vectors, RpathIsIgnoredBesideRunpath) { // LS-10
  tree.add("/x/ext.so", needing("/right", "/right"));
  EXPECT_EQ(p(), "/right/libp.so.13");
  tree.situation.libraryPath = {"/env"};
  EXPECT_EQ(p(), "/env/libp.so.13");
  tree.add("/x/ext.so", needing("/right", {}));
  EXPECT_EQ(p(), "/right/libp.so.13");
}

TEST_F(Vectors, TheProgramsRpathServesAndItsRunpathDoesNot) { // LS-11
  tree.add("/x/ext.so", needing({}, {}));
  tree.situation.programPath = "/bin/app";
  tree.situation.program = &tree.add("/bin/app", {{}, "$ORIGIN/../right", {}, {}});
  EXPECT_EQ(p(), "/right/libp.so.13");
  tree.situation.program = &tree.add("/bin/app", {{}, {}, "$ORIGIN/../right", {}});
  EXPECT_EQ(p(), notFound);
}

TEST_F(Vectors, ARunpathSwitchesTheChainOff) { // LS-12
  tree.situation.program = &tree.add("/bin/app", {{}, "/right", {}, {}});
  tree.add("/x/ext.so", needing({}, "/nothing"));
  EXPECT_EQ(p(), notFound);
  tree.add("/x/ext.so", needing({}, ""));
  EXPECT_EQ(p(), notFound) << "an empty one too";
  tree.add("/x/ext.so", needing("/nothing", {}));
  EXPECT_EQ(p(), "/right/libp.so.13") << "an RPATH does not";
}

TEST_F(Vectors, ASlashInNeededIsNoSearch) { // LS-13
  tree.add("/x/ext.so", {{"right/libp.so.13"}, "/env", {}, {}});
  auto result = tree.load("/x/ext.so");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.steps[1].path, "right/libp.so.13");
  EXPECT_EQ(result.steps[1].by, LoadedBy::Slash);
  tree.situation.workingDirectory = "/elsewhere";
  EXPECT_EQ(tree.load("/x/ext.so").failure,
            "right/libp.so.13: cannot open shared object file: No such file or directory");
}

TEST_F(Vectors, OriginIsTheDirectoryOfTheLink) { // LS-14
  tree.add("/x/ext.so", needing("$ORIGIN", {}));
  tree.add("/x/libp.so.13");
  tree.link("/y/ext.so", "/x/ext.so");
  EXPECT_EQ(p(), "/x/libp.so.13");
  EXPECT_EQ(p("/y/ext.so"), notFound);
}

TEST_F(Vectors, AnEmptyElementIsTheWorkingDirectory) { // LS-15
  tree.situation.workingDirectory = "/right";
  for (const char *path : {"/a::/b", "/a:", ":/a"}) {
    tree.add("/x/ext.so", needing(path, {}));
    auto result = tree.load("/x/ext.so");
    ASSERT_TRUE(result.ok()) << path;
    EXPECT_EQ(result.steps[1].path, "libp.so.13") << "relative, as the loader spells it";
    EXPECT_EQ(result.steps[1].element, "");
  }
  tree.add("/x/ext.so", needing({}, {}));
  EXPECT_EQ(p(), notFound);
  tree.situation.libraryPath = loader::libraryPath("/a:");
  EXPECT_EQ(p(), "/libp.so.13");
  // If the file is found that way, $ORIGIN is the working directory.
  tree.add("/right/libp.so.13", {{"libq.so"}, "$ORIGIN/sub", {}, {}});
  tree.add("/right/sub/libq.so");
  EXPECT_TRUE(tree.load("/x/ext.so").ok());
}

TEST(LibraryPath, elements) {
  EXPECT_THAT(loader::libraryPath(""), IsEmpty());
  EXPECT_THAT(loader::libraryPath("/a"), ElementsAre("/a"));
  EXPECT_THAT(loader::libraryPath("/a:/b;/c"), ElementsAre("/a", "/b", "/c"));
  EXPECT_THAT(loader::libraryPath("/a:"), ElementsAre("/a", ""));
  EXPECT_THAT(loader::libraryPath(":"), ElementsAre("", ""));
}

TEST_F(Vectors, SubdirectoriesComeFirstInTheirDirectory) { // LS-16
  tree.situation.hwcaps = {"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"};
  tree.add("/x/ext.so", needing("/right:/late", {}));
  tree.add("/late/glibc-hwcaps/x86-64-v2/libp.so.13");
  EXPECT_EQ(p(), "/right/libp.so.13");
  tree.add("/right/glibc-hwcaps/x86-64-v2/libp.so.13");
  EXPECT_EQ(p(), "/right/glibc-hwcaps/x86-64-v2/libp.so.13");
  tree.add("/right/glibc-hwcaps/x86-64-v3/libp.so.13");
  EXPECT_EQ(p(), "/right/glibc-hwcaps/x86-64-v3/libp.so.13");
  EXPECT_THAT(tree.load("/x/ext.so").searched, IsEmpty());
}

TEST_F(Vectors, ForeignFilesAndDanglingLinksArePassedOver) { // LS-17
  tree.add("/x/ext.so", needing("/bad:/right", {}));
  tree.put("/bad/libp.so.13", Kind::Foreign, "wrong ELF class: ELFCLASS32");
  auto result = tree.load("/x/ext.so");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.steps[1].path, "/right/libp.so.13");
  EXPECT_THAT(result.steps[1].skipped, ElementsAre("/bad/libp.so.13: wrong ELF class: ELFCLASS32"));
  tree.put("/bad/libp.so.13", Kind::Absent, loader::DanglingLink);
  EXPECT_EQ(p(), "/right/libp.so.13");
  // Not reported: glibc remembers another class for its message, but not another machine.
  tree.add("/x/ext.so", needing("/bad", {}));
  EXPECT_EQ(p(), notFound);
  tree.put("/bad/libp.so.13", Kind::Foreign, "ELF of machine 183");
  EXPECT_EQ(p(), notFound);
  EXPECT_THAT(tree.load("/x/ext.so").skipped, ElementsAre("/bad/libp.so.13: ELF of machine 183"));
  tree.put("/bad/libp.so.13", Kind::Foreign, "wrong ELF class: ELFCLASS32");
  EXPECT_EQ(p(), "libp.so.13: wrong ELF class: ELFCLASS32");
}

TEST_F(Vectors, WhatIsNoLibraryEndsTheSearch) { // LS-18
  tree.add("/x/ext.so", needing("/bad:/right", {}));
  for (const char *reason :
       {"file too short", "invalid ELF header", "cannot read file data: Is a directory"}) {
    tree.put("/bad/libp.so.13", Kind::Fatal, reason);
    auto result = tree.load("/x/ext.so");
    EXPECT_EQ(result.failure, std::string("/bad/libp.so.13: ") + reason);
    EXPECT_EQ(result.missing, "libp.so.13");
    EXPECT_EQ(result.askedBy, "/x/ext.so");
    EXPECT_THAT(result.searched, ElementsAre("/bad"));
  }
}

TEST_F(Vectors, aLoopOfLinksEndsItsListOnly) {
  tree.add("/x/ext.so", needing("/bad:/right", {}));
  tree.put("/bad/libp.so.13", Kind::Absent, "Too many levels of symbolic links");
  tree.files["/bad/libp.so.13"].blocked = true;
  EXPECT_EQ(p(), notFound);
  tree.situation.libraryPath = {"/env"};
  EXPECT_EQ(p(), "/env/libp.so.13");
  EXPECT_EQ(tree.load("/bad/libp.so.13").failure,
            "/bad/libp.so.13: cannot open shared object file: Too many levels of symbolic links");
}

TEST_F(Vectors, ALoadedSonameIsTaken) { // LS-20
  tree.add("/pre/other.so", {{}, {}, {}, "libp.so.13"});
  tree.add("/x/ext.so", needing("/right", {}));
  ASSERT_TRUE(tree.enter("/pre/other.so").ok());
  auto result = tree.load("/x/ext.so");
  EXPECT_EQ(result.steps[1].by, LoadedBy::AlreadyLoaded);
  EXPECT_EQ(result.steps[1].path, "/pre/other.so");
}

TEST_F(Vectors, TheFileNameAloneIsNoMatch) { // LS-21
  tree.add("/x/ext.so", needing("/right", {}));
  for (const char *soname : {"", "libelse.so.1"}) {
    FakeTree::Shape shape;
    shape.soname = soname;
    tree.add("/pre/libp.so.13", shape);
    tree.situation.present.clear();
    ASSERT_TRUE(tree.enter("/pre/libp.so.13").ok());
    EXPECT_EQ(p(), "/right/libp.so.13");
  }
  // The name by which it was requested is one.
  tree.situation.present.clear();
  tree.add("/x/first.so", needing("/pre", {}));
  ASSERT_TRUE(tree.enter("/x/first.so").ok());
  EXPECT_EQ(p(), "/pre/libp.so.13");
  EXPECT_EQ(tree.load("/x/ext.so").steps[1].by, LoadedBy::AlreadyLoaded);
}

TEST_F(Vectors, TheSameFileIsNotLoadedTwice) { // LS-22
  tree.add("/pre/libq.so", {{}, {}, {}, "libq.so"});
  tree.link("/right/libhard.so", "/pre/libq.so");
  ASSERT_TRUE(tree.enter("/pre/libq.so").ok());
  tree.add("/x/ext.so", {{"libhard.so", "libhard.so"}, "/right", {}, {}});
  auto result = tree.load("/x/ext.so");
  EXPECT_EQ(result.steps[1].by, LoadedBy::SameFile);
  EXPECT_EQ(result.steps[1].path, "/pre/libq.so");
  EXPECT_EQ(result.steps[2].by, LoadedBy::AlreadyLoaded) << "by the name it was found under";
  // Unknown inodes do not match.
  tree.files["/right/libhard.so"].inode = tree.files["/pre/libq.so"].inode = 0;
  tree.situation.present[0].inode = 0;
  EXPECT_EQ(tree.load("/x/ext.so").steps[1].by, LoadedBy::Rpath);
}

TEST_F(Vectors, AnotherSonameInsideIsAccepted) { // LS-23
  tree.add("/ls23/libp.so.13", {{}, {}, {}, "libother.so.1"});
  tree.add("/x/ext.so", {{"libp.so.13", "libother.so.1"}, "/ls23", {}, {}});
  auto result = tree.load("/x/ext.so");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.steps[1].by, LoadedBy::Rpath);
  EXPECT_EQ(result.steps[2].by, LoadedBy::AlreadyLoaded);
}

TEST_F(Vectors, DlopenByNameSearchesAsTheCallerDoes) { // LS-24
  for (bool rpath : {false, true}) {
    FakeTree::Shape caller;
    (rpath ? caller.rpath : caller.runpath) = "/right";
    tree.add("/x/caller.so", caller);
    tree.situation.present.clear();
    tree.situation.libraryPath = {"/env"};
    ASSERT_TRUE(tree.enter("/x/caller.so").ok());
    tree.situation.caller = loader::find(tree.situation, "/x/caller.so");
    ASSERT_TRUE(tree.situation.caller);
    EXPECT_EQ(p("libp.so.13"), rpath ? "/right/libp.so.13" : "/env/libp.so.13");
    tree.situation.caller.reset();
    tree.situation.libraryPath.clear();
    EXPECT_EQ(p("libp.so.13"), notFound) << "the program has no path";
  }
}

TEST_F(Vectors, ATaglessLibraryIsServedByItsLoadersRpath) { // LS-25
  tree.add("/x/libtagless.so");
  for (bool rpath : {false, true}) {
    FakeTree::Shape ext{{"libtagless.so"}, {}, {}, {}};
    (rpath ? ext.rpath : ext.runpath) = "/x:/right";
    tree.add("/x/ext.so", ext);
    tree.situation.present.clear();
    ASSERT_TRUE(tree.enter("/x/ext.so").ok());
    tree.situation.caller = loader::find(tree.situation, "/x/libtagless.so");
    EXPECT_EQ(p("libp.so.13"), rpath ? "/right/libp.so.13" : notFound);
  }
}
