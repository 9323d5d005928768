// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Alternatives.h"
#include "gmock/gmock.h"

using namespace cudacc;
using policy::alternativesAmong;
using policy::lineTokenOf;

TEST(Alternatives, theLineStandsInTheName) {
  struct Case {
    const char *path;
    unsigned major;
    int minor;
    const char *pattern;
  };
  for (const Case &each :
       {Case{"bitsandbytes/libbitsandbytes_cuda124.so", 12, 4,
             "bitsandbytes/libbitsandbytes_cuda*.so"},
        Case{"libbitsandbytes_cuda118_nocublaslt.so", 11, 8, "libbitsandbytes_cuda*_nocublaslt.so"},
        Case{"_C_cu12.abi3.so", 12, -1, "_C_cu*.abi3.so"}, Case{"cu130.so", 13, 0, "cu*.so"},
        Case{"x.cu92.so", 9, 2, "x.cu*.so"}, Case{"x.cu80.so", 8, 0, "x.cu*.so"},
        Case{"x-cuda126", 12, 6, "x-cuda*"}, Case{"cu11_x_cu126.so", 12, 6, "cu11_x_cu*.so"}}) {
    auto token = lineTokenOf(each.path);
    ASSERT_TRUE(token) << each.path;
    EXPECT_EQ(token->major, each.major) << each.path;
    EXPECT_EQ(token->minor ? int(*token->minor) : -1, each.minor) << each.path;
    EXPECT_EQ(token->pattern, each.pattern);
  }
  for (const char *path :
       {"libcudart.so.12", "libcusolver.so.11", "libcu1.so", "cu1234.so", "xcuda124.so", "cu12a.so",
        "cu126/libx.so", "libcublas.so", "", "cuda", "cu", "cuda/"})
    EXPECT_FALSE(lineTokenOf(path)) << path;
}

TEST(Alternatives, areFilesThatDifferInTheLineOnly) {
  auto groups = alternativesAmong({"a/x_cu121.so", "a/y_cu121.so", "a/x_cu126.so", "b/x_cu128.so",
                                   "a/x_cpu.so", "a/x_cu13.so"});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].pattern, "a/x_cu*.so");
  EXPECT_THAT(groups[0].files, testing::ElementsAre(0, 2, 5));
}

TEST(Alternatives, theRuntimesOwnLineIsTaken) {
  auto group = alternativesAmong({"x_cu121.so", "x_cu126.so", "x_cu12.so", "x_cu13.so"}).at(0);
  EXPECT_EQ(group.fileFor({12, 6}), 1u);
  EXPECT_EQ(group.fileFor({12, 9}), 1u) << "the newest that is not newer";
  EXPECT_EQ(group.fileFor({12, 1}), 0u);
  EXPECT_EQ(group.fileFor({12, 0}), 2u) << "the one for the whole major";
  EXPECT_EQ(group.fileFor({13, 2}), 3u);
  EXPECT_FALSE(group.fileFor({11, 8}));
  EXPECT_FALSE(group.fileFor({}));
  EXPECT_THAT(group.newestFirst(), testing::ElementsAre(3, 1, 0, 2));
}
