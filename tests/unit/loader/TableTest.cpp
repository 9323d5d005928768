// SPDX-License-Identifier: Apache-2.0
#include "FakeTree.h"
#include <gmock/gmock.h>

using namespace cudacc;
using test::FakeTree;

namespace {
/// LS-1, LS-2: which copy of libp is taken.
struct Row {
  const char *ext, *mid;
  bool direct;
  const char *clean, *env, *pre;
};

class Table : public testing::TestWithParam<Row> {
protected:
  static std::string named(const std::string &path) {
    llvm::StringRef folder = llvm::StringRef(path).rsplit('/').first;
    return path.find("cannot open") != std::string::npos ? "fail" : folder.drop_front().str();
  }

  static void fill(FakeTree &tree, bool directFirst) {
    const Row &row = GetParam();
    for (const char *copy : {"right", "own", "env", "pre"})
      tree.add(std::string("/") + copy + "/libp.so.13");
    FakeTree::Shape mid{{"libp.so.13"}, {}, {}, {}}, ext{{"libmid.so"}, {}, {}, {}};
    if (std::string(row.mid) != "none")
      (std::string(row.mid) == "RPATH" ? mid.rpath : mid.runpath) = "$ORIGIN/../own";
    (std::string(row.ext) == "RPATH" ? ext.rpath : ext.runpath) = "$ORIGIN/../mid:$ORIGIN/../right";
    if (row.direct)
      ext.needed.insert(directFirst ? ext.needed.begin() : ext.needed.end(), "libp.so.13");
    tree.add("/mid/libmid.so", mid);
    tree.add("/ext/ext.so", ext);
  }
};
} // namespace

TEST_P(Table, isTheLoaders) {
  for (bool directFirst : {false, true}) {
    FakeTree clean;
    fill(clean, directFirst);
    EXPECT_EQ(named(clean.serves("libp.so.13", clean.load("/ext/ext.so"))), GetParam().clean);
    FakeTree env;
    fill(env, directFirst);
    env.situation.libraryPath = {"/env"};
    EXPECT_EQ(named(env.serves("libp.so.13", env.load("/ext/ext.so"))), GetParam().env);
    FakeTree pre;
    fill(pre, directFirst);
    ASSERT_TRUE(pre.enter("/pre/libp.so.13").ok());
    EXPECT_EQ(named(pre.serves("libp.so.13", pre.load("/ext/ext.so"))), GetParam().pre) << "LS-4";
  }
}

INSTANTIATE_TEST_SUITE_P(Elf42, Table,
                         testing::Values(Row{"RUNPATH", "none", false, "fail", "env", "pre"},
                                         Row{"RUNPATH", "none", true, "right", "env", "pre"},
                                         Row{"RPATH", "none", false, "right", "right", "pre"},
                                         Row{"RPATH", "none", true, "right", "right", "pre"},
                                         Row{"RUNPATH", "RUNPATH", false, "own", "env", "pre"},
                                         Row{"RUNPATH", "RUNPATH", true, "right", "env", "pre"},
                                         Row{"RPATH", "RUNPATH", false, "own", "env", "pre"},
                                         Row{"RPATH", "RUNPATH", true, "right", "right", "pre"},
                                         Row{"RUNPATH", "RPATH", false, "own", "own", "pre"},
                                         Row{"RUNPATH", "RPATH", true, "right", "env", "pre"},
                                         Row{"RPATH", "RPATH", false, "own", "own", "pre"},
                                         Row{"RPATH", "RPATH", true, "right", "right", "pre"}));

// facts/loader_rules.json needed_order: breadth first, so the first entry in NEEDED is searched
// first.
TEST(NeededOrder, decidesWhereOnlyOneNeighbourHasAnRpath) {
  for (bool cublasFirst : {false, true}) {
    FakeTree tree;
    tree.add("/wheel/libcublasLt.so.12");
    tree.add("/env/libcublasLt.so.12");
    tree.add("/wheel/libcublas.so.12", {{"libcublasLt.so.12"}, "$ORIGIN", {}, {}});
    tree.add("/wheel/libcutensor.so.2", {{"libcublasLt.so.12"}, {}, "$ORIGIN", {}});
    std::vector<std::string> needed{"libcutensor.so.2", "libcublas.so.12"};
    if (cublasFirst)
      std::swap(needed[0], needed[1]);
    tree.add("/ext.so", {needed, "/wheel", {}, {}});
    tree.situation.libraryPath = {"/env"};
    EXPECT_EQ(tree.serves("libcublasLt.so.12", tree.load("/ext.so")),
              cublasFirst ? "/wheel/libcublasLt.so.12" : "/env/libcublasLt.so.12");
  }
}
