// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/Versions.h"
#include "driver/resolve/Runtimes.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::extension;
using cudacc::test::import;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

static LibraryFloor floorOf(const char *soname, std::vector<const char *> symbols,
                            unsigned major = 12) {
  std::vector<Import> imports;
  for (const char *symbol : symbols)
    imports.push_back(import(soname, symbol));
  auto floors = policy::floorsOf(extension(imports), major);
  EXPECT_EQ(floors.size(), 1u);
  return floors.empty() ? LibraryFloor{} : floors[0];
}

// TG-6: the suffix, and 12.3 for plain names.
TEST(Floors, nvJitLinkByItsNames) { // TG-6
  LibraryFloor floor = floorOf("libnvJitLink.so.12", {"__nvJitLinkCreate_12_5"});
  EXPECT_EQ(floor.least.str(), "12.5.40");
  EXPECT_EQ(floor.dist, "nvidia-nvjitlink-cu12");
  EXPECT_EQ(floor.cuda, (CudaVersion{12, 5}));
  EXPECT_EQ(floor.requirement, "nvidia-nvjitlink-cu12>=12.5,<13");
  EXPECT_THAT(floor.deciding, ElementsAre("__nvJitLinkCreate_12_5"));
  EXPECT_FALSE(floor.oldestOpened);
  EXPECT_EQ(floorOf("libnvJitLink.so.12", {"nvJitLinkCreate"}).requirement,
            "nvidia-nvjitlink-cu12>=12.3,<13");
  EXPECT_EQ(floorOf("libnvJitLink.so.13", {"nvJitLinkCreate"}, 13).requirement,
            "nvidia-nvjitlink>=13.0,<14");
}

TEST(Floors, whatTheOldestHasDecidesNothing) {
  LibraryFloor floor = floorOf("libcudart.so.12", {"cudaMalloc", "cudaFree"});
  EXPECT_TRUE(floor.oldestOpened);
  EXPECT_THAT(floor.deciding, IsEmpty());
  EXPECT_EQ(floor.imports, 2u);
  EXPECT_EQ(floor.requirement, "nvidia-cuda-runtime-cu12>=12.0,<13");
}

// A library of one name in two majors: the least line of either, and the version for the asked one.
TEST(Floors, ofANameInTwoMajorsTheOlderServesToo) {
  LibraryFloor floor = floorOf("libcusparse.so.12", {"cusparseCreate"}, 13);
  EXPECT_EQ(floor.cuda, (CudaVersion{13, 0}));
  EXPECT_EQ(floor.serves, (CudaVersion{12, 0}));
  EXPECT_EQ(floorOf("libcusparse.so.12", {"cusparseCreateBsr"}, 13).serves, (CudaVersion{12, 1}));
  EXPECT_FALSE(floorOf("libcusparse.so.12", {"cusparseCreate"}, 12).serves.known());
  EXPECT_FALSE(floorOf("libcublas.so.13", {"cublasCreate_v2"}, 13).serves.known());
}

// SY-7: not the first version of its minor, so the minor alone would be wrong.
TEST(Floors, aPatchReleaseIsNamedInFull) { // SY-7
  LibraryFloor floor = floorOf("libcublas.so.13", {"cublasSetEmulationSpecialValuesSupport"}, 13);
  EXPECT_EQ(floor.least.str(), "13.1.0.3");
  EXPECT_EQ(floorOf("libcusparse.so.12", {"cusparseCreateBsr"}).least.str(), "12.1.0.106");
  LibraryFloor cupti = floorOf("libcupti.so.12", {"cuptiRangeProfilerEnable"});
  EXPECT_EQ(cupti.least.str(), "12.6.80");
  EXPECT_EQ(cupti.requirement, "nvidia-cuda-cupti-cu12>=12.6.80,<13");
}

// SY-8: a name that was removed for good is an upper bound.
TEST(Floors, aNameThatVanishedBoundsFromAbove) { // SY-8
  LibraryFloor floor = floorOf("libcupti.so.12", {"cuptiDeviceGetTimestamp"});
  EXPECT_TRUE(floor.known());
  EXPECT_THAT(floor.exceptions, Contains("12.2.60"));
  EXPECT_EQ(floor.requirement, "nvidia-cuda-cupti-cu12>=12.0,<12.2");
}

// SY-8, V-TG-17: removed and added again.
TEST(Floors, aGapIsExcluded) { // SY-8, V-TG-17
  LibraryFloor floor = floorOf("libcudnn_graph.so.9", {"cudnnBackendUpdateCudaGraph"});
  EXPECT_EQ(floor.requirement, "nvidia-cudnn-cu12>=9.2,<10,!=9.3.*,!=9.4.*");
  EXPECT_THAT(floor.exceptions, Contains("9.3.0.75"));
  EXPECT_FALSE(llvm::is_contained(floor.exceptions, "9.5.0.50"));
}

TEST(Floors, aNameOfNoVersionHasNoFloor) {
  LibraryFloor floor = floorOf("libcudart.so.12", {"cudaMalloc", "cudaThingOfTomorrow"});
  EXPECT_FALSE(floor.known());
  EXPECT_THAT(floor.deciding, ElementsAre("cudaThingOfTomorrow"));
  EXPECT_TRUE(floor.requirement.empty());
}

TEST(Floors, librariesOfAnotherMajorAreLeftOut) {
  EXPECT_THAT(policy::floorsOf(extension({import("libcudart.so.13", "cudaMalloc")}), 12),
              IsEmpty());
  EXPECT_THAT(policy::floorsOf(extension({import("libcudart.so.13", "cudaMalloc")}), 13),
              SizeIs(1));
}

// F11.
TEST(Floors, theDriverByTheAgeOfItsNames) { // F11
  auto floors =
      policy::floorsOf(extension({{"cuGreenCtxCreate", "", "", false}}, {"libcuda.so.1"}), 12);
  ASSERT_THAT(floors, SizeIs(1));
  EXPECT_EQ(floors[0].cuda, (CudaVersion{12, 4}));
  EXPECT_TRUE(floors[0].dist.empty());
  EXPECT_TRUE(floors[0].known());
  EXPECT_TRUE(floors[0].requirement.empty());
}

TEST(Floors, theMajorOfAFile) {
  EXPECT_EQ(policy::majorOf(extension({}, {"libcudart.so.12", "libcusparse.so.12"})), 12u);
  EXPECT_EQ(policy::majorOf(extension({}, {"libcudart.so.13", "libcusparse.so.12"})), 13u);
  // libcusparse.so.12 is of CUDA 12 and 13; the two others contradict each other.
  EXPECT_EQ(policy::majorOf(extension({}, {"libcusparse.so.12"})), 0u);
  EXPECT_EQ(policy::majorOf(extension({}, {"libcudart.so.12", "libcudart.so.13"})), 0u);
  EXPECT_EQ(policy::majorOf(extension({}, {"libc.so.6"})), 0u);
  EXPECT_EQ(policy::majorOf(extension({import("libnvJitLink.so.12", "x")})), 12u);
}

static std::string textOf(const core::Target &target, llvm::ArrayRef<core::LibraryFloor> floors,
                          unsigned major) {
  auto fix = policy::runtimeServing(target, floors, major);
  return fix ? fix->text : "";
}

TEST(Fixes, theFirstTorchIsFoundByItsLibraries) {
  core::Target target = cudacc::test::BinaryJudging::targetOf("torch==2.5.1");
  auto floors =
      policy::floorsOf(extension({import("libnvJitLink.so.12", "__nvJitLinkCreate_12_5")}), 12);
  EXPECT_EQ(textOf(target, floors, 12), "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)");
  // torch 2.7 pins cuSOLVER 11.7.1.2, which belongs to 12.6.2.
  floors = policy::floorsOf(extension({import("libcusolver.so.11", "cusolverDnXgeev")}), 12);
  EXPECT_THAT(textOf(target, floors, 12), HasSubstr("torch>=2.7.0"));
  floors = policy::floorsOf(extension({import("libcudart.so.13", "cudaMalloc")}), 13);
  EXPECT_THAT(textOf(target, floors, 13), HasSubstr("torch>=2.11.0 (CUDA 13.0)"));
  target = cudacc::test::BinaryJudging::targetOf("torch==2.11.0");
  floors = policy::floorsOf(extension({import("libcudart.so.12", "cudaMalloc")}), 12);
  EXPECT_THAT(textOf(target, floors, 12), HasSubstr("lower the runtime to torch==2.10"));
  floors = policy::floorsOf(extension({import("libcudart.so.12", "cudaThingOfTomorrow")}), 12);
  EXPECT_EQ(textOf(target, floors, 12), "");
}

TEST(Runtimes, everyTorchAndEveryLine) {
  auto runtimes = resolve::knownRuntimes();
  EXPECT_THAT(runtimes, Contains("torch==2.5.1"));
  EXPECT_THAT(runtimes, Contains("torch==2.11.0"));
  EXPECT_THAT(runtimes, Contains("cuda==12.4"));
  for (const std::string &runtime : runtimes) {
    Declaration declaration;
    declaration.runtime.push_back({runtime, {}});
    auto target = resolve::resolve(declaration);
    ASSERT_TRUE(bool(target)) << runtime;
  }
}

TEST(Floors, ofSeveralNamesThoseThatAreNewDecide) {
  LibraryFloor floor =
      floorOf("libcudart.so.12", {"cudaMalloc", "cudaGetDriverEntryPointByVersion"});
  EXPECT_THAT(floor.deciding, ElementsAre("cudaGetDriverEntryPointByVersion"));
  floor = floorOf("libnvJitLink.so.12", {"__nvJitLinkCreate_12_0"});
  EXPECT_TRUE(floor.oldestOpened);
  EXPECT_THAT(floor.deciding, IsEmpty());
}

TEST(Floors, versionsThatLackANameAgainAreListed) { // SY-8
  EXPECT_THAT(floorOf("libcudnn_graph.so.9", {"cudnnBackendUpdateCudaGraph"}).exceptions,
              ElementsAre("9.3.0.75", "9.4.0.58"));
  EXPECT_THAT(floorOf("libcupti.so.12", {"cuptiDeviceGetTimestamp"}).exceptions.back(),
              testing::StartsWith("12.9."));
}

TEST(Floors, aMinorIsExcludedWhereNoVersionOfItHasTheNames) {
  auto versions = [](std::initializer_list<const char *> texts) {
    std::vector<Version> all;
    for (const char *text : texts)
      all.push_back(*Version::parse(text));
    return all;
  };
  EXPECT_EQ(policy::excluding(versions({"9.3.0", "9.3.1", "9.4.0"}), versions({"9.2.0", "9.5.0"})),
            ",!=9.3.*,!=9.4.*");
  EXPECT_EQ(policy::excluding(versions({"9.3.1", "9.3.2"}), versions({"9.3.0", "9.4.0"})),
            ",!=9.3.1,!=9.3.2");
  EXPECT_EQ(policy::excluding({}, versions({"9.3.0"})), "");
}

TEST(Floors, noVersionHasANameThatIsGoneAndOneThatIsNew) {
  LibraryFloor floor =
      floorOf("libcupti.so.12", {"cuptiDeviceGetTimestamp", "cuptiRangeProfilerEnable"});
  EXPECT_FALSE(floor.known());
  EXPECT_THAT(floor.deciding, ElementsAre("cuptiDeviceGetTimestamp", "cuptiRangeProfilerEnable"));
}

// F11: of the names of the driver, in any order, those of the newest CUDA decide.
TEST(Floors, theNewestNamesOfTheDriverDecide) { // F11
  auto floorOfDriver = [](std::vector<const char *> symbols) {
    std::vector<Import> imports;
    for (const char *symbol : symbols)
      imports.push_back({symbol, "", "", false});
    auto floors = policy::floorsOf(extension(imports, {"libcuda.so.1"}), 12);
    EXPECT_EQ(floors.size(), 1u);
    return floors.empty() ? LibraryFloor() : floors[0];
  };
  LibraryFloor floor =
      floorOfDriver({"cuGreenCtxCreate", "cuInit", "cuGreenCtxDestroy", "cuNoSuchThing"});
  EXPECT_EQ(floor.cuda, (CudaVersion{12, 4}));
  EXPECT_FALSE(floor.oldestOpened);
  EXPECT_THAT(floor.deciding, ElementsAre("cuGreenCtxCreate", "cuGreenCtxDestroy"));
  EXPECT_THAT(floor.unknown, ElementsAre("cuNoSuchThing"));
  floor = floorOfDriver({"cuProfilerStart"});
  EXPECT_TRUE(floor.oldestOpened);
  EXPECT_THAT(floor.deciding, IsEmpty());
  floor = floorOfDriver({"cuNoSuchThing"});
  EXPECT_FALSE(floor.known());
  EXPECT_FALSE(floor.oldestOpened);
}

TEST(Floors, aNameThatIsAGuessHasNoFloor) {
  BinaryFacts facts = extension({{"cudaNoSuchThing", "", "", false}}, {"libcudart.so.12"});
  auto floors = policy::floorsOf(facts, 12);
  ASSERT_THAT(floors, SizeIs(1));
  EXPECT_FALSE(floors[0].known());
  EXPECT_THAT(floors[0].deciding, IsEmpty());
  facts.imports.push_back(import("libcudart.so.12", "cudaMalloc"));
  EXPECT_EQ(policy::floorsOf(facts, 12).at(0).requirement, "nvidia-cuda-runtime-cu12>=12.0,<13");
}

TEST(Floors, aNameOfALibraryThatWasNotReadIsUnknown) {
  LibraryFloor floor = floorOf("libcudla.so.1", {"cudlaCreateDevice"}, 13);
  EXPECT_FALSE(floor.known());
  EXPECT_THAT(floor.unknown, ElementsAre("cudlaCreateDevice"));
  EXPECT_THAT(floor.deciding, IsEmpty());
}

TEST(Floors, aNeededLibraryThatNothingIsImportedFromHasToBeThere) {
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaGetDriverEntryPointByVersion")},
                                {"libcublas.so.12", "libmine.so", "libcuda.so.1"});
  std::vector<std::string> requirements;
  for (const LibraryFloor &floor : policy::floorsOfNeeded(facts, 12))
    requirements.push_back(floor.requirement);
  EXPECT_THAT(requirements,
              ElementsAre("nvidia-cuda-runtime-cu12>=12.5,<13", "nvidia-cublas-cu12>=12.0,<13"));
}

namespace {

/// The index of a version.
size_t indexOf(const tables::SymbolTable &table, llvm::StringRef version) {
  size_t index = 0;
  while (table.at(index).version != version)
    ++index;
  return index;
}

} // namespace

// 12.0.76, 12.0.140, 12.1.55, 12.1.105, 12.2.91 and newer ones were read.
TEST(Versions, areShortWhereAMinorBeginsOrEnds) {
  auto table = *tables::SymbolTable::find("libnvJitLink.so.12", 12);
  EXPECT_EQ(policy::describe(table, {{0, 0}}), "12.0.76 and older");
  EXPECT_EQ(policy::describe(table, {{0, 1}}), "12.0 and older");
  EXPECT_EQ(policy::describe(table, {{2, 3}}), "12.1");
  EXPECT_EQ(policy::describe(table, {{2, 4}}), "12.1 to 12.2.91");
  EXPECT_EQ(policy::describe(table, {{2, 3}, {5, table.size() - 1}}), "12.1, and 12.2.128 on");
}

TEST(Versions, areAsLongAsTheyHaveToBe) {
  auto cutensor = *tables::SymbolTable::find("libcutensor.so.2", 12);
  EXPECT_EQ(policy::shortFrom(cutensor, indexOf(cutensor, "2.0.1")), "2.0.1");
  auto nccl = *tables::SymbolTable::find("libnccl.so.2", 12);
  EXPECT_EQ(policy::shortFrom(nccl, indexOf(nccl, "2.26.2.post1")), "2.26.2.post1");
}
