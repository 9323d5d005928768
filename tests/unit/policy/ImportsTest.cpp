// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Imports.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::extension;
using cudacc::test::import;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
/// `libcudart.so.12: cudaMalloc cudaFree`, for each library.
std::vector<std::string> attributed(std::vector<Import> imports, std::vector<std::string> needed,
                                    const Target *target = nullptr, unsigned major = 12) {
  BinaryFacts facts = extension(std::move(imports));
  facts.needed = std::move(needed);
  std::vector<std::string> lines;
  for (const policy::LibraryImports &library : policy::importsByLibrary(facts, major, target)) {
    std::string &line = lines.emplace_back(library.soname + ":");
    for (const policy::LibraryImports::Name &name : library.names)
      line += " " + name.symbol.str();
  }
  return lines;
}

Import bare(const char *symbol) { return {symbol, "", "", false}; }
} // namespace

TEST(Imports, aVersionNeedNamesTheLibrary) {
  EXPECT_THAT(attributed({import("libcudart.so.12", "cudaMalloc"), import("libc.so.6", "malloc")},
                         {"libcudart.so.13", "libc.so.6"}),
              ElementsAre("libcudart.so.12: cudaMalloc"));
  EXPECT_THAT(
      attributed({{"cudaMalloc", "libcudart.so.12", "", false}}, {"libcudart.so.13"}, nullptr, 13),
      ElementsAre("libcudart.so.12: cudaMalloc"));
}

TEST(Imports, aLibraryWithAVersionNeedIsNamedWhateverElseIsImported) {
  for (auto imports : {std::vector{bare("cudaFree"), import("libcudart.so.12", "cudaMalloc")},
                       {import("libcudart.so.12", "cudaMalloc"), bare("cudaFree")}}) {
    BinaryFacts facts = extension(imports);
    facts.needed.clear();
    auto libraries = policy::importsByLibrary(facts, 12);
    ASSERT_EQ(libraries.size(), 1u);
    EXPECT_EQ(libraries[0].names.size(), 2u);
    EXPECT_TRUE(libraries[0].named);
  }
}

TEST(Imports, theNeededLibraryThatExportsTheNameHasIt) {
  EXPECT_THAT(attributed({bare("cudaMalloc"), bare("my_own"), bare("cudaHelper2")},
                         {"libc.so.6", "libcublas.so.12", "libcudart.so.12", "libcudart.so.12"}),
              ElementsAre("libcudart.so.12: cudaMalloc cudaHelper2"));
  EXPECT_THAT(attributed({bare("my_own")}, {"libcudart.so.12"}), IsEmpty());
}

TEST(Imports, aNameInTheFashionOfTheDriverIsTheDrivers) {
  EXPECT_THAT(attributed({bare("cuNoSuchThing"), bare("cuda_helper"), bare("cu"), bare("cumulate")},
                         {"libcuda.so.1"}),
              ElementsAre("libcuda.so.1: cuNoSuchThing"));
  EXPECT_THAT(attributed({bare("nvmlNoSuchThing"), bare("cuNoSuchThing")}, {"libnvidia-ml.so.1"}),
              ElementsAre("libnvidia-ml.so.1: nvmlNoSuchThing"));
}

// nvjpeg2kDecode begins as the names of nvjpeg do, cuFileRead as those of the driver.
TEST(Imports, aNameThatALibraryExportsIsNotGuessedToBeOfAnother) {
  EXPECT_THAT(attributed({bare("nvjpeg2kDecode")}, {"libnvjpeg.so.12"}),
              ElementsAre("libnvjpeg2k.so.0: nvjpeg2kDecode"));
  EXPECT_THAT(attributed({bare("cuFileRead")}, {"libcuda.so.1"}),
              ElementsAre("libcufile.so.0: cuFileRead"));
  EXPECT_THAT(attributed({bare("cudnnBackendExecute")}, {"libcudnn_ops.so.9"}), IsEmpty())
      << "of two libraries, and neither is that one";
}

TEST(Imports, ofSeveralLibrariesTheRuntimesOrTheDriversHasTheName) {
  EXPECT_THAT(attributed({bare("cudnnBackendExecute")}, {}), IsEmpty());
  Target target;
  target.libraries.emplace_back().soname = "libcudnn_graph.so.9";
  EXPECT_THAT(attributed({bare("cudnnBackendExecute")}, {}, &target),
              ElementsAre("libcudnn_graph.so.9: cudnnBackendExecute"));
  EXPECT_THAT(attributed({bare("cuInit")}, {}), ElementsAre("libcuda.so.1: cuInit"));
  EXPECT_THAT(attributed({bare("cuInit")}, {}, &target), ElementsAre("libcuda.so.1: cuInit"));
}

TEST(Imports, theSuffixOfNvJitLinksNameIsItsMajor) {
  EXPECT_THAT(attributed({bare("__nvJitLinkNoSuchThing_13_9")}, {"libnvJitLink.so.12"}),
              ElementsAre("libnvJitLink.so.13: __nvJitLinkNoSuchThing_13_9"));
}

TEST(Imports, aNameOfAnotherMajorIsOfTheLibraryThatHadIt) {
  EXPECT_THAT(attributed({bare("cudaThreadSynchronize")}, {"libcublas.so.13", "libcudart.so.13"},
                         nullptr, 13),
              ElementsAre("libcudart.so.13: cudaThreadSynchronize"));
  EXPECT_THAT(attributed({bare("cudaThreadSynchronize")}, {"libcublas.so.13"}, nullptr, 13),
              IsEmpty());
}

TEST(Imports, namesOfTheCxxRuntime) {
  for (const char *symbol :
       {"__cxa_throw", "_Unwind_Resume", "_Znwm", "_ZdlPv", "_ZTISt9exception", "_ZTSSs",
        "_ZNKSt9exception4whatEv", "_ZNSt9exceptionD2Ev", "_ZGVZNSt3fooEvE1x", "_ZSt4cout"})
    EXPECT_TRUE(policy::isOfCxxRuntime(symbol)) << symbol;
  for (const char *symbol : {"Sample", "Start", "_ZN2at5StartEv", "_Z5Start", "_ZTIN2at1AE",
                             "cudaMalloc", "NSample", "__cudaRegisterFatBinary"})
    EXPECT_FALSE(policy::isOfCxxRuntime(symbol)) << symbol;
}
