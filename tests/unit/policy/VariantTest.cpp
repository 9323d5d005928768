// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Variant.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace core;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::CudaVersion;

/// `sm_80`, `compute_90`; PTX is of \p isa.
static DeviceImage image(llvm::StringRef arch, CudaVersion isa = {8, 4}) {
  DeviceImage image;
  bool isPtx = arch.starts_with("compute_");
  image.kind = isPtx ? ImageKind::Ptx : ImageKind::Cubin;
  image.code = isPtx ? HasCode::No : HasCode::Yes;
  image.arch = *versions::Arch::parse(arch);
  image.version = isPtx ? isa : CudaVersion{};
  return image;
}

static BinaryFacts file(std::initializer_list<std::vector<DeviceImage>> units) {
  BinaryFacts facts;
  facts.path = "ext.so";
  facts.needed = {"libcudart.so.12"};
  for (const std::vector<DeviceImage> &images : units) {
    DeviceUnit unit;
    unit.images = images;
    facts.device.units.push_back(std::move(unit));
  }
  return facts;
}

static policy::VariantResult variantOf(std::vector<BinaryFacts> files,
                                       const std::set<unsigned> &majors = {12}) {
  std::vector<const BinaryFacts *> all;
  for (const BinaryFacts &each : files)
    all.push_back(&each);
  return policy::variantOf(all, majors);
}

TEST(Variant, hasTheArchitecturesThatWereCompiledFor) {
  auto [properties, findings] =
      variantOf({file({{image("sm_80"), image("sm_90"), image("compute_90")}})});
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(properties.architectures, ElementsAre("80_real", "90_real", "90_virtual"));
  // Machine code needs no newer driver, and it serves all GPUs that these values are for.
  EXPECT_EQ(properties.lower.str(), "12.0");
  EXPECT_EQ(properties.upper(), 13u);
  EXPECT_EQ(properties.label(), "cu12.0_sm80_90_ptx90");
}

TEST(Variant, needsTheDriverThatCompilesItsPtx) {
  auto [properties, findings] = variantOf({file({{image("sm_80"), image("compute_90", {8, 5})}})});
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(properties.architectures, ElementsAre("80_real", "90_virtual"));
  EXPECT_EQ(properties.lower.str(), "12.5");
  EXPECT_EQ(properties.label(), "cu12.5_sm80_ptx90");
}

// A cubin that cannot run: ptxas writes one without code for `code=lto_90`, and `-rdc` one to link.
TEST(Variant, countsNoMachineCodeThatDoesNotRun) {
  DeviceImage empty = image("sm_90"), relocatable = image("sm_90");
  empty.code = HasCode::No;
  relocatable.relocatable = true;
  for (const DeviceImage &idle : {empty, relocatable}) {
    auto [properties, findings] =
        variantOf({file({{image("sm_80"), idle, image("compute_90", {8, 5})}})});
    EXPECT_THAT(findings, IsEmpty());
    EXPECT_THAT(properties.architectures, ElementsAre("80_real", "90_virtual"));
    EXPECT_EQ(properties.lower.str(), "12.5");
  }
}

TEST(Variant, valuesAreInLexicalOrder) {
  auto [properties, findings] =
      variantOf({file({{image("sm_100"), image("sm_90a"), image("sm_75")}})});
  EXPECT_THAT(properties.architectures, ElementsAre("100_real", "75_real", "90a_real"));
}

// sm_90 of one file is of no use where another has nothing for it.
TEST(Variant, aValueCountsIfAllFilesHaveCodeForIt) {
  auto [properties, findings] =
      variantOf({file({{image("sm_80"), image("sm_90")}}), file({{image("sm_80")}})});
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(properties.architectures, ElementsAre("80_real"));
  properties =
      variantOf({file({{image("sm_90")}}), file({{image("compute_80", {8, 0})}})}).properties;
  EXPECT_THAT(properties.architectures, ElementsAre("90_real"));
  EXPECT_EQ(properties.lower.str(), "12.0");
}

// Two units of one file are as two files. sm_86 does not run on sm_80.
TEST(Variant, everyUnitCounts) {
  auto [properties, findings] = variantOf({file({{image("sm_80")}, {image("sm_86")}})});
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(properties.architectures, ElementsAre("86_real"));
}

TEST(Variant, withoutDeviceCodeHasBoundsAlone) {
  auto [properties, findings] = variantOf({file({})});
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(properties.architectures, IsEmpty());
  EXPECT_EQ(properties.label(), "cu12.0");
}

TEST(Variant, needsTheDriverThatHasTheImportedNames) {
  BinaryFacts facts = file({});
  facts.needed.push_back("libcuda.so.1");
  facts.imports.push_back({"cuGreenCtxCreate", "", "", false});
  EXPECT_EQ(variantOf({facts}).properties.lower.str(), "12.4");
  facts.imports.push_back({"cuNoSuchName", "", "", false});
  auto [properties, findings] = variantOf({facts});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, Code::NoVariant);
}

TEST(Variant, isOfOneMajor) {
  for (const std::set<unsigned> &majors : {std::set<unsigned>{}, std::set<unsigned>{12, 13}}) {
    auto [properties, findings] = variantOf({file({{image("sm_80")}})}, majors);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, Code::NoVariant);
  }
}

TEST(Variant, needsAGpuThatAllFilesSupport) {
  auto [properties, findings] = variantOf({file({{image("sm_80")}}), file({{image("sm_90")}})});
  EXPECT_THAT(properties.architectures, IsEmpty());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, Code::NoVariant);
  EXPECT_EQ(findings[0].facts.size(), 2u);
}

// Only code that the runtime of CUDA loads by itself: not what a linker or private code takes.
TEST(Variant, leavesOutCodeThatNothingLoads) {
  BinaryFacts facts = file({{image("sm_80")}, {image("sm_90")}, {image("sm_90")}});
  facts.device.units[1].home = DeviceUnit::Home::Relocatable;
  facts.device.units[2].images[0].relocatable = true;
  EXPECT_THAT(variantOf({facts}).properties.architectures, ElementsAre("80_real"));
}

// What is for any GPU from sm_100 on needs code for sm_103, where that of sm_100a does not run.
TEST(Variant, codeOfOneArchitectureServesThatAlone) {
  auto [properties, findings] = variantOf({file({{image("sm_100")}}), file({{image("sm_100a")}})});
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(properties.architectures, ElementsAre("100a_real"));
}

TEST(Variant, theOldestPtxThatServesDecides) {
  DeviceImage older = image("compute_70", {8, 2}), newer = image("compute_80", {8, 5});
  for (const auto &images : {std::vector{older, newer}, {newer, older}})
    EXPECT_EQ(variantOf({file({images})}).properties.lower.str(), "12.2");
  // Of a release that no table has.
  auto [properties, findings] = variantOf({file({{image("compute_80", {99, 0})}})});
  EXPECT_THAT(properties.architectures, IsEmpty());
  EXPECT_EQ(findings.size(), 1u);
}

TEST(Variant, anImageOfUnknownKindServesNoGpu) {
  DeviceImage unknown = image("sm_90a");
  unknown.kind = ImageKind::Unknown;
  unknown.version = {8, 0};
  auto [properties, findings] =
      variantOf({file({{image("sm_80"), unknown}}), file({{image("sm_80"), image("sm_90a")}})});
  EXPECT_THAT(properties.architectures, ElementsAre("80_real"));
}

TEST(Variant, aStaticCudartNeedsTheDriversOfItsMajor) {
  BinaryFacts facts = file({});
  facts.cudartRelease = {13, 1};
  EXPECT_EQ(variantOf({facts}).properties.lower.str(), "12.0");
  facts.staticCudart = true;
  EXPECT_EQ(variantOf({facts}).properties.lower.str(), "13.0");
}

// cublasGemmGroupedBatchedEx is of CUDA 12.5, which runs on all drivers of CUDA 12.
TEST(Variant, noLibraryButTheDriversDecides) {
  BinaryFacts facts = file({});
  facts.needed.push_back("libcublas.so.12");
  facts.imports.push_back(
      {"cublasGemmGroupedBatchedEx", "libcublas.so.12", "libcublas.so.12", false});
  EXPECT_EQ(variantOf({facts}).properties.lower.str(), "12.0");
}
