// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Groups.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>

using namespace cudacc::tables;

// RL-3, RL-5: by side and kind; nvJitLink is a minimum version and in no group (RL-4).
TEST(Groups, BySideAndKind) { // RL-3, RL-5
  EXPECT_EQ(partOf(Side::Run, PartKind::Library, "cublasLt")->group, "blas-solver");
  EXPECT_EQ(partOf(Side::Build, PartKind::Library, "cusolverMg")->group, "blas-solver");
  EXPECT_EQ(partOf(Side::Run, PartKind::Library, "npps")->group, "npp");
  EXPECT_EQ(partOf(Side::Run, PartKind::Library, "nvrtc-builtins")->group, "device-compiler/run");
  EXPECT_EQ(partOf(Side::Build, PartKind::Library, "nvrtc")->group, "");
  EXPECT_EQ(partOf(Side::Build, PartKind::Binary, "cudafe++")->group, "device-compiler/build");
  EXPECT_EQ(partOf(Side::Run, PartKind::Binary, "nvcc")->group, "");
  EXPECT_EQ(partOf(Side::Run, PartKind::Library, "nvJitLink")->group, "");
  EXPECT_EQ(partOf(Side::Run, PartKind::Library, "nccl")->group, "");
}

// RL-6: a header set and its library; a name may have several kinds.
TEST(Groups, HeadersKnowTheirLibrary) { // RL-6
  auto cudart = partOf(Side::Build, PartKind::Header, "cudart");
  EXPECT_EQ(cudart->library, "cudart");
  EXPECT_EQ(cudart->group, "device-compiler/build");
  EXPECT_EQ(partOf(Side::Run, PartKind::Header, "cudart")->group, "device-compiler/run");
  EXPECT_EQ(partOf(Side::Run, PartKind::Header, "nvjitlink")->library, "nvJitLink");
  EXPECT_EQ(partOf(Side::Run, PartKind::Library, "cudart")->library, "");
  EXPECT_EQ(partOf(Side::Run, PartKind::Header, "profiler")->library, "");
}

// GR-6: an unknown name has no kind; every name of the catalogue has one.
TEST(Groups, EveryNameOfTheCatalogueIsKnown) { // GR-6
  EXPECT_FALSE(partOf(Side::Run, PartKind::Library, "cublasss"));
  EXPECT_FALSE(partOf(Side::Run, PartKind::Header, "libdevice"));
  EXPECT_FALSE(partOf(Side::Run, PartKind::Library, "cudadevrt"));
  auto buffer = llvm::MemoryBuffer::getFile(CUDACC_TABLES_DATA "/libraries.json");
  ASSERT_TRUE(buffer);
  auto json = llvm::json::parse((*buffer)->getBuffer());
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &all = *json->getAsObject();
  auto nameOf = [](const llvm::json::Value &row) { return *row.getAsObject()->getString("name"); };
  unsigned known = 0;
  auto expectKnown = [&](PartKind kind, llvm::StringRef name) {
    for (Side side : {Side::Build, Side::Run})
      EXPECT_TRUE(partOf(side, kind, name)) << name.str();
    ++known;
  };
  for (const llvm::json::Value &row : *all.getArray("header_sets"))
    expectKnown(PartKind::Header, nameOf(row));
  for (const llvm::json::Value &row : *all.getObject("tools")->getArray("catalogue"))
    expectKnown(PartKind::Binary, nameOf(row));
  for (const llvm::json::Value &row : *all.getArray("libraries"))
    if (row.getAsObject()->getString("kind") == "bitcode")
      expectKnown(PartKind::Bitcode, nameOf(row));
  EXPECT_GT(known, 40u);
}
