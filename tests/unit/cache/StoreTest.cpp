// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/Store.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr unsigned user = 1000, other = 1001;
const std::string data = "/home/u/.local/share", root = data + "/cuda-cc/1",
                  fallback = "/tmp/cuda-cc-1000";

/// A user's HOME, and a TMPDIR that all users share.
struct StoreTest : testing::Test {
  test::MemoryFiles files;
  std::vector<std::string> variables = {"HOME=/home/u"};
  unsigned uid = user;

  StoreTest() {
    files.user = user;
    files.directory("/tmp", 01777);
    files.directory("/home/u").node("/home/u")->owner = user;
  }
  Environment env() {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    return env;
  }
  /// Path at which a file with that content is found or written.
  std::string keep(const std::string &content = "content") {
    Environment environment = env();
    cache::Store store(environment, files, uid);
    while (auto place = store.place())
      if (PlannedFile file{*place + "/notes/n", content}; store.provide(file))
        return file.path;
    return "";
  }
  /// Path at which a directory with a program is found or made.
  std::string directory(unsigned modeInHome = 0755) {
    Environment environment = env();
    PlannedDirectory planned;
    planned.entries = {{"cuda-cc.facts", "facts", TreeEntry::Kind::File}};
    planned.programs = {"bin/g++"};
    auto make = [&] {
      if (llvm::Error error = files.write(planned.path + "/cuda-cc.facts", "facts"))
        return error;
      bool isHome = llvm::StringRef(planned.path).starts_with(data);
      return files.write(planned.path + "/bin/g++", "cuda-cc", isHome ? modeInHome : 0755);
    };
    cache::Store store(environment, files, uid);
    while (auto place = store.place()) {
      planned.path = *place + "/directories/d";
      if (store.provide(planned, make))
        return planned.path;
    }
    return "";
  }
  /// The cached root of nvcc, or "read".
  std::string toolkit() {
    Environment environment = env();
    auto found = cache::Store(environment, files, uid).toolkit("/usr/bin/nvcc", [&] {
      Toolkit fresh;
      fresh.nvcc = "/usr/bin/nvcc";
      fresh.root = "read";
      fresh.inputs = {files.stat("/usr/bin/nvcc").id};
      return llvm::Expected<Toolkit>(std::move(fresh));
    });
    return llvm::cantFail(std::move(found)).root;
  }
  std::vector<std::string> refused() {
    Environment environment = env();
    std::vector<std::string> texts;
    for (const Fact &fact : cache::Store(environment, files, uid).refusedPlaces())
      texts.push_back(fact.text);
    return texts;
  }
  void own(const std::string &path, unsigned owner, unsigned mode) {
    test::MemoryFiles::Node *node = files.node(path);
    ASSERT_TRUE(node) << path;
    node->owner = node->group = owner;
    node->mode = mode;
  }
};

TEST_F(StoreTest, keepsInHome) {
  EXPECT_EQ(keep(), root + "/notes/n");
  EXPECT_EQ(files.node(root)->mode, 0755u);
  EXPECT_EQ(keep(), root + "/notes/n");
  variables = {"HOME=/home/u", "XDG_DATA_HOME=/home/u/data"};
  EXPECT_EQ(keep(), "/home/u/data/cuda-cc/1/notes/n");
  variables = {"HOME=/home/u", "XDG_DATA_HOME=data"};
  EXPECT_EQ(keep(), root + "/notes/n");
  variables = {};
  EXPECT_EQ(keep(), fallback + "/notes/n");
  EXPECT_EQ(files.node(fallback)->mode, 0700u);
  EXPECT_THAT(refused(), ElementsAre());
}

// A container or a sandbox names a HOME that is not there. Nothing is created in its place.
TEST_F(StoreTest, aHomeThatDoesNotExistIsNone) { // F21
  uid = files.user = 0;
  for (std::string home : {"/nonexistent", "/home/nobody"}) {
    variables = {"HOME=" + home};
    EXPECT_EQ(keep(), "/tmp/cuda-cc-0/notes/n");
    EXPECT_FALSE(files.stat(home).exists());
  }
  files.other("/dev/null");
  variables = {"HOME=/dev/null"};
  EXPECT_EQ(keep(), "/tmp/cuda-cc-0/notes/n");
  files.directory("/home/nobody");
  variables = {"HOME=/home/nobody"};
  EXPECT_EQ(keep(), "/home/nobody/.local/share/cuda-cc/1/notes/n");
  // A folder of data is created, as the XDG specification says.
  variables = {"HOME=/nonexistent", "XDG_DATA_HOME=/home/nobody/data"};
  EXPECT_EQ(keep(), "/home/nobody/data/cuda-cc/1/notes/n");
  EXPECT_FALSE(files.stat("/nonexistent").exists());
  variables = {"HOME=/nonexistent", "TMPDIR=/nowhere"};
  EXPECT_EQ(keep(), "");
  EXPECT_FALSE(files.stat("/nowhere").exists());
}

// As in a HOME that is mounted noexec, from the start or later.
TEST_F(StoreTest, programsLieWhereTheyCanBeStarted) {
  EXPECT_EQ(directory(0644), fallback + "/directories/d");
  EXPECT_EQ(directory(0644), fallback + "/directories/d");
  files.remove(root + "/directories/d/bin/g++");
  files.remove(root + "/directories/d/cuda-cc.facts");
  files.remove(root + "/directories/d/bin");
  files.remove(root + "/directories/d");
  EXPECT_EQ(directory(), root + "/directories/d");
  files.node(root + "/directories/d/bin/g++")->mode = 0644;
  EXPECT_EQ(directory(), fallback + "/directories/d");
}

// nvcc's lists, its sh, its device compiler, options that map paths.
TEST_F(StoreTest, placesThatCompilersCannotNameAreNotUsed) {
  for (std::string name : {"a b", "\xc3\xbc", "a#&;b"}) {
    files.directory("/home/" + name).node("/home/" + name)->owner = user;
    variables = {"HOME=/home/" + name};
    EXPECT_EQ(keep(), "/home/" + name + "/.local/share/cuda-cc/1/notes/n");
  }
  for (std::string name : {"a$b", "a'b", "a\"b", "a\\b", "a`b", "a,b", "a=b", "a\nb", "\xff"}) {
    files.directory("/home/" + name).node("/home/" + name)->owner = user;
    variables = {"HOME=/home/" + name};
    EXPECT_EQ(keep(), fallback + "/notes/n") << name;
    ASSERT_EQ(refused().size(), 1u) << name;
    EXPECT_THAT(refused().front(), HasSubstr("/home/" + name));
  }
}

// Each directory of the path, owned by another user or writable by others.
TEST_F(StoreTest, placesThatOthersCanWriteAreNotUsed) {
  for (std::string place : {root, data + "/cuda-cc", data})
    for (auto [owner, mode, isGood] :
         std::vector<std::tuple<unsigned, unsigned, bool>>{{user, 0755, true},
                                                           {user, 0700, true},
                                                           {0, 0755, true},
                                                           {other, 0755, false},
                                                           {user, 0777, false},
                                                           {user, 0757, false},
                                                           {0, 0777, false},
                                                           {other, 01777, false}}) {
      files.directory(root);
      for (const std::string &each : {root, data + "/cuda-cc", data})
        own(each, user, 0755);
      for (const std::string &each : {root, fallback})
        files.remove(each + "/notes/n");
      own(place, owner, mode);
      std::string what = place + " " + std::to_string(owner) + " " + std::to_string(mode);
      EXPECT_EQ(keep(), (isGood ? root : fallback) + "/notes/n") << what;
      EXPECT_EQ(bool(files.node(root + "/notes/n")), isGood) << what;
      EXPECT_EQ(refused().size(), isGood ? 0u : 1u) << what;
      if (!isGood)
        EXPECT_THAT(refused().front(), HasSubstr(place)) << what;
    }
}

TEST_F(StoreTest, aStickyFolderKeepsNamesFromOthers) {
  variables = {"XDG_DATA_HOME=/tmp"};
  EXPECT_EQ(keep(), "/tmp/cuda-cc/1/notes/n");
  own("/tmp", 0, 0777);
  files.remove("/tmp/cuda-cc/1/notes/n");
  EXPECT_EQ(keep(), fallback + "/notes/n");
}

// umask 002: the group has no other member.
TEST_F(StoreTest, theUsersOwnGroupMayWrite) {
  files.directory("/proc/self");
  keep();
  for (auto [group, processes, isGood] : std::vector<std::tuple<unsigned, unsigned, bool>>{
           {user, user, true}, {other, other, false}, {user, other, false}, {100, 100, false}}) {
    own(root, user, 0775);
    files.node(root)->group = group;
    files.node("/proc/self")->group = processes;
    EXPECT_EQ(keep(), (isGood ? root : fallback) + "/notes/n") << group << " " << processes;
  }
  files.node(root)->group = user;
  files.remove("/proc/self");
  EXPECT_EQ(keep(), fallback + "/notes/n") << "what cannot be asked does not hold";
}

TEST_F(StoreTest, aLinkIsAsGoodAsItsTarget) {
  files.file("/disk/u/cuda-cc/1/notes/n", "content").symlink(data, "/disk/u");
  own("/disk/u", user, 0755);
  EXPECT_EQ(keep(), root + "/notes/n");
  own("/disk/u", other, 0755);
  EXPECT_EQ(keep(), fallback + "/notes/n");
}

// HOME may be that of the user who called sudo.
TEST_F(StoreTest, rootWritesNothingIntoAUsersHome) {
  uid = 0;
  files.user = 0;
  EXPECT_EQ(keep(), "/tmp/cuda-cc-0/notes/n");
  EXPECT_FALSE(files.node("/home/u/.local"));
  // The user's store belongs to another user.
  files.directory(root);
  own(data + "/cuda-cc", user, 0755);
  own(root, user, 0755);
  files.remove("/tmp/cuda-cc-0/notes/n");
  EXPECT_EQ(keep(), "/tmp/cuda-cc-0/notes/n");
  EXPECT_FALSE(files.node(root + "/notes"));
}

TEST_F(StoreTest, aStoreOfRootsIsUsed) {
  files.file(root + "/notes/n", "content");
  EXPECT_EQ(keep(), root + "/notes/n");
  files.readOnly = {root};
  EXPECT_EQ(keep("other"), fallback + "/notes/n");
}

// F21: the one in TMPDIR belongs to the user alone.
TEST_F(StoreTest, theFallbackIsTheUsersAlone) {
  variables = {};
  for (auto [owner, mode] : std::vector<std::pair<unsigned, unsigned>>{
           {other, 0700}, {0, 0700}, {user, 0777}, {user, 0770}}) {
    files.directory(fallback, mode);
    own(fallback, owner, mode);
    files.node(fallback)->group = other;
    EXPECT_EQ(keep(), "") << owner << " " << mode;
    EXPECT_EQ(refused().size(), 1u);
  }
  files.remove(fallback);
  files.directory("/elsewhere").symlink(fallback, "/elsewhere");
  own("/elsewhere", user, 0700);
  EXPECT_EQ(keep(), "");
  EXPECT_THAT(refused(), ElementsAre(fallback + " is a link"));
}

// Whoever may not read a file today may tomorrow, though it has not changed.
TEST_F(StoreTest, nothingThatWasFoundWithoutADeniedFileIsKept) {
  files.program("/usr/bin/nvcc", "nvcc");
  auto isRead = [&](size_t denied) {
    Environment environment = env();
    bool asked = false;
    auto read = [&] {
      asked = true;
      files.denied += denied;
      Toolkit fresh;
      fresh.nvcc = "/usr/bin/nvcc";
      fresh.inputs = {files.stat("/usr/bin/nvcc").id};
      return llvm::Expected<Toolkit>(std::move(fresh));
    };
    llvm::cantFail(cache::Store(environment, files, uid).toolkit("/usr/bin/nvcc", read));
    return asked;
  };
  EXPECT_TRUE(isRead(1));
  EXPECT_TRUE(isRead(0));
  EXPECT_FALSE(isRead(0));
}

// Another user's link to a folder of this user, gone when it is looked at again.
TEST(Store, aLinkThatIsGoneInTheNextMomentIsOne) {
  struct Vanishing : test::MemoryFiles {
    std::optional<std::string> readLink(llvm::StringRef) override { return std::nullopt; }
  } files;
  files.user = user;
  files.directory("/tmp", 01777).directory("/mine", 0700).symlink("/tmp/cuda-cc-1000", "/mine");
  files.node("/mine")->owner = user;
  core::Environment environment;
  environment.entries = {"TMPDIR=/tmp"};
  cache::Store store(environment, files, user);
  EXPECT_FALSE(store.provide(core::PlannedFile{"/tmp/cuda-cc-1000/notes/n", "x"}));
  EXPECT_FALSE(files.node("/mine/notes"));
}

TEST_F(StoreTest, aFileOfSomebodyElseIsNeitherUsedNorReplaced) {
  std::string path = keep();
  for (auto [owner, mode] :
       std::vector<std::pair<unsigned, unsigned>>{{other, 0644}, {user, 0666}, {user, 0664}}) {
    files.file(path, "content", mode);
    own(path, owner, mode);
    files.node(path)->group = other;
    EXPECT_EQ(keep(), fallback + "/notes/n") << owner << " " << mode;
    EXPECT_EQ(files.node(path)->content, "content");
    EXPECT_EQ(files.node(path)->owner, owner);
  }
  // The folder that contains it.
  files.remove(path);
  own(root + "/notes", other, 0755);
  EXPECT_EQ(keep(), fallback + "/notes/n");
  EXPECT_FALSE(files.node(path));
}

TEST_F(StoreTest, aFallbackInsideTheFirstPlaceIsOneOfItsOwn) {
  variables = {"HOME=/home/u", "TMPDIR=" + root + "/tmp"};
  files.directory(root + "/tmp");
  files.readOnly = {root + "/notes/n", root + "/tmp/cuda-cc-1000/notes/n"};
  EXPECT_EQ(keep(), "");
  files.readOnly.erase(root + "/tmp/cuda-cc-1000/notes/n");
  EXPECT_EQ(keep(), root + "/tmp/cuda-cc-1000/notes/n");
}

TEST_F(StoreTest, contentDecidesAndTheUsersOwnIsWrittenAnew) {
  std::string path = keep();
  for (const char *damaged : {"", "conten", "c0ntent", "content and more"}) {
    files.file(path, damaged);
    own(path, user, 0644);
    EXPECT_EQ(keep(), path);
    EXPECT_EQ(files.node(path)->content, "content");
  }
  // A symbolic link may have been made by anyone.
  files.remove(path);
  files.file("/home/u/mine", "mine").symlink(path, "/home/u/mine");
  own("/home/u/mine", user, 0644);
  EXPECT_EQ(keep(), fallback + "/notes/n");
  EXPECT_EQ(files.node("/home/u/mine")->content, "mine");
  // A file of root is not replaced.
  files.remove(path);
  files.remove(fallback + "/notes/n");
  files.file(path, "older");
  EXPECT_EQ(keep(), fallback + "/notes/n");
  EXPECT_EQ(files.node(path)->content, "older");
  // Nor is anything that is not a file.
  files.remove(path);
  files.remove(fallback + "/notes/n");
  files.directory(path);
  EXPECT_EQ(keep(), fallback + "/notes/n");
}

TEST_F(StoreTest, directoriesWithTheirCompilers) {
  std::string path = root + "/directories/d";
  EXPECT_EQ(directory(), path);
  EXPECT_EQ(directory(), path);
  for (const std::string &part :
       {path, path + "/bin", path + "/bin/g++", path + "/cuda-cc.facts", root + "/directories"}) {
    auto *node = files.node(part);
    ASSERT_TRUE(node) << part;
    test::MemoryFiles::Node before = *node;
    node->owner = other;
    EXPECT_EQ(directory(), fallback + "/directories/d") << part;
    *node = before;
    node->mode |= 002;
    EXPECT_EQ(directory(), fallback + "/directories/d") << part;
    *node = before;
    EXPECT_EQ(directory(), path) << part;
  }
  // An incomplete one is not changed.
  files.node(path + "/cuda-cc.facts")->content = "other";
  EXPECT_EQ(directory(), fallback + "/directories/d");
  EXPECT_EQ(files.node(path + "/cuda-cc.facts")->content, "other");
}

TEST_F(StoreTest, keptFactsOfSomebodyElseAreReadAnew) {
  files.program("/usr/bin/nvcc", "nvcc");
  EXPECT_EQ(toolkit(), "read");
  auto names = files.list(root + "/toolkits");
  ASSERT_EQ(names.size(), 1u);
  std::string path = root + "/toolkits/" + names[0];
  std::string planted = files.node(path)->content;
  planted.replace(planted.find("read"), 4, "kept");
  files.node(path)->content = planted;
  EXPECT_EQ(toolkit(), "kept") << "the test knows what is kept";
  for (auto [owner, mode] :
       std::vector<std::pair<unsigned, unsigned>>{{other, 0644}, {user, 0666}}) {
    own(path, owner, mode);
    EXPECT_EQ(toolkit(), "read") << owner;
    EXPECT_EQ(files.node(path)->content, planted) << "left as it is";
    files.remove(fallback + "/toolkits/" + names[0]);
  }
  own(path, user, 0644);
  own(data + "/cuda-cc", other, 0755);
  EXPECT_EQ(toolkit(), "read");
}

// The cost of an ordinary compile: three queries about the root, then one per folder and file.
TEST_F(StoreTest, asksTheDiskLittle) {
  keep();
  files.program("/usr/bin/nvcc", "nvcc");
  toolkit();
  Environment environment = env();
  cache::Store store(environment, files, uid);
  files.stats = files.reads = 0;
  PlannedFile file{root + "/notes/n", "content"};
  EXPECT_EQ(store.place(), root);
  EXPECT_TRUE(store.provide(file));
  EXPECT_EQ(files.stats, 4u);
  EXPECT_EQ(files.reads, 1u);
  EXPECT_TRUE(store.provide(file));
  EXPECT_EQ(files.stats, 5u);
}

// Facts that were read are written when the call continues, not before.
TEST_F(StoreTest, keepsFactsLaterWhenAsked) {
  files.program("/usr/bin/nvcc", "nvcc");
  Environment environment = env();
  cache::Store store(environment, files, uid, cache::Store::Keep::Later);
  auto read = [&] {
    Toolkit fresh;
    fresh.nvcc = "/usr/bin/nvcc";
    fresh.root = "read";
    fresh.inputs = {files.stat("/usr/bin/nvcc").id};
    fresh.inputs[0].path = "/usr/bin/nvcc";
    return fresh;
  };
  llvm::cantFail(store.toolkit("/usr/bin/nvcc", read));
  EXPECT_FALSE(files.stat(root).exists());
  store.writeKept();
  EXPECT_TRUE(files.stat(root + "/toolkits").exists());
}

} // namespace
