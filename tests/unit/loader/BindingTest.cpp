// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/binding/Binding.h"
#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace cudacc;
using namespace cudacc::loader;
using core::BindingFailure;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::Exported;

namespace {

/// A process without files: the definitions, needs and imports of its objects, by path.
struct Bindings : testing::Test, loader::Tree {
  std::vector<Mapped> objects;
  std::vector<std::unique_ptr<core::BinaryFacts>> kept;
  std::map<size_t, std::set<std::string>> defined;
  std::map<size_t, std::vector<core::VersionNeed>> versions;
  std::set<size_t> unversioned;
  std::map<std::string, bool> lazy;
  std::vector<std::string> relocations;

  size_t add(const char *name, std::vector<size_t> needs = {},
             std::vector<core::Import> imports = {}) {
    auto facts = std::make_unique<core::BinaryFacts>();
    facts->soname = name;
    facts->imports = std::move(imports);
    Mapped object;
    object.path = object.file = std::string("/l/") + name;
    object.names = {name};
    object.facts = facts.get();
    object.needs = std::move(needs);
    object.isChecked = true;
    kept.push_back(std::move(facts));
    objects.push_back(std::move(object));
    return objects.size() - 1;
  }
  size_t at(llvm::StringRef path) const {
    return llvm::find_if(objects, [&](const Mapped &each) { return each.file == path; }) -
           objects.begin();
  }

  Candidate open(llvm::StringRef, uint16_t) override { return {}; }
  std::optional<std::string> cached(llvm::StringRef, uint16_t) override { return std::nullopt; }
  Exported exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef) override {
    return defined[at(path)].count(symbol.str()) ? Exported::Yes : Exported::No;
  }
  std::optional<bool> versioned(llvm::StringRef path) override {
    return !unversioned.count(at(path));
  }
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef path) override {
    return versions[at(path)];
  }
  std::optional<std::vector<Bound>> order(llvm::StringRef,
                                          llvm::ArrayRef<llvm::StringRef> symbols) override {
    std::vector<Bound> out;
    for (const std::string &name : relocations)
      if (llvm::is_contained(symbols, name))
        out.push_back({name, lazy[name]});
    return out;
  }

  BindingResult bound(size_t root, bool now = true, std::vector<size_t> global = {}) {
    return loader::bind(objects, breadthFirst(objects, root), global, now, *this);
  }
};

core::Import versionedImport(const char *symbol, const char *file) {
  return {symbol, file, file, false};
}
core::Import plainImport(const char *symbol) { return {symbol, "", "", false}; }

} // namespace

TEST_F(Bindings, whatIsDefinedIsBound) { // SY-10
  size_t p = add("libp.so.13");
  size_t ext = add("ext.so", {p}, {versionedImport("wanted", "libp.so.13")});
  defined[p] = {"wanted"};
  relocations = {"wanted"};
  EXPECT_FALSE(bound(ext).failure);
}

TEST_F(Bindings, aMissingSymbolEndsTheLoad) { // SY-11
  size_t p = add("libp.so.13");
  size_t ext = add("ext.so", {p}, {versionedImport("wanted", "libp.so.13"), plainImport("other")});
  relocations = {"other", "wanted"};
  defined[p] = {"other"};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->words, "/l/ext.so: undefined symbol: wanted, version libp.so.13");
  EXPECT_EQ(failure->provider, "/l/libp.so.13");
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Load);
  EXPECT_THAT(failure->missing, ElementsAre("wanted"));
}

TEST_F(Bindings, theFirstRelocationIsNamed) {
  size_t ext = add("ext.so", {}, {plainImport("one"), plainImport("two"), plainImport("unused")});
  relocations = {"two", "one"};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->words, "/l/ext.so: undefined symbol: two");
  EXPECT_THAT(failure->missing, ElementsAre("two", "one"));
}

TEST_F(Bindings, whatNoRelocationNamesIsNeverBound) {
  size_t ext = add("ext.so", {}, {plainImport("unused")});
  EXPECT_FALSE(bound(ext).failure);
}

TEST_F(Bindings, functionsWaitForTheirCall) { // SY-11
  size_t ext = add("ext.so", {}, {plainImport("called")});
  relocations = {"called"};
  lazy["called"] = true;
  auto failure = bound(ext, /*now=*/false).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->ends, BindingFailure::Ends::FirstCall);
  EXPECT_EQ(bound(ext, /*now=*/true).failure->ends, BindingFailure::Ends::Load);
}

TEST_F(Bindings, dataIsBoundBeforeFunctionsAreCalled) {
  size_t ext = add("ext.so", {}, {plainImport("called"), plainImport("data")});
  relocations = {"called", "data"};
  lazy["called"] = true;
  auto failure = bound(ext, /*now=*/false).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->symbol, "data");
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Load);
}

TEST_F(Bindings, whatACallWouldMissHidesNoFailureOfTheLoad) {
  size_t p = add("libp.so", {}, {plainImport("called")});
  size_t ext = add("ext.so", {p}, {plainImport("data")});
  relocations = {"called", "data"};
  lazy["called"] = true;
  auto failure = bound(ext, /*now=*/false).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->symbol, "data");
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Load);
}

TEST_F(Bindings, dependenciesAreBoundFirst) {
  size_t q = add("libq.so", {}, {plainImport("lostByQ")});
  size_t p = add("libp.so", {q}, {plainImport("lostByP")});
  size_t ext = add("ext.so", {p}, {plainImport("lostByExt")});
  relocations = {"lostByExt", "lostByP", "lostByQ"};
  EXPECT_EQ(bound(ext).failure->importer, "/l/libq.so");
}

TEST_F(Bindings, theFileItselfAndWhatItLeadsToIsSearched) {
  size_t p = add("libp.so", {}, {plainImport("ofExt")});
  size_t ext = add("ext.so", {p}, {plainImport("ofOther")});
  size_t other = add("other.so");
  objects[other].isChecked = false;
  defined[ext] = {"ofExt"};
  defined[other] = {"ofOther"};
  relocations = {"ofExt", "ofOther"};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure) << "what was loaded for itself alone is not searched";
  EXPECT_EQ(failure->symbol, "ofOther");
  EXPECT_FALSE(bound(ext, true, {other}).failure) << "RTLD_GLOBAL";
}

TEST_F(Bindings, weakOnesMayBeAbsent) { // SY-5
  size_t ext = add("ext.so", {}, {{"maybe", "", "", true}});
  relocations = {"maybe"};
  EXPECT_FALSE(bound(ext).failure);
}

TEST_F(Bindings, aProviderWithoutVersionsStopsTheProcess) { // SY-14
  size_t p = add("libp.so.13");
  size_t ext = add("ext.so", {p}, {versionedImport("wanted", "libp.so.13")});
  defined[p] = {"wanted"};
  unversioned = {p};
  relocations = {"wanted"};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Process);
  EXPECT_THAT(failure->words, testing::HasSubstr("check_match"));
  size_t weak = add("weak.so", {p}, {{"wanted", "libp.so.13", "libp.so.13", true}});
  failure = bound(weak).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Process);
}

TEST_F(Bindings, glibc241BindsToAProviderWithoutVersions) { // SY-14
  size_t libc = add("libc.so.6"), p = add("libp.so.13");
  size_t ext = add("ext.so", {libc, p}, {versionedImport("wanted", "libp.so.13")});
  defined[p] = {"wanted"};
  unversioned = {p};
  relocations = {"wanted"};
  kept[libc]->definedVersions = {"libc.so.6", "GLIBC_2.2.5", "GLIBC_2.38"};
  EXPECT_TRUE(bound(ext).failure);
  kept[libc]->definedVersions.push_back("GLIBC_2.41");
  EXPECT_FALSE(bound(ext).failure);
}

// The loader asks it only if nothing before it has the symbol.
TEST_F(Bindings, aProviderWithoutVersionsBehindAnotherIsNotAsked) { // SY-14
  size_t program = add("program"), p = add("libp.so.13");
  size_t ext = add("ext.so", {p}, {versionedImport("wanted", "libp.so.13")});
  objects[program].isChecked = false;
  defined[program] = defined[p] = {"wanted"};
  unversioned = {p};
  relocations = {"wanted"};
  EXPECT_FALSE(bound(ext, true, {program}).failure);
  defined[program].clear();
  auto failure = bound(ext, true, {program}).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Process);
}

TEST_F(Bindings, aVersionNeedOfNoLoadedFileStopsTheProcess) { // SY-15
  size_t ext = add("ext.so");
  versions[ext] = {{"libp.so.13", "libp.so.13"}};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Process);
  EXPECT_THAT(failure->words, testing::HasSubstr("`needed != NULL' failed!"));
}

TEST_F(Bindings, versionsAreHeldAgainstWhateverIsLoaded) { // SY-15
  size_t p = add("libp.so.13");
  objects[p].isChecked = false;
  size_t ext = add("ext.so", {}, {versionedImport("wanted", "libp.so.13")});
  versions[ext] = {{"libp.so.13", "libp.so.13"}};
  defined[p] = {"wanted"};
  relocations = {"wanted"};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure) << "symbols only against what the file leads to";
  EXPECT_EQ(failure->words, "/l/ext.so: undefined symbol: wanted, version libp.so.13");
  EXPECT_FALSE(bound(ext, true, {p}).failure);
}

TEST_F(Bindings, aNodeThatIsAbsentIsNotFound) { // SY-13
  size_t p = add("libp.so.1");
  size_t ext = add("ext.so", {p});
  kept[p]->definedVersions = {"V_1"};
  versions[ext] = {{"libp.so.1", "V_1"}, {"libp.so.1", "V_2"}};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->words, "/l/libp.so.1: version `V_2' not found (required by /l/ext.so)");
  versions[ext] = {{"libp.so.1", "V_2", /*isWeak=*/true}};
  EXPECT_FALSE(bound(ext).failure);
  versions[ext] = {{"libp.so.1", "libp.so.1"}};
  EXPECT_FALSE(bound(ext).failure) << "the base version is the SONAME (SY-2)";
  kept[p]->definedVersions.clear();
  versions[ext] = {{"libp.so.1", "V_2"}};
  EXPECT_FALSE(bound(ext).failure) << "without definitions only a word is said (SY-17)";
}

// While a program starts the loader prints which version is absent, and looks for the next.
TEST_F(Bindings, theStartLooksForAllVersions) { // SY-13, SY-15
  size_t program = add("program"), p = add("libp.so.1");
  size_t ext = add("ext", {p});
  objects[program].isChecked = false;
  kept[p]->definedVersions = {"V_1"};
  versions[ext] = {{"libp.so.1", "V_2"}, {"libp.so.1", "V_3"}};
  auto failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->node, "V_2");
  versions[ext].push_back({"libgone.so.1", "V_1"});
  failure = bound(ext).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->ends, BindingFailure::Ends::Process);
  failure = bound(ext, true, {program}).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->node, "V_2") << "dlopen returns at the first";
}

TEST_F(Bindings, anUnknownObjectMayHaveNamesWithoutVersion) {
  size_t unknown = add("libcuda.so.1");
  objects[unknown].facts = nullptr;
  size_t ext = add("ext.so", {unknown}, {plainImport("cuInit")});
  relocations = {"cuInit"};
  BindingResult result = bound(ext);
  EXPECT_FALSE(result.failure);
  EXPECT_THAT(result.unknown, testing::SizeIs(1));
  kept.back()->imports = {versionedImport("wanted", "libp.so.13")};
  relocations = {"wanted"};
  EXPECT_TRUE(bound(ext).failure) << "a node of another library is none of its";
}

// A library that cannot be read is not reported as lacking the symbol.
TEST_F(Bindings, anUnreadLibraryMayHaveItsOwnNode) {
  size_t p = add("libp.so.13"), q = add("libq.so.1");
  objects[p].facts = nullptr;
  relocations = {"p1", "q1"};
  size_t ext = add("ext.so", {p, q}, {versionedImport("p1", "libp.so.13")});
  BindingResult result = bound(ext);
  EXPECT_FALSE(result.failure);
  EXPECT_THAT(result.unknown, ElementsAre("whether something in the process defines p1"));
  size_t other = add("other.so", {p, q}, {versionedImport("q1", "libq.so.1")});
  EXPECT_TRUE(bound(other).failure) << "of another library it has none";
}

TEST_F(Bindings, orderIsThatOfADepthFirstSearch) {
  size_t a = add("a"), b = add("b"), c = add("c", {a});
  size_t ext = add("ext", {a, c, b});
  EXPECT_THAT(breadthFirst(objects, ext), ElementsAre(ext, a, c, b));
  EXPECT_THAT(sorted(objects, breadthFirst(objects, ext)), ElementsAre(ext, c, a, b));
}

TEST_F(Bindings, cyclesEnd) {
  size_t a = add("a"), b = add("b", {a});
  objects[a].needs = {b};
  size_t ext = add("ext", {a});
  objects[b].needs.push_back(ext);
  EXPECT_THAT(sorted(objects, breadthFirst(objects, ext)), testing::SizeIs(3));
  EXPECT_EQ(sorted(objects, breadthFirst(objects, ext)).front(), ext);
}
