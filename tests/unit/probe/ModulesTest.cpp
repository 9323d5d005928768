#include "driver/probe/Modules.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::test;
using probe::findModule;
using probe::isModuleName;
using probe::modulesIn;

namespace {
struct Modules : testing::Test {
  MemoryFiles files;
  std::vector<std::string> sites{"/a", "/b"};
  std::string found(const char *name, const char *python = "python3.11") {
    return findModule(sites, name, python, files).value_or("");
  }
};
} // namespace

TEST_F(Modules, thisPythonsSuffixGoesFirst) {
  files.file("/b/pkg/_C.cpython-310-x86_64-linux-gnu.so")
      .file("/b/pkg/_C.cpython-311-x86_64-linux-gnu.so")
      .file("/b/pkg/_C.abi3.so")
      .file("/b/pkg/_C.so");
  EXPECT_EQ(found("pkg._C"), "/b/pkg/_C.cpython-311-x86_64-linux-gnu.so");
  EXPECT_EQ(found("pkg._C", "python3.12"), "/b/pkg/_C.abi3.so");
}

TEST_F(Modules, thePathIsSearchedInOrder) {
  files.file("/b/ext.so").file("/a/ext.abi3.so");
  EXPECT_EQ(found("ext"), "/a/ext.abi3.so");
}

TEST_F(Modules, aPackageGoesBeforeAModuleOfItsName) {
  files.file("/a/ext.so").file("/a/ext/__init__.abi3.so");
  EXPECT_EQ(found("ext"), "/a/ext/__init__.abi3.so");
}

TEST_F(Modules, othersAreNone) {
  files.file("/a/ext.py")
      .file("/a/ext.txt.so")
      .file("/a/extra.so")
      .file("/a/ext.cpython-311-x86_64-linux-musl.so");
  EXPECT_EQ(found("ext"), "");
}

TEST_F(Modules, threadsWithoutLockHaveTheirOwnSuffix) {
  files.file("/a/ext.cpython-313t-x86_64-linux-gnu.so");
  EXPECT_EQ(found("ext", "python3.13"), "/a/ext.cpython-313t-x86_64-linux-gnu.so");
  EXPECT_EQ(found("ext", "python3.1"), "");
}

TEST_F(Modules, thoseOfAPackage) {
  files.file("/a/pkg/__init__.py")
      .file("/a/pkg/_C.abi3.so")
      .file("/a/pkg/lib.so")
      .file("/a/pkg/b.so");
  EXPECT_THAT(modulesIn(sites, "pkg", "python3.11", files),
              testing::ElementsAre("/a/pkg/_C.abi3.so", "/a/pkg/b.so"));
  EXPECT_THAT(modulesIn(sites, "none", "python3.11", files), testing::IsEmpty());
}

TEST(ModuleNames, areDottedWords) {
  for (const char *name : {"torch", "pkg._C", "a.b2.c"})
    EXPECT_TRUE(isModuleName(name)) << name;
  for (const char *name :
       {"", "ext.so", "libx.so.1", "a/b", "a..b", ".a", "a-b", "2a", "a.", "a b"})
    EXPECT_FALSE(isModuleName(name)) << name;
}

TEST_F(Modules, everyBinaryOfAPackageIsFound) {
  files.file("/b/pkg/_C.cpython-311-x86_64-linux-gnu.so")
      .file("/b/pkg/_C.cpython-310-x86_64-linux-gnu.so")
      .file("/b/pkg/__init__.py")
      .file("/b/pkg/sub/deep/ext.abi3.so")
      .file("/b/pkg/lib/libpkg.so")
      .file("/b/pkg/lib/libgrafted-12.so.3.1")
      .file("/b/pkg/lib/notes.sox")
      .symlink("/b/pkg/again", "/b/pkg/lib");
  EXPECT_THAT(probe::binariesIn(sites, "pkg", "python3.11", files),
              testing::ElementsAre("/b/pkg/_C.cpython-311-x86_64-linux-gnu.so",
                                   "/b/pkg/lib/libgrafted-12.so.3.1", "/b/pkg/lib/libpkg.so",
                                   "/b/pkg/sub/deep/ext.abi3.so"));
  EXPECT_THAT(probe::binariesIn(sites, "pkg.sub", "", files),
              testing::ElementsAre("/b/pkg/sub/deep/ext.abi3.so"));
  EXPECT_THAT(probe::binariesIn(sites, "none", "", files), testing::IsEmpty());
}
