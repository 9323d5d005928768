// SPDX-License-Identifier: Apache-2.0
#include "FakeTree.h"
#include "driver/loader/search/Expansion.h"
#include <gmock/gmock.h>

using namespace cudacc;
using core::LoadedBy;
using test::FakeTree;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = loader::Candidate::Kind;

static std::string expanded(llvm::StringRef text) {
  return loader::expand(text, {"/o", "lib/tuple", "haswell", false, {}});
}

TEST(Tokens, areWholeNamesWithBracesOrWithout) {
  EXPECT_EQ(expanded("$ORIGIN/../lib"), "/o/../lib");
  EXPECT_EQ(expanded("${ORIGIN}/lib"), "/o/lib");
  EXPECT_EQ(expanded("/x/$LIB/${PLATFORM}"), "/x/lib/tuple/haswell");
  EXPECT_EQ(expanded("$ORIGIN$ORIGIN"), "/o/o");
  for (const char *other : {"$ORIGINAL", "$ORIGIN_", "$ORIGIN1", "${ORIGIN", "$origin", "$", "$$",
                            "${ORIGINAL}", "plain"}) {
    EXPECT_EQ(expanded(other), other);
    EXPECT_FALSE(loader::hasTokens(other)) << other;
  }
  EXPECT_TRUE(loader::hasTokens("a$$LIB"));
}

TEST(Tokens, elementsBesideTheObject) {
  std::vector<std::string> prefixes;
  for (const loader::Directory &each : loader::besideOrigin(
           {"$ORIGIN", "${ORIGIN}/../lib", "/abs", "lib", "$ORIGINAL/x", "$LIB/x"}, "/o"))
    prefixes.push_back(each.prefix);
  EXPECT_THAT(prefixes, ElementsAre("/o/", "/o/../lib/"));
}

TEST(Tokens, withoutAValueMakeTheElementUseless) {
  EXPECT_EQ(loader::expand("$ORIGIN/x", {"", "l", "p", false, {}}), "");
  EXPECT_EQ(loader::expand("/x", {"", "", "", false, {}}), "/x");
  std::string many;
  for (int i = 0; i < 100'000; ++i)
    many += "$ORIGIN";
  EXPECT_EQ(loader::expand(many, {std::string(4000, 'o'), "", "", false, {}}), "") << "bounded";
}

TEST(Tokens, withPrivilegesOnlyAtTheStartAndInTrustedDirectories) {
  std::vector<std::string> trusted{"/lib", "/usr/lib"};
  auto secure = [&](llvm::StringRef text, llvm::StringRef origin) {
    return loader::expand(text, {origin, "l", "p", true, trusted});
  };
  EXPECT_EQ(secure("$ORIGIN/x", "/usr/lib"), "/usr/lib/x");
  EXPECT_EQ(secure("$ORIGIN", "/usr/lib/y"), "/usr/lib/y");
  EXPECT_EQ(secure("$ORIGIN/../../home", "/usr/lib"), "");
  EXPECT_EQ(secure("$ORIGIN/x", "/home"), "");
  EXPECT_EQ(secure("/x/$ORIGIN", "/usr/lib"), "");
  EXPECT_EQ(secure("$ORIGINx", "/usr/lib"), "$ORIGINx");
  EXPECT_EQ(secure("/anywhere", "/home"), "/anywhere");
}

TEST(Search, secureLooksAtNoLibraryPath) {
  FakeTree tree;
  tree.add("/env/libp.so");
  tree.add("/x/ext.so", {{"libp.so"}, {}, {}, {}});
  tree.situation.libraryPath = {"/env"};
  EXPECT_TRUE(tree.load("/x/ext.so").ok());
  tree.situation.secure = true;
  EXPECT_THAT(tree.load("/x/ext.so").failure, HasSubstr("libp.so: cannot open"));
  tree.add("/x/ext.so", {{"$ORIGIN/libp.so"}, {}, {}, {}});
  EXPECT_EQ(tree.load("/x/ext.so").failure,
            "$ORIGIN/libp.so: DST not allowed in SUID/SGID programs");
}

TEST(Search, orderOfAllLists) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"liba.so"}, "/own:$ORIGIN", {}, {}});
  tree.add("/x/liba.so", {{"libp.so"}, "/a", {}, {}});
  tree.situation.program = &tree.add("/bin/app", {{}, "$ORIGIN/../app", {}, {}});
  tree.situation.programPath = "/bin/app";
  tree.situation.libraryPath = {"/env"};
  tree.cache["libp.so"] = "/cache/libp.so";
  auto result = tree.load("/x/ext.so");
  EXPECT_EQ(result.failure, "libp.so: cannot open shared object file: No such file or directory");
  EXPECT_EQ(result.missing, "libp.so");
  EXPECT_EQ(result.askedBy, "/x/liba.so");
  EXPECT_THAT(result.searched,
              ElementsAre("/a", "/own", "/x", "/bin/../app", "/env", "/lib/x86_64-linux-gnu",
                          "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"));
  struct Place {
    const char *path;
    LoadedBy by;
    const char *element, *owner;
  };
  for (auto [path, by, element, owner] :
       {Place{"/usr/lib/libp.so", LoadedBy::Default, "/usr/lib", ""},
        Place{"/cache/libp.so", LoadedBy::Cache, "", ""},
        Place{"/env/libp.so", LoadedBy::LibraryPath, "/env", ""},
        Place{"/app/libp.so", LoadedBy::Rpath, "$ORIGIN/../app", "/bin/app"},
        Place{"/x/libp.so", LoadedBy::Rpath, "$ORIGIN", "/x/ext.so"},
        Place{"/own/libp.so", LoadedBy::Rpath, "/own", "/x/ext.so"},
        Place{"/a/libp.so", LoadedBy::Rpath, "/a", "/x/liba.so"}}) {
    tree.add(path);
    auto step = tree.load("/x/ext.so").steps.back();
    EXPECT_EQ(FakeTree::normal(step.path), path);
    EXPECT_EQ(step.by, by) << path;
    EXPECT_EQ(step.element, element) << path;
    EXPECT_EQ(step.elementOf, owner) << path;
    EXPECT_EQ(step.askedBy, "/x/liba.so");
  }
}

TEST(Search, runpathIsNotInherited) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"liba.so"}, {}, "$ORIGIN:/own", {}});
  tree.add("/x/liba.so", {{"libp.so"}, {}, {}, {}});
  tree.add("/own/libp.so");
  EXPECT_FALSE(tree.load("/x/ext.so").ok());
  tree.add("/x/ext.so", {{"liba.so"}, "$ORIGIN:/own", {}, {}});
  EXPECT_TRUE(tree.load("/x/ext.so").ok());
}

TEST(Search, noDefaultDirectories) {
  FakeTree tree;
  core::BinaryFacts &ext = tree.add("/x/ext.so", {{"libp.so"}, {}, {}, {}});
  tree.add("/usr/lib/libp.so");
  tree.cache["libp.so"] = "/usr/lib/libp.so";
  EXPECT_EQ(tree.load("/x/ext.so").steps.back().by, LoadedBy::Cache);
  ext.noDefaultDirectories = true;
  EXPECT_EQ(tree.load("/x/ext.so").failure, "libp.so: cannot open shared object file")
      << "nothing was tried, so errno is that of the file opened before";
  tree.cache["libp.so"] = "/opt/libp.so";
  tree.add("/opt/libp.so");
  EXPECT_EQ(tree.load("/x/ext.so").steps.back().path, "/opt/libp.so");
}

TEST(Search, breadthFirstEachOnceAndCyclesEnd) {
  FakeTree tree;
  tree.add("/l/liba.so", {{"libb.so", "libc.so"}, "/l", {}, {}});
  tree.add("/l/libb.so", {{"libd.so", "liba.so"}, {}, {}, {}});
  tree.add("/l/libc.so", {{"libe.so", "libc.so"}, {}, {}, {}});
  tree.add("/l/libd.so", {{"libe.so"}, {}, {}, {}});
  tree.add("/l/libe.so");
  std::vector<std::string> loaded;
  for (const core::LoadStep &step : tree.load("/l/liba.so").steps)
    if (step.by != LoadedBy::AlreadyLoaded)
      loaded.push_back(step.path);
  EXPECT_THAT(loaded,
              ElementsAre("/l/liba.so", "/l/libb.so", "/l/libc.so", "/l/libd.so", "/l/libe.so"));
}

TEST(Search, whatIsDlopenedHasNoLoader) {
  FakeTree tree;
  tree.add("/x/caller.so", {{}, "/x:/right", {}, {}});
  tree.add("/x/plain.so", {{"libp.so"}, {}, {}, {}});
  tree.add("/right/libp.so");
  ASSERT_TRUE(tree.enter("/x/caller.so").ok());
  tree.situation.caller = loader::find(tree.situation, "/x/caller.so");
  EXPECT_THAT(tree.load("plain.so").failure, HasSubstr("libp.so: cannot open"));
  EXPECT_TRUE(tree.load("libp.so").ok());
}

TEST(Search, aRootThatIsLoadedIsNotLookedFor) {
  FakeTree tree;
  tree.add("/x/libp.so");
  ASSERT_TRUE(tree.enter("/x/libp.so").ok());
  tree.tried.clear();
  auto result = tree.load("libp.so");
  ASSERT_EQ(result.steps.size(), 1u);
  EXPECT_EQ(result.steps[0].by, LoadedBy::AlreadyLoaded);
  EXPECT_THAT(tree.tried, IsEmpty());
}

TEST(Search, theLoaderItselfIsAlwaysThere) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"ld-linux-x86-64.so.2"}, {}, {}, {}});
  EXPECT_TRUE(tree.load("/x/ext.so").ok());
  ASSERT_TRUE(loader::setMachine(tree.situation, 183));
  EXPECT_FALSE(tree.load("/x/ext.so").ok());
  tree.add("/x/ext.so", {{"ld-linux-aarch64.so.1"}, {}, {}, {}});
  EXPECT_TRUE(tree.load("/x/ext.so").ok());
  EXPECT_FALSE(loader::setMachine(tree.situation, 243));
}

TEST(Search, programsAreStartedAndNotOpened) {
  FakeTree tree;
  core::BinaryFacts &app = tree.add("/bin/app", {{"libp.so"}, {}, "$ORIGIN/../right", {}});
  app.isPie = true;
  tree.add("/right/libp.so");
  EXPECT_EQ(tree.load("/bin/app").failure,
            "/bin/app: cannot dynamically load position-independent executable");
  tree.situation.program = &app;
  tree.situation.programPath = "/bin/app";
  auto result = tree.start();
  ASSERT_TRUE(result.ok()) << result.failure;
  EXPECT_EQ(result.steps[0].by, LoadedBy::Root);
  EXPECT_EQ(result.steps[0].path, "/bin/app");
  EXPECT_EQ(result.steps[1].askedBy, "");
  EXPECT_EQ(result.steps[1].elementOf, "/bin/app");
  app.needed.push_back("libq.so");
  EXPECT_EQ(tree.start().failure,
            "libq.so: cannot open shared object file: No such file or directory");
}

TEST(Search, whatIsPreloadedIsOpenedBeforeWhatTheProgramNeeds) {
  FakeTree tree;
  core::BinaryFacts &app = tree.add("/bin/app", {{"libp.so"}, {}, "$ORIGIN/../right", {}});
  tree.situation.program = &app;
  tree.situation.programPath = "/bin/app";
  tree.add("/right/libp.so");
  tree.add("/right/libpre.so", {{"libp.so", "libq.so"}, {}, "/own", {}}).noDlopen = true;
  tree.add("/own/libp.so");
  tree.add("/own/libq.so");
  auto result = tree.start({"libnone.so", "libpre.so"});
  ASSERT_TRUE(result.ok()) << result.failure;
  EXPECT_EQ(result.preloaded, 1u);
  std::vector<std::string> paths;
  for (const core::LoadStep &step : result.steps)
    paths.push_back(step.path);
  // The program's search path serves the name, and what it NEEDs precedes what the library NEEDs.
  EXPECT_THAT(paths, ElementsAre("/bin/app", "/bin/../right/libpre.so", "/bin/../right/libp.so",
                                 "/bin/../right/libp.so", "/own/libq.so"));
  tree.files.erase("/own/libq.so");
  EXPECT_EQ(tree.start({"libpre.so"}).failure,
            "libq.so: cannot open shared object file: No such file or directory");
}

TEST(Search, executablesAndNoopenAreSaidOfTheNameAskedFor) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"libapp.so"}, "/x", {}, {}});
  tree.put("/x/libapp.so", Kind::Fatal, "cannot dynamically load executable");
  tree.files["/x/libapp.so"].namesRequest = true;
  EXPECT_EQ(tree.load("/x/ext.so").failure, "libapp.so: cannot dynamically load executable");
  tree.add("/x/libapp.so").noDlopen = true;
  EXPECT_EQ(tree.load("/x/ext.so").failure, "libapp.so: shared object cannot be dlopen()ed");
}

// A fact that cannot be determined is reported, and the rest continues.
TEST(Search, unknownFactsAreClauses) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"libp.so", "libq.so"}, "/x", {}, {}});
  tree.put("/x/libp.so", Kind::Unreadable, "no permission to read it");
  tree.add("/x/libq.so");
  auto result = tree.load("/x/ext.so");
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.unknown, ElementsAre("/x/libp.so: no permission to read it"));
  EXPECT_EQ(result.steps.size(), 3u);
}

TEST(Search, aProgramWithoutAPlaceHasNoOrigin) {
  FakeTree tree;
  tree.situation.program = &tree.add("/bin/app", {{}, "$ORIGIN/../right", {}, {}});
  tree.add("/x/ext.so", {{"libp.so"}, {}, {}, {}});
  EXPECT_THAT(tree.load("/x/ext.so").unknown, ElementsAre(HasSubstr("where the program lies")));
  tree.situation.programPath = "/bin/app";
  EXPECT_THAT(tree.load("/x/ext.so").unknown, IsEmpty());
}

TEST(Search, tokensInNeeded) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"$ORIGIN/sub/libp.so", "$PLATFORM.so"}, "/x", {}, {}});
  tree.add("/x/sub/libp.so");
  tree.add("/x/x86_64.so");
  auto result = tree.load("/x/ext.so");
  ASSERT_TRUE(result.ok()) << result.failure;
  EXPECT_EQ(result.steps[1].path, "/x/sub/libp.so");
  EXPECT_EQ(result.steps[2].path, "/x/x86_64.so");
}

TEST(Search, duplicateDirectoriesAreSearchedOnce) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"libp.so"}, "/a:/a/:/a//:$ORIGIN:/x", {}, {}});
  auto result = tree.load("/x/ext.so");
  EXPECT_EQ(result.searched.front(), "/a");
  EXPECT_EQ(result.searched[1], "/x");
  EXPECT_EQ(result.searched[2], "/lib/x86_64-linux-gnu");
}

// Hostile sizes are limited: many names, many directories, both, an endless chain.
TEST(Bounds, hundredThousandNames) {
  FakeTree tree;
  FakeTree::Shape shape;
  shape.rpath = "/l";
  for (int i = 0; i < 100'000; ++i)
    shape.needed.push_back("lib" + std::to_string(i % 50'000) + ".so");
  tree.add("/x/ext.so", shape);
  for (int i = 0; i < 50'000; ++i)
    tree.add("/l/lib" + std::to_string(i) + ".so");
  auto result = tree.load("/x/ext.so");
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.unknown, IsEmpty());
  EXPECT_EQ(result.steps.size(), 100'001u);
}

TEST(Bounds, chainOfLoaders) {
  FakeTree tree;
  for (int i = 0; i < 2'000; ++i)
    tree.add("/l/lib" + std::to_string(i) + ".so",
             {{"lib" + std::to_string(i + 1) + ".so"}, "/l", {}, {}});
  tree.add("/l/lib2000.so");
  EXPECT_TRUE(tree.load("/l/lib0.so").ok());
}

TEST(Bounds, manyNamesInManyDirectories) {
  core::BinaryFacts file;
  file.hasRpath = true;
  for (int i = 0; i < 5'000; ++i)
    file.rpath.push_back("/none" + std::to_string(i));
  for (int i = 0; i < 2'000; ++i)
    file.needed.push_back("lib" + std::to_string(i) + ".so");
  struct Endless : FakeTree {
    const core::BinaryFacts &file;
    uint64_t opened = 0;
    explicit Endless(const core::BinaryFacts &file) : file(file) {}
    loader::Candidate open(llvm::StringRef path, uint16_t) override {
      ++opened;
      loader::Candidate found;
      if (path.starts_with("/usr/lib/") || path == "/x/ext.so")
        found.kind = Kind::Good;
      if (path == "/x/ext.so")
        found.facts = &file;
      return found;
    }
  } tree(file);
  auto result = loader::load("/x/ext.so", loader::Situation(), tree);
  EXPECT_TRUE(result.ok());
  EXPECT_LE(tree.opened, 1u << 20);
  EXPECT_THAT(result.unknown, Contains(HasSubstr("more directories than are followed")));
  EXPECT_THAT(result.unknown, Contains(HasSubstr("files would have to be looked for")));
}

TEST(Bounds, namesBeyondTheLimitAreUnknown) {
  FakeTree tree;
  FakeTree::Shape shape;
  shape.needed.assign(1 << 18, "libp.so");
  shape.rpath = "/l";
  tree.add("/x/ext.so", shape);
  tree.add("/l/libp.so");
  auto result = tree.load("/x/ext.so");
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.unknown, ElementsAre(HasSubstr("names would have to be followed")));
}

TEST(Bounds, aSituationThatMakesNoSense) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"libp.so"}, {}, {}, {}});
  tree.situation.caller = 7;
  loader::Situation::Present round;
  round.path = "/x/round.so";
  round.loader = 0;
  tree.situation.present.push_back(round);
  tree.situation.caller = 0;
  EXPECT_FALSE(tree.load("libp.so").ok());
  EXPECT_THAT(tree.load("/x/ext.so").searched, Not(IsEmpty()));
}
// A file that is found first and cannot be mapped ends the search: the next one is not tried.
TEST(Unloadable, endsTheSearchAndIsNamed) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"libp.so"}, "/bad:/good", {}, {}});
  tree.add("/good/libp.so");
  loader::Candidate bad;
  bad.kind = Kind::Fatal;
  bad.reason = "failed to map segment from shared object";
  bad.namesRequest = true;
  bad.detail = "here";
  bad.package = "p==1";
  tree.files["/bad/libp.so"] = bad;
  auto result = tree.load("/x/ext.so");
  EXPECT_EQ(result.failure, "libp.so: failed to map segment from shared object");
  EXPECT_EQ(result.unloadable, "/bad/libp.so");
  EXPECT_EQ(result.detail, "here");
  EXPECT_EQ(result.package, "p==1");
  EXPECT_FALSE(result.endsProcess);
  tree.files["/bad/libp.so"].endsProcess = true;
  EXPECT_TRUE(tree.load("/x/ext.so").endsProcess);
}

TEST(Unloadable, whatMayNotBeReadIsPassedOver) {
  FakeTree tree;
  tree.add("/x/ext.so", {{"libp.so"}, "/bad:/good", {}, {}});
  tree.add("/good/libp.so");
  loader::Candidate bad;
  bad.reason = "Permission denied";
  bad.detail = "mode 0600, of user 0, group 0";
  tree.files["/bad/libp.so"] = bad;
  auto result = tree.load("/x/ext.so");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.steps.back().path, "/good/libp.so");
  EXPECT_THAT(result.steps.back().skipped,
              ElementsAre("/bad/libp.so: Permission denied, mode 0600, of user 0, group 0"));
  tree.files.erase("/good/libp.so");
  result = tree.load("/x/ext.so");
  EXPECT_TRUE(result.unloadable.empty());
  EXPECT_THAT(result.skipped, testing::SizeIs(1));
}

TEST(Unloadable, debugInformationAlone) {
  FakeTree tree;
  tree.add("/x/ext.so").lacksDynamic = true;
  EXPECT_EQ(tree.load("/x/ext.so").failure, "/x/ext.so: object file has no dynamic section");
  EXPECT_EQ(tree.load("/x/ext.so").unloadable, "/x/ext.so");
}
