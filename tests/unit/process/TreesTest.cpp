// SPDX-License-Identifier: Apache-2.0
#include "driver/process/ChangedTree.h"
#include "driver/process/PackageTree.h"
#include "driver/process/TableTree.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::process;
using loader::Candidate;
using versions::Exported;

static constexpr uint16_t x86 = llvm::ELF::EM_X86_64;

static core::TargetLibrary cudart(const char *version, const char *path = "") {
  core::TargetLibrary row;
  row.soname = "libcudart.so.12";
  row.dist = "nvidia-cuda-runtime-cu12";
  row.version = *versions::Version::parse(version);
  row.cuda = {12, 4};
  row.folder = "nvidia/cuda_runtime/lib";
  row.path = path;
  return row;
}

static core::Target targetOf(core::TargetLibrary row) {
  core::Target target;
  target.line = {12, 4};
  target.libraries.push_back(std::move(row));
  return target;
}

TEST(TableTree, exportsWhatTheTablesKnow) {
  core::Target target = targetOf(cudart("12.4.127")), newer = targetOf(cudart("12.99.1"));
  TableTree tree(target, x86, 0), unread(newer, x86, 0);
  const char *path = "/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12";
  EXPECT_EQ(tree.exported(path, "cudaMalloc", "libcudart.so.12"), Exported::Yes);
  EXPECT_EQ(tree.exported(path, "cudaNoSuchFunction", "libcudart.so.12"), Exported::No);
  EXPECT_EQ(tree.exported(path + 1, "cudaMalloc", ""), Exported::Yes) << "without the slash";
  EXPECT_EQ(tree.exported("/lib/libother.so", "cudaMalloc", ""), Exported::Unknown);
  EXPECT_EQ(tree.versioned(path), true);
  EXPECT_EQ(unread.versioned(path), std::nullopt);
}

TEST(TableTree, hasSitePackagesInAnEnvironment) {
  auto placed = TableTree::placed;
  EXPECT_EQ(placed("/site-packages/pkg/../../../own/x"), "/prefix/lib/own/x");
  EXPECT_EQ(placed("/site-packages/../../../bin/x"), "/prefix/bin/x");
  EXPECT_EQ(placed("/prefix/bin/../lib64/python3.11/site-packages/a"), "/site-packages/a");
  EXPECT_EQ(placed("/prefix/lib/python3.11/site-packages2/a"),
            "/prefix/lib/python3.11/site-packages2/a");
  EXPECT_EQ(placed("/lib/python3.11/site-packages/a"), "/lib/python3.11/site-packages/a");
  EXPECT_EQ(TableTree::place("/prefix/bin/x"), "../../../bin/x");
  EXPECT_EQ(TableTree::place("/site-packages/a/x"), "a/x");
}

TEST(PackageTree, isAboveAnotherTree) {
  core::Target target = targetOf(cudart("12.4.127"));
  TableTree below(target, x86, 0);
  core::BinaryFacts own;
  PackageFiles package;
  package.add("/site-packages/pkg/libown.so", own, nullptr);
  PackageTree tree(package, below);
  EXPECT_EQ(tree.open("/site-packages/pkg/libown.so", x86).facts, &own);
  EXPECT_EQ(tree.open("site-packages/pkg/../pkg/libown.so", x86).facts, &own);
  EXPECT_EQ(tree.open("/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12", x86).kind,
            Candidate::Kind::Good);
  // A name that somebody may have is the package's where the package has it.
  EXPECT_EQ(tree.open("/lib/x86_64-linux-gnu/libz.so.1", x86).kind, Candidate::Kind::Good);
  EXPECT_EQ(tree.open("/lib/x86_64-linux-gnu/libown.so", x86).kind, Candidate::Kind::Absent);
  EXPECT_EQ(tree.exported("/site-packages/pkg/libown.so", "f", ""), Exported::Unknown);
  EXPECT_EQ(package.pathOf("libown.so"), "/site-packages/pkg/libown.so");
  EXPECT_EQ(package.pathOf("libother.so"), "");
}

TEST(ChangedTree, isTheDiskWithChanges) {
  test::MemoryFiles files;
  files.file("/env/libcudart.so.12", "no ELF file, and much too short to be one of any kind.....");
  DiskTree disk(files);
  ChangedTree tree(disk);
  EXPECT_EQ(tree.open("/env/libcudart.so.12", x86).kind, Candidate::Kind::Fatal);
  tree.remove("/env/libcudart.so.12");
  EXPECT_EQ(tree.open("/env/libcudart.so.12", x86).kind, Candidate::Kind::Absent);
  ChangedTree::Library library;
  library.row = cudart("12.4.127", "/env/libcudart.so.12");
  library.facts.definedVersions = {"libcudart.so.12"};
  library.major = 12;
  tree.put(std::move(library));
  EXPECT_EQ(tree.open("/env/x/../libcudart.so.12", x86).kind, Candidate::Kind::Good);
  EXPECT_EQ(tree.exported("/env/libcudart.so.12", "cudaMalloc", "libcudart.so.12"), Exported::Yes);
  EXPECT_EQ(tree.exported("/env/libcudart.so.12", "cudaMalloc", "libcudart.so.11"), Exported::No);
  EXPECT_EQ(disk.open("/env/libcudart.so.12", x86).kind, Candidate::Kind::Fatal) << "on disk";
}

// F27.
TEST(ChangedTree, takesTheMachinesCudaAway) {
  test::MemoryFiles files;
  for (const char *name : {"libcudart.so.12", "libcuda.so.1", "libtorch.so", "libz.so.1"})
    files.file(std::string("/usr/lib/x86_64-linux-gnu/") + name, "short");
  files.file("/env/libcudart.so.12", "short");
  DiskTree disk(files);
  ChangedTree clean(disk, /*hidesCuda=*/true), here(disk);
  auto isThere = [](ChangedTree &tree, const char *name) {
    return tree.open(std::string("/usr/lib/x86_64-linux-gnu/") + name, x86).kind !=
           Candidate::Kind::Absent;
  };
  for (const char *name : {"libcudart.so.12", "libtorch.so"}) {
    EXPECT_FALSE(isThere(clean, name)) << name;
    EXPECT_TRUE(isThere(here, name)) << name;
  }
  for (const char *name : {"libcuda.so.1", "libz.so.1"})
    EXPECT_TRUE(isThere(clean, name)) << name;
  EXPECT_NE(clean.open("/env/libcudart.so.12", x86).kind, Candidate::Kind::Absent);
}

TEST(DiskTree, saysWhyNothingCanBeOpened) {
  test::MemoryFiles files;
  files.file("/a/file", "text");
  DiskTree disk(files);
  EXPECT_EQ(disk.open("/a/none.so", x86).reason, "");
  EXPECT_EQ(disk.open("/a/file/none.so", x86).reason, "Not a directory");
  Candidate longName = disk.open("/a/" + std::string(300, 'x'), x86);
  EXPECT_EQ(longName.reason, "File name too long");
  EXPECT_TRUE(longName.blocked);
}
