// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Compose.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// A link of two objects with records, declared for CUDA 12.4.
struct ComposeTest : testing::Test {
  BinaryFacts facts;
  LinkRecord before;
  binary::RecordSources sources;

  ComposeTest() {
    facts.manifest.objects = {{{"cuda-cc-1", "12.4.131", "12.4", "gcc-12.2.0"}, 1},
                              {{"cuda-cc-1", "12.1.105", "12.1", "gcc-12.2.0"}, 1}};
    before.tool = "cuda-cc-1";
    before.targetCuda = "12.4";
    before.waivers.emplace();
    sources.facts = &facts;
    sources.line = {12, 4};
    sources.units.named = 2;
  }
  std::pair<LinkRecord, SummaryRecord> compose() { return binary::composeRecords(before, sources); }
  bool has(uint16_t flag) { return compose().second.flags & flag; }
};

TEST_F(ComposeTest, whatWasKnownBeforeTheLinkStays) {
  auto [record, summary] = compose();
  EXPECT_EQ(record.tool, "cuda-cc-1");
  EXPECT_EQ(record.targetCuda, "12.4");
  EXPECT_EQ(summary.target, (CudaVersion{12, 4}));
}

TEST_F(ComposeTest, toolkitsSpanTheObjects) {
  auto [record, summary] = compose();
  EXPECT_EQ(record.toolkitMax, "12.4.131");
  EXPECT_EQ(record.toolkitMin, "12.1.105");
  EXPECT_EQ(summary.toolkit, (CudaVersion{12, 4}));
}

TEST_F(ComposeTest, unitsWithoutARecordAreCounted) {
  EXPECT_EQ(compose().first.unnoted, 0u);
  EXPECT_FALSE(has(SummaryRecord::Unnoted));
  sources.units.named = 5;
  EXPECT_EQ(compose().first.unnoted, 3u);
  EXPECT_TRUE(has(SummaryRecord::Unnoted));
  // Any of the records may come from an archive's members.
  sources.units.hasArchives = true;
  EXPECT_FALSE(compose().first.unnoted);
  EXPECT_TRUE(has(SummaryRecord::Unnoted));
}

TEST_F(ComposeTest, onlyLibrariesOfCudaAreNamedAsNeeded) {
  facts.needed = {"libc.so.6", "libcublas.so.12", "libcudart.so.12"};
  EXPECT_THAT(*compose().first.needed, ElementsAre("libcublas.so.12", "libcudart.so.12"));
  EXPECT_EQ(compose().first.cudart, "shared");
  facts.needed.clear();
  EXPECT_THAT(*compose().first.needed, IsEmpty());
  EXPECT_EQ(compose().first.cudart, "none");
  sources.hasStaticCudart = true;
  EXPECT_EQ(compose().first.cudart, "static");
  EXPECT_TRUE(has(SummaryRecord::StaticCudart));
}

TEST_F(ComposeTest, theSearchPathIsNamedByItsTag) {
  EXPECT_EQ(compose().first.rpath, "none");
  facts.hasRunpath = true;
  EXPECT_EQ(compose().first.rpath, "runpath");
  facts.hasRpath = true;
  EXPECT_EQ(compose().first.rpath, "rpath");
}

TEST_F(ComposeTest, machineCodeAndPtxAreListed) {
  DeviceUnit unit;
  DeviceImage cubin, ptx;
  cubin.kind = ImageKind::Cubin;
  cubin.arch = *Arch::parse("sm_90a");
  cubin.code = HasCode::Yes;
  ptx.kind = ImageKind::Ptx;
  ptx.version = {8, 4};
  unit.images = {cubin, ptx};
  facts.device.units = {unit};
  auto [record, summary] = compose();
  EXPECT_THAT(*record.sass, ElementsAre("sm_90a"));
  EXPECT_EQ(record.ptxMax, "8.4");
  EXPECT_EQ(summary.ptx, (CudaVersion{8, 4}));
  EXPECT_TRUE(has(SummaryRecord::DeviceCode));
  EXPECT_TRUE(has(SummaryRecord::Ptx));
  EXPECT_FALSE(has(SummaryRecord::LtoIr));
}

TEST_F(ComposeTest, floorsAreOfTheMajorThatIsKnown) {
  LibraryFloor floor;
  floor.soname = "libcublas.so.12";
  floor.least = *Version::parse("12.4.5.8");
  floor.cuda = {12, 4};
  sources.floors = {floor};
  EXPECT_THAT(compose().first.floor, IsEmpty());
  sources.major = 12;
  EXPECT_EQ(compose().first.floor["libcublas.so.12"], "12.4.5.8");
  EXPECT_EQ(compose().second.floor, (CudaVersion{12, 4}));
  // If one is unknown, the whole is unknown.
  floor.soname = "libcusparse.so.12";
  floor.unknown = {"cusparseNew"};
  sources.floors.push_back(floor);
  EXPECT_FALSE(compose().second.floor.known());
}

TEST_F(ComposeTest, overridesAreFlagged) {
  EXPECT_FALSE(has(SummaryRecord::Waiver));
  before.waivers->push_back("CC3005: it is known");
  EXPECT_TRUE(has(SummaryRecord::Waiver));
  before.waivers->clear();
  before.enforce = "warn";
  EXPECT_TRUE(has(SummaryRecord::Waiver));
}

} // namespace
