// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

DeviceImage sass(const char *arch, HasCode code = HasCode::Yes) {
  return {ImageKind::Cubin, Compression::None, code, false, *Arch::parse(arch), {}};
}
DeviceImage ptx(const char *arch, CudaVersion isa) {
  return {ImageKind::Ptx, Compression::Zstd, HasCode::No, false, *Arch::parse(arch), isa};
}
DeviceImage ltoIr(const char *arch) {
  return {ImageKind::LtoIr, Compression::None, HasCode::No, false, *Arch::parse(arch), {1, 60}};
}
DeviceUnit unit(std::vector<DeviceImage> images, bool linked = false) {
  DeviceUnit result;
  result.linked = linked;
  result.images = std::move(images);
  return result;
}

struct JudgingDevice : BinaryJudging {
  BinaryFacts facts = extension({});
  Target target = targetOf("cuda==12.4");

  std::vector<Code> on(std::vector<const char *> gpus, std::vector<DeviceUnit> units) {
    target.gpus.clear();
    for (const char *gpu : gpus)
      target.gpus.push_back(*Arch::parse(gpu));
    target.gpuOrigin = "sm=80,90 in cuda-cc.toml:3";
    facts.device.units = std::move(units);
    return judge(target, facts);
  }
};

} // namespace

// FB-44, second column; the third was measured on an H200 (9.0).
TEST_F(JudgingDevice, machineCodeRunsInItsMajorFromItsMinorOn) { // FB-44, AV-E05
  EXPECT_THAT(on({"sm_80"}, {unit({sass("sm_80")})}), IsEmpty());
  EXPECT_THAT(on({"sm_86"}, {unit({sass("sm_80")})}), IsEmpty());
  EXPECT_THAT(on({"sm_80"}, {unit({sass("sm_86")})}), ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")})}), ElementsAre(Code::DeviceUncovered));
  EXPECT_EQ(findings[0].message, "no device code runs on sm_90");
  EXPECT_THAT(fact(findings[0], "sm_90"), HasSubstr("1 unit with machine code for sm_80 only"));
  EXPECT_EQ(findings[0].origin, "sm=80,90 in cuda-cc.toml:3");
  EXPECT_THAT(findings[0].fixes, ElementsAre("compile with -gencode arch=compute_90,code=sm_90"));
  // Code for SoCs does not run on cards, and vice versa.
  EXPECT_THAT(on({"sm_87"}, {unit({sass("sm_80")})}), ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({"sm_120"}, {unit({sass("sm_120")})}), IsEmpty());
  EXPECT_THAT(on({"sm_121"}, {unit({sass("sm_120")})}), IsEmpty());
}

TEST_F(JudgingDevice, suffixesNarrow) { // FB-44
  target = targetOf("cuda==13.0");
  EXPECT_THAT(on({"sm_100"}, {unit({sass("sm_100a"), ptx("compute_90", {9, 0})})}), IsEmpty());
  EXPECT_THAT(on({"sm_103"}, {unit({sass("sm_100a")})}),
              ElementsAre(Code::DeviceUncovered, Code::SuffixOnly));
  EXPECT_THAT(on({"sm_103"}, {unit({sass("sm_100f")})}), IsEmpty());
  EXPECT_THAT(on({"sm_100"}, {unit({sass("sm_103f")})}), ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({"sm_120"}, {unit({sass("sm_100f")})}), ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({"sm_103"}, {unit({ptx("compute_100a", {9, 0})})}),
              ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({"sm_103"}, {unit({ptx("compute_100f", {9, 0})})}), IsEmpty());
  EXPECT_THAT(on({"sm_100"}, {unit({sass("sm_100f")})}), IsEmpty());
  EXPECT_THAT(on({"sm_120"}, {unit({ptx("compute_100f", {9, 0})})}),
              ElementsAre(Code::DeviceUncovered));
}

// AV-W05.
TEST_F(JudgingDevice, onlyExactMachineCodeIsWarnedAbout) { // AV-W05
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90a")})}), ElementsAre(Code::SuffixOnly));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90a"), ptx("compute_90", {8, 4})})}), IsEmpty());
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90a"), sass("sm_90")})}), IsEmpty());
  EXPECT_THAT(on({}, {unit({sass("sm_90a")})}), IsEmpty()) << "no GPU is declared";
  // What does not run beside it changes nothing.
  for (DeviceImage other : {sass("sm_80", HasCode::No), ltoIr("sm_80")})
    EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90a"), other})}), ElementsAre(Code::SuffixOnly));
  on({"sm_90"}, {unit({sass("sm_90a"), ptx("compute_100a", {8, 4})})});
  EXPECT_EQ(find(Code::SuffixOnly)->message, "machine code for exactly sm_90a");
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90a", HasCode::Unknown)})}),
              ElementsAre(Code::LimitReached));
  DeviceUnit elsewhere = unit({sass("sm_90a")});
  elsewhere.home = DeviceUnit::Home::Elsewhere;
  EXPECT_THAT(on({"sm_90"}, {elsewhere}), IsEmpty());
}

TEST_F(JudgingDevice, onlyWhatIsUncoveredIsListed) { // AV-E05
  on({"sm_80", "sm_90"}, {unit({sass("sm_80")})});
  EXPECT_THAT(labels(findings[0]), ElementsAre("sm_90", "declared", "translates"));
  EXPECT_THAT(findings[0].fixes, ElementsAre("compile with -gencode arch=compute_90,code=sm_90"));
  // Of its images those that would run on other GPUs.
  DeviceImage relocatable = sass("sm_70");
  relocatable.relocatable = true;
  on({"sm_90"}, {unit({sass("sm_80"), sass("sm_75", HasCode::No), relocatable, ltoIr("sm_80")})});
  EXPECT_EQ(fact(findings[0], "sm_90"), "1 unit with machine code for sm_80 only");
}

// FB-42: the union over units is never enough.
TEST_F(JudgingDevice, theWorstUnitDecides) { // FB-42
  DeviceUnit twice = unit({sass("sm_80")});
  twice.count = 2;
  EXPECT_THAT(on({"sm_80", "sm_90"}, {twice, unit({sass("sm_90")})}),
              ElementsAre(Code::DeviceUncovered));
  EXPECT_EQ(findings[0].message, "no device code runs on sm_80, sm_90");
  EXPECT_THAT(fact(findings[0], "sm_90"), HasSubstr("2 units"));
  EXPECT_THAT(on({"sm_80", "sm_90"}, {unit({sass("sm_80"), sass("sm_90")})}), IsEmpty());
}

// FB-44, DR-6, V-DR-16, V-DR-17: the runtime, or the declared driver, translates PTX.
TEST_F(JudgingDevice, ptxIsCheckedAgainstTheRuntimeOrTheDriver) { // AV-E05, V-DR-13
  EXPECT_THAT(on({"sm_90"}, {unit({ptx("compute_80", {8, 4})})}), IsEmpty());
  ASSERT_THAT(on({"sm_90"}, {unit({ptx("compute_80", {8, 5})})}),
              ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(fact(findings[0], "sm_90"),
              HasSubstr("PTX ISA 8.5 for compute_80 (needs CUDA 12.5) only"));
  EXPECT_EQ(fact(findings[0], "translates"), "runtime CUDA 12.4");
  EXPECT_THAT(on({"sm_70"}, {unit({ptx("compute_80", {8, 4})})}),
              ElementsAre(Code::DeviceUncovered));
  target.driver = "560.28.03";
  target.driverCuda = {12, 6};
  EXPECT_THAT(on({"sm_90"}, {unit({ptx("compute_80", {8, 5})})}), IsEmpty());
  target.driver = "535.54.03";
  target.driverCuda = {12, 2};
  EXPECT_THAT(on({"sm_90"}, {unit({ptx("compute_80", {8, 4})})}),
              ElementsAre(Code::DeviceUncovered));
  // V-DR-14: machine code does not need that.
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90"), ptx("compute_90", {8, 4})})}),
              ElementsAre(Code::PtxNewerCovered));
}

// FB-33: who reads a container elsewhere is not known.
TEST_F(JudgingDevice, ptxOfPrivateContainersIsNotJudged) { // FB-33
  DeviceUnit hidden = unit({ptx("compute_80", {8, 5})});
  EXPECT_THAT(on({}, {hidden}), ElementsAre(Code::PtxNewer));
  hidden.home = DeviceUnit::Home::Elsewhere;
  EXPECT_THAT(on({}, {hidden}), IsEmpty());
}

// V-TG-12, TG-5 (c): without a list of GPUs.
TEST_F(JudgingDevice, onlyNewerPtxIsRefusedForEveryGpu) { // V-TG-12
  ASSERT_THAT(on({}, {unit({ptx("compute_80", {8, 5})})}), ElementsAre(Code::PtxNewer));
  EXPECT_THAT(fact(findings[0], "has"), HasSubstr("PTX ISA 8.5 for compute_80"));
  EXPECT_THAT(on({}, {unit({ptx("compute_80", {8, 4})})}), IsEmpty());
  EXPECT_THAT(on({}, {unit({ptx("compute_80", {8, 5}), ptx("compute_70", {8, 4})})}),
              ElementsAre(Code::NewerButUnused));
}

// V-TG-13: accepted with a note.
TEST_F(JudgingDevice, newerPtxBesideMachineCodeIsWarnedAbout) { // V-TG-13, AV-W04, AV-W01
  std::vector<DeviceUnit> units = {unit({sass("sm_80"), sass("sm_90"), ptx("compute_90", {8, 5})})};
  EXPECT_THAT(on({"sm_80", "sm_90"}, units), ElementsAre(Code::PtxNewerCovered));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_THAT(on({}, units), ElementsAre(Code::NewerButUnused));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_THAT(on({"sm_100"}, units), ElementsAre(Code::DeviceUncovered));
  // NVIDIA's libraries are built so.
  facts.soname = "libcublas.so.12";
  EXPECT_THAT(on({}, units), IsEmpty());
  EXPECT_NE(find(Code::NewerButUnused), nullptr);
}

// FB-40, FB-41, FB-45: images that nvcc adds at a link, and units without code.
TEST_F(JudgingDevice, cubinsWithoutCodeCoverNothingAndAskForNothing) { // FB-41, FB-45
  DeviceUnit stub = unit({sass("sm_90", HasCode::No)}, true);
  EXPECT_THAT(on({"sm_90", "sm_70"}, {stub}), IsEmpty());
  ASSERT_NE(find(Code::CubinWithoutCode), nullptr);
  EXPECT_EQ(find(Code::CubinWithoutCode)->message, "1 cubin without code");
  stub.count = 3;
  on({}, {stub, unit({DeviceImage{}})});
  EXPECT_EQ(find(Code::CubinWithoutCode)->message, "3 cubins without code");
  stub.count = 1;
  EXPECT_THAT(on({"sm_70"}, {unit({sass("sm_90", HasCode::No), ptx("compute_90", {8, 4})})}),
              IsEmpty());
  EXPECT_THAT(on({"sm_70"}, {stub, unit({ptx("compute_80", {8, 4})})}),
              ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({"sm_90"}, {unit({})}), IsEmpty());
}

// FB-40: an image that was not decompressed is unknown, unless another one covers the GPU.
TEST_F(JudgingDevice, unopenedCodeIsUnknown) { // AV-U03
  ASSERT_THAT(on({"sm_90"}, {unit({sass("sm_90", HasCode::Unknown)})}),
              ElementsAre(Code::LimitReached));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90", HasCode::Unknown), ptx("compute_80", {8, 0})})}),
              IsEmpty());
  EXPECT_THAT(on({}, {unit({sass("sm_90", HasCode::Unknown)})}), IsEmpty());
  // Neither whether a unit has code at all.
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80", HasCode::Unknown)})}),
              ElementsAre(Code::LimitReached));
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90", HasCode::Unknown), sass("sm_80")})}),
              ElementsAre(Code::LimitReached));
}

TEST_F(JudgingDevice, unknownKindsAndIsasAreUnknown) { // AV-U02
  DeviceImage odd;
  odd.arch = *Arch::parse("sm_90");
  EXPECT_THAT(on({"sm_90"}, {unit({odd})}), ElementsAre(Code::UnknownContainer));
  EXPECT_THAT(on({"sm_90"}, {unit({odd, sass("sm_90")})}), IsEmpty());
  target = targetOf("cuda==13.5");
  EXPECT_THAT(on({"sm_90"}, {unit({ptx("compute_90", {10, 7})})}),
              ElementsAre(Code::DeviceUncovered));
  // A driver whose CUDA version is unknown.
  target.driver = "999.1";
  EXPECT_THAT(on({"sm_90"}, {unit({ptx("compute_90", {9, 0})})}),
              ElementsAre(Code::UnknownContainer));
}

// FB-43, AV-W14.
TEST_F(JudgingDevice, relocatablePtxIsAFallbackOnly) { // FB-43, AV-W14
  DeviceUnit later = unit({ptx("compute_80", {8, 4})});
  later.home = DeviceUnit::Home::Relocatable;
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")}, true), later}),
              ElementsAre(Code::RuntimeLinkedOnly));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_THAT(on({"sm_80"}, {unit({sass("sm_80")}, true), later}), IsEmpty());
  later.images[0].version = {8, 5};
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")}, true), later}),
              ElementsAre(Code::DeviceUncovered));
  later.images = {ptx("compute_100", {8, 4})};
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")}, true), later}),
              ElementsAre(Code::DeviceUncovered));
  later.images = {ptx("compute_80", {8, 4})};
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")}), unit({sass("sm_80")}, true), later}),
              ElementsAre(Code::DeviceUncovered, Code::RuntimeLinkedOnly));
  EXPECT_EQ(fact(findings[1], "sm_90"), "1 unit");
  // Not those of the device link: its own images count.
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")}), unit({sass("sm_90")}, true)}),
              ElementsAre(Code::DeviceUncovered));
}

// FB-33, AV-I04: loaded by private code.
TEST_F(JudgingDevice, containersElsewhereAreNotJudged) { // AV-I04
  DeviceUnit elsewhere = unit({sass("sm_70")});
  elsewhere.home = DeviceUnit::Home::Elsewhere;
  facts.device.otherSections = {".rodata"};
  EXPECT_THAT(on({"sm_90"}, {elsewhere}), IsEmpty());
  ASSERT_NE(find(Code::OtherContainers), nullptr);
  EXPECT_THAT(find(Code::OtherContainers)->message, HasSubstr(".rodata"));
}

TEST_F(JudgingDevice, brokenWrappersAreRefused) { // AV-E07
  EXPECT_THAT(on({}, {}), IsEmpty());
  facts.device.brokenWrappers = {"wrapper 1 points behind the file"};
  EXPECT_THAT(on({}, {}), ElementsAre(Code::FatbinWrapper));
  EXPECT_EQ(outcome(), Outcome::Reject);
}

TEST_F(JudgingDevice, whatCannotBeReadCountsOnceAGpuIsDeclared) { // AV-U02, AV-U03, AV-W13
  facts.device.unknown = {"container of version 7"};
  facts.device.limits = {"more than 65536 entries"};
  EXPECT_THAT(on({}, {unit({sass("sm_90")})}), IsEmpty());
  EXPECT_NE(find(Code::UnknownContainer), nullptr);
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_90")})}),
              ElementsAre(Code::UnknownContainer, Code::LimitReached));
  facts.device.unknown.clear();
  facts.device.limits.clear();
  facts.device.disagreements = {"entry 3: header sm_90, ELF sm_80"};
  EXPECT_THAT(on({}, {}), ElementsAre(Code::HeaderPayload));
}

TEST_F(JudgingDevice, theInventoryIsARemark) { // AV-I01
  on({}, {unit({sass("sm_90a"), sass("sm_80"), ptx("compute_90", {8, 4})})});
  ASSERT_NE(find(Code::Architectures), nullptr);
  EXPECT_EQ(find(Code::Architectures)->message,
            "device code: sm_80, sm_90a, PTX ISA 8.4 for compute_90");
  on({}, {unit({sass("sm_80"), ltoIr("sm_80")})});
  EXPECT_EQ(find(Code::Architectures)->message, "device code: sm_80, LTO-IR 1.60");
  input.atLink = true;
  on({}, {unit({sass("sm_80")})});
  EXPECT_THAT(findings, IsEmpty());
}

// DR-2 to DR-4: V-DR-02, V-DR-04, V-DR-05, V-DR-08.
TEST_F(JudgingDevice, theDriverIsCheckedAgainstTheMajor) { // DR-3, DR-4
  auto with = [&](const char *runtime, const char *driver, CudaVersion cuda) {
    target = targetOf(runtime);
    target.driver = driver;
    target.driverCuda = cuda;
    return on({"sm_90"}, {unit({sass("sm_90")})});
  };
  EXPECT_THAT(with("cuda==12.9", "525.60.13", {12, 0}), IsEmpty());
  EXPECT_THAT(with("cuda==12.9", "520.30.01", {12, 0}), ElementsAre(Code::DriverBranch));
  EXPECT_THAT(with("cuda==13.0", "570.26", {12, 8}), ElementsAre(Code::DriverMajor));
  EXPECT_THAT(with("cuda==13.2", "580.65.06", {13, 0}), IsEmpty());
  EXPECT_THAT(with("cuda==12.4", "580.65.06", {13, 0}), IsEmpty());
}

// The cudart inside is at least as new as the newest part of the file, and needs a driver of its
// major (error 35), whatever the runtime is.
TEST_F(JudgingDevice, aStaticCudartIsCheckedAgainstTheDriversMajor) { // SY-25
  facts.staticCudart = true;
  std::vector<DeviceUnit> units = {unit({sass("sm_80"), ptx("sm_80", {9, 5})})};
  target.driver = "550.54.15";
  target.driverCuda = {12, 4};
  EXPECT_THAT(on({"sm_80"}, units), ElementsAre(Code::DriverMajor, Code::PtxNewerCovered));
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_THAT(labels(*find(Code::DriverMajor)), ElementsAre("because", "driver"));
  EXPECT_THAT(fact(*find(Code::DriverMajor), "because"), HasSubstr("the device code is of"));
  EXPECT_EQ(find(Code::DriverMajor)->fixes.size(), 2u);
  target.driver = "580.65.06";
  target.driverCuda = {13, 0};
  on({"sm_80"}, units);
  EXPECT_EQ(find(Code::DriverMajor), nullptr);
  // Without a declared driver, one of the runtime's line is assumed: a warning.
  target.driver.clear();
  target.driverCuda = {};
  on({"sm_80"}, units);
  ASSERT_NE(find(Code::DriverMajor), nullptr);
  EXPECT_EQ(find(Code::DriverMajor)->severity, Severity::Warning);
  EXPECT_THAT(labels(*find(Code::DriverMajor)), ElementsAre("because", "runtime"));
  EXPECT_EQ(find(Code::DriverMajor)->fixes.size(), 1u);
  facts.staticCudart = false;
  on({"sm_80"}, units);
  EXPECT_EQ(find(Code::DriverMajor), nullptr);
}

TEST_F(JudgingDevice, theReleaseOfAStaticCudartCountsLikeItsDeviceCode) { // SY-25
  facts.staticCudart = true;
  facts.cudartRelease = {13, 0};
  target.driver = "550.54.15";
  target.driverCuda = {12, 4};
  EXPECT_THAT(on({}, {}), ElementsAre(Code::DriverMajor));
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("its functions are those of"));
  facts.cudartRelease = {12, 9};
  EXPECT_THAT(on({}, {}), IsEmpty()) << "a driver serves newer minors";
  // strip leaves the records.
  facts.staticCudart = false;
  facts.manifest.objects.emplace_back(ObjectRecord{"", "13.0.88", "", ""}, 1);
  facts.manifest.links.emplace_back().cudart = "static";
  EXPECT_THAT(on({}, {}), Contains(Code::DriverMajor));
  facts.manifest.links.back().cudart = "shared";
  EXPECT_THAT(on({}, {}), Not(Contains(Code::DriverMajor)));
  facts.manifest = {};
  facts.staticCudart = true;
  // At a link it is judged like one that the line names.
  input.atLink = true;
  EXPECT_THAT(on({}, {}), ElementsAre(Code::LibraryNewer));
  facts.cudartRelease = {13, 0};
  EXPECT_THAT(on({}, {}), ElementsAre(Code::LibraryMajor, Code::DriverMajor));
  target.driver.clear();
  target.driverCuda = {};
  EXPECT_THAT(on({}, {}), ElementsAre(Code::LibraryMajor)) << "the driver follows from it";
  facts.cudartRelease = {12, 4};
  EXPECT_THAT(on({}, {}), IsEmpty());
}

// A file of device code contains nothing else, so if it cannot be read, nothing is known.
TEST_F(JudgingDevice, aFileOfDeviceCodeIsJudgedByItsCodeAlone) {
  facts.kind = BinaryKind::DeviceCode;
  facts.machine = 0;
  facts.runpath = {"relative"};
  facts.hasRunpath = facts.executableStack = true;
  EXPECT_THAT(on({"sm_80"}, {unit({sass("sm_80")})}), IsEmpty());
  EXPECT_THAT(on({"sm_90"}, {unit({sass("sm_80")})}), ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(on({}, {unit({ptx("compute_80", {9, 0})})}), ElementsAre(Code::PtxNewer));
  facts.device.unknown = {"bytes that are no container"};
  EXPECT_THAT(on({}, {unit({sass("sm_80")})}), ElementsAre(Code::UnknownContainer));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

TEST_F(JudgingDevice, aFileForRunTimeLinkingIsCheckedAgainstThatLinker) {
  facts.kind = BinaryKind::DeviceCode;
  auto linkable = [&](const char *gpu, DeviceImage image) {
    DeviceUnit each = unit({std::move(image)});
    each.home = DeviceUnit::Home::Relocatable;
    return on({gpu}, {each});
  };
  DeviceImage relocatable = sass("sm_80", HasCode::No);
  relocatable.relocatable = true;
  EXPECT_THAT(linkable("sm_86", relocatable), ElementsAre(Code::RuntimeLinkedOnly));
  EXPECT_THAT(linkable("sm_90", relocatable), ElementsAre(Code::DeviceUncovered));
  EXPECT_THAT(linkable("sm_90", ptx("compute_80", {8, 4})), ElementsAre(Code::RuntimeLinkedOnly));
  EXPECT_THAT(linkable("sm_90", ptx("compute_80", {9, 0})), ElementsAre(Code::DeviceUncovered));
  DeviceImage lto = relocatable;
  lto.kind = ImageKind::LtoIr;
  lto.relocatable = false;
  lto.version = {1, 62};
  auto has = [&](const char *gpu, Code code) {
    return llvm::is_contained(linkable(gpu, lto), code);
  };
  EXPECT_TRUE(has("sm_90", Code::RuntimeLinkedOnly));
  EXPECT_TRUE(has("sm_75", Code::DeviceUncovered));
  // For an unknown architecture nothing is accepted.
  lto.arch = {};
  EXPECT_TRUE(has("sm_90", Code::UnknownContainer));
  EXPECT_FALSE(has("sm_90", Code::DeviceUncovered));
}
