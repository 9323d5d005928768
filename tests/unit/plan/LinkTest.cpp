// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Link.h"
#include "tests/unit/plan/Calls.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::plan;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

namespace {
struct Linking : testing::Test {
  core::Invocation call = callOf({"-shared", "a.o", "-lnvJitLink"});
  core::Declaration declaration;
  LinkParts parts;

  core::Plan plan() {
    parts.call = &call;
    parts.declaration = &declaration;
    parts.command.program = "/usr/bin/g++";
    parts.command.argv = {"g++"};
    return planLink(parts);
  }
};
} // namespace

// R16, R17, LK-15: the object itself, the path as one prefix, a build-id.
TEST_F(Linking, addsEverythingInFront) {
  parts.noteObject = "/s/n.cuda-cc-note";
  parts.searchPath = {"$ORIGIN/../a", "$ORIGIN/a"};
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-Wl,--build-id", "-Xlinker", "/s/n.cuda-cc-note",
                          "-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/../a:$ORIGIN/a", "-shared",
                          "a.o", "-lnvJitLink"));
}

TEST_F(Linking, buildIdOfTheCallerStays) {
  parts.noteObject = "/s/n.cuda-cc-note";
  call.givesBuildId = true;
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-Xlinker", "/s/n.cuda-cc-note", "-shared", "a.o", "-lnvJitLink"));
}

// R17: only once; V14, V15: an element of the caller stays at its place.
TEST_F(Linking, anElementThatIsThereIsNotAddedAgain) {
  parts.searchPath = {"$ORIGIN/../a", "$ORIGIN/a"};
  call.rpaths = {"/x", "$ORIGIN/../a"};
  EXPECT_THAT(plan().command.argv.strings(), Contains("-Wl,-rpath,$ORIGIN/a"));
}

// V14, V15: CMake removes the elements it added, and a system folder may be among them. Relative
// elements are always ours.
TEST_F(Linking, anAbsoluteElementInABuildByCMakeIsAddedAllTheSame) {
  parts.searchPath = {"/cuda/lib64"};
  call.rpaths = {"/cuda/lib64", ""};
  EXPECT_THAT(plan().command.argv.strings(), Not(Contains("-Wl,-rpath,/cuda/lib64")));
  declaration.layout.value.kind = core::Layout::System;
  EXPECT_THAT(plan().command.argv.strings(), Contains("-Wl,-rpath,/cuda/lib64"));
  call.rpaths = {"/cuda/lib64", "/x"};
  EXPECT_THAT(plan().command.argv.strings(), Not(Contains("-Wl,-rpath,/cuda/lib64")));
}

// R41: a default is placed before the caller's flags, a declared choice after them.
TEST_F(Linking, dtags) {
  parts.searchPath = {"$ORIGIN/a"};
  EXPECT_EQ(plan().command.argv[1], "-Wl,--disable-new-dtags");
  declaration.dtags = {core::Dtags::Runpath, {}};
  EXPECT_EQ(plan().command.argv.back(), "-Wl,--enable-new-dtags");
  EXPECT_THAT(plan().command.argv.strings(), Not(Contains("-Wl,--disable-new-dtags")));
  call.danglingOption = true;
  EXPECT_EQ(plan().command.argv[1], "-Wl,--enable-new-dtags");
}

// LS-3, T1.
TEST_F(Linking, coupledLibrariesAreBracketed) {
  parts.needed = {"/n/libnvJitLink.so.12"};
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-Wl,--push-state,--no-as-needed", "-Xlinker",
                          "/n/libnvJitLink.so.12", "-Wl,--pop-state", "-shared", "a.o",
                          "-lnvJitLink"));
}

TEST_F(Linking, staticLinksGetNoSearchPath) {
  parts.searchPath = {"$ORIGIN/a"};
  parts.needed = {"/n/libx.so.1"};
  call.staticLink = true;
  EXPECT_THAT(plan().command.argv.strings(), ElementsAre("g++", "-shared", "a.o", "-lnvJitLink"));
}

// RP-3: a library that has only its SONAME is passed by path, for both forms of `-l X`.
TEST_F(Linking, versionedLibraryIsPassedByPath) {
  core::LinkedLibrary library;
  library.word = 2;
  library.path = "/w/libnvJitLink.so.12";
  library.byPathOnly = true;
  parts.libraries = library;
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-shared", "a.o", "-Xlinker", "/w/libnvJitLink.so.12"));
  call = callOf({"a.o", "-l", "nvJitLink"});
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "a.o", "-Xlinker", "/w/libnvJitLink.so.12"));
}

// A library inside a -Wl, list: the rest of the list stays.
TEST_F(Linking, anItemOfAListIsReplacedAlone) {
  core::LinkedLibrary library;
  library.word = 1;
  library.spelled = "-lcusparse";
  library.path = "/w/libcusparse.so.12";
  library.byPathOnly = library.shared = true;
  parts.libraries = library;
  call = callOf({"a.o", "-Wl,--version-script=v.map,-lcusparse"});
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "a.o", "-Wl,--version-script=v.map,/w/libcusparse.so.12"));
  for (const char *list : {"-Wl,-z,defs,-l,cusparse", "-Wl,-z,defs,--library=cusparse",
                           "-Wl,-z,defs,--library,cusparse"}) {
    call = callOf({"a.o", list});
    EXPECT_THAT(plan().command.argv.strings(),
                ElementsAre("g++", "a.o", "-Wl,-z,defs,/w/libcusparse.so.12"));
  }
  call = callOf({"-Xlinker", "-lcusparse"});
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-Xlinker", "/w/libcusparse.so.12"));
  call = callOf({"-Xlinker", "cusparse"});
  EXPECT_THAT(plan().command.argv.strings(), ElementsAre("g++", "-Xlinker", "cusparse"));
}

// Behind clang's `--` every word is an input.
TEST_F(Linking, nothingIsPutBehindTheEndOfOptions) {
  declaration.dtags = {core::Dtags::Runpath, {}};
  call = callOf({"-o", "x", "--", "x.o"});
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-Wl,--enable-new-dtags", "-o", "x", "--", "x.o"));
}

TEST_F(Linking, pathWithCommaGoesThroughXlinker) {
  parts.searchPath = {"/a,b"};
  EXPECT_THAT(plan().command.argv.strings(),
              ElementsAre("g++", "-Wl,--disable-new-dtags", "-Xlinker", "-rpath", "-Xlinker",
                          "/a,b", "-shared", "a.o", "-lnvJitLink"));
}

// ld checks the dependencies of a program's libraries; those of a shared library may stay
// undefined.
TEST_F(Linking, programFindsWhatItsLibrariesNeed) {
  using Kind = core::LinkInput::Kind;
  parts.linkFolders = {"/td/lib64"};
  auto last = [&] { return plan().command.argv.strings().back(); };
  call = callOf({"main.o", "x"});
  call.linkInputs = {{Kind::File, "main.o", 0, false}};
  EXPECT_EQ(last(), "x") << "nothing that could need more";
  for (core::LinkInput library : {core::LinkInput{Kind::File, "./ext.so", 1, false},
                                  core::LinkInput{Kind::Library, "ext", 1, false}}) {
    call.linkInputs = {library};
    EXPECT_EQ(last(), "-Wl,-rpath-link,/td/lib64");
  }
  call.danglingOption = true;
  EXPECT_EQ(last(), "x") << "would be its value";
  call.danglingOption = false;
  call.shared = true;
  EXPECT_EQ(last(), "x");
  call.shared = false;
  call.staticLink = true;
  EXPECT_EQ(last(), "x");
  call.staticLink = false;
  parts.linkFolders = {};
  EXPECT_EQ(last(), "x");
}

// R40; libtool takes every argument that ends in .o for one of its objects.
TEST_F(Linking, ourObjectIsRecognised) {
  EXPECT_FALSE(noteObjectSuffix.ends_with(".o"));
  EXPECT_FALSE(carriesNote(call));
  call.linkInputs.push_back({core::LinkInput::Kind::File, "/s/1.cuda-cc-note", 0, false});
  EXPECT_TRUE(carriesNote(call));
}
