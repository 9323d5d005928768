// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Modules.h"
#include "driver/versions/ModuleName.h"
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
    return findModule(sites, name, python, files).path;
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

TEST_F(Modules, aFreeThreadedPythonHasAnotherStableAbi) {
  files.file("/a/ext.abi3.so");
  EXPECT_EQ(found("ext", "python3.13t"), "");
  EXPECT_EQ(found("ext", "python3.13"), "/a/ext.abi3.so");
  EXPECT_EQ(found("ext", "python3"), "/a/ext.abi3.so");
}

TEST_F(Modules, python315HasFurtherNamesOfTheStableAbi) { // PEP 803
  files.file("/a/ext.abi3t.so").file("/a/one.abi3-x86_64-linux-gnu.so");
  for (const char *python : {"python3.15", "python3.15t", "python3.16t", "python3"})
    EXPECT_EQ(found("ext", python), "/a/ext.abi3t.so") << python;
  EXPECT_EQ(found("one", "python3.15"), "/a/one.abi3-x86_64-linux-gnu.so");
  EXPECT_EQ(found("one", "python3.15t"), "");
  for (const char *python : {"python3.9", "python3.14", "python3.14t"})
    EXPECT_EQ(found("ext", python) + found("one", python), "") << python;
}

TEST_F(Modules, thePathIsSearchedInOrder) {
  files.file("/b/ext.so").file("/a/ext.abi3.so");
  EXPECT_EQ(found("ext"), "/a/ext.abi3.so");
}

// A checkout in the working directory hides the installed package, and lacks modules that are not
// built there.
TEST_F(Modules, theFirstPackageHasAllOfIt) {
  files.file("/a/pkg/__init__.py").file("/b/pkg/__init__.py").file("/b/pkg/_C.so");
  EXPECT_EQ(found("pkg._C"), "");
  EXPECT_EQ(findModule(sites, "pkg._C", "", files).package, "/a/pkg");
  EXPECT_EQ(found("pkg"), "");
  EXPECT_EQ(findModule(sites, "pkg", "", files).code, "/a/pkg/__init__.py");
  files.file("/a/pkg/sub/__init__.py").file("/b/pkg/sub/d.so");
  EXPECT_EQ(found("pkg.sub.d"), "");
  EXPECT_EQ(findModule(sites, "pkg.sub.d", "", files).package, "/a/pkg/sub");
}

// Without any __init__, all folders of that name are one package.
TEST_F(Modules, foldersWithoutInitAreOne) {
  files.file("/a/pkg/x.py").file("/b/pkg/_C.so");
  EXPECT_EQ(found("pkg._C"), "/b/pkg/_C.so");
  files.file("/b/pkg/__init__.py").file("/a/pkg/_C.so");
  EXPECT_EQ(found("pkg._C"), "/b/pkg/_C.so");
}

TEST_F(Modules, pythonCodeIsTakenInItsTurn) {
  files.file("/a/ext.py").file("/b/ext.so");
  EXPECT_EQ(found("ext"), "");
  EXPECT_EQ(findModule(sites, "ext", "", files).code, "/a/ext.py");
  files.file("/a/ext.so");
  EXPECT_EQ(found("ext"), "/a/ext.so");
  EXPECT_EQ(found("ext.part"), "");
}

TEST_F(Modules, thoseOfOtherPythonsAreNamed) {
  files.file("/a/pkg/__init__.py").file("/a/pkg/_C.cpython-312-x86_64-linux-gnu.so");
  auto module = findModule(sites, "pkg._C", "python3.11", files);
  EXPECT_EQ(module.path, "");
  EXPECT_THAT(module.others, testing::ElementsAre("/a/pkg/_C.cpython-312-x86_64-linux-gnu.so"));
}

TEST(ModuleNames, sayForWhichPython) {
  auto python = [](const char *name) { return versions::pythonOfModule(name).value_or(""); };
  EXPECT_EQ(python("_C.cpython-311-x86_64-linux-gnu.so"), "3.11");
  EXPECT_EQ(python("_C.cpython-313t-x86_64-linux-gnu.so"), "3.13t");
  EXPECT_EQ(python("_C.cpython-38.so"), "3.8");
  for (const char *name : {"_C.abi3.so", "_C.abi3t.so", "_C.abi3-aarch64-linux-gnu.so"})
    EXPECT_EQ(python(name), "3") << name;
  for (const char *name : {"_C.so", "libx.so.1", "_C.cpython-x.so", "_C.cpython-311-debug.o", "x",
                           "_C.abi3-.so", "_C.abi3x.so", "_C.abi3.so.1"})
    EXPECT_EQ(python(name), "") << name;
}

TEST(ModuleNames, ofTheFunctionThatPythonCalls) {
  EXPECT_EQ(versions::initFunctionOf("/a/pkg/_C.abi3.so"), "PyInit__C");
  EXPECT_EQ(versions::initFunctionOf("ext.so"), "PyInit_ext");
  EXPECT_EQ(versions::initFunctionOf("/a/pkg/__init__.cpython-311-x86_64-linux-gnu.so"),
            "PyInit_pkg");
  EXPECT_EQ(versions::initFunctionOf("/a/\xc3\xa4.so"), "");
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
  EXPECT_EQ(found("ext", "python3.13t"), "/a/ext.cpython-313t-x86_64-linux-gnu.so");
  EXPECT_EQ(found("ext", ""), "/a/ext.cpython-313t-x86_64-linux-gnu.so");
  EXPECT_EQ(found("ext", "python3.13"), "");
  EXPECT_EQ(found("ext", "python3.1"), "");
  files.file("/a/other.cpython-313-x86_64-linux-gnu.so");
  EXPECT_EQ(found("other", "python3.13t"), "");
}

TEST_F(Modules, thoseOfAPackage) {
  files.file("/a/pkg/__init__.py")
      .file("/a/pkg/_C.abi3.so")
      .file("/a/pkg/lib.so")
      .file("/a/pkg/b.so");
  EXPECT_THAT(modulesIn(sites, "pkg", "python3.11", files),
              testing::ElementsAre("/a/pkg/_C.abi3.so", "/a/pkg/b.so"));
  // Those of subpackages only if it has none itself, as numpy; tests are not imported.
  files.file("/a/pkg/sub/c.so");
  EXPECT_EQ(modulesIn(sites, "pkg", "python3.11", files).size(), 2u);
  files.file("/a/deep/__init__.py")
      .file("/a/deep/_core/_umath.cpython-311-x86_64-linux-gnu.so")
      .file("/a/deep/_core/_old.cpython-39-x86_64-linux-gnu.so")
      .file("/a/deep/_core/libown.so.1")
      .file("/a/deep/_core/tests/_t.so")
      .symlink("/a/deep/loop", ".");
  EXPECT_THAT(modulesIn(sites, "deep", "python3.11", files),
              testing::ElementsAre("/a/deep/_core/_umath.cpython-311-x86_64-linux-gnu.so"));
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
