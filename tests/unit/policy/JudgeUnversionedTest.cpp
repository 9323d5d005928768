// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
using JudgingUnversioned = BinaryJudging;

/// Linked with the library, and imports names without versions.
BinaryFacts unversioned(std::vector<const char *> symbols, std::vector<std::string> needed) {
  std::vector<Import> imports;
  for (const char *symbol : symbols)
    imports.push_back({symbol, "", "", false});
  return extension(std::move(imports), std::move(needed));
}
} // namespace

// Imports without a version requirement: the NEEDED libraries that export the name.
TEST_F(JudgingUnversioned, anUnversionedImportIsCheckedInTheNeededLibrary) { // SY-1
  Target target = targetOf("torch==2.5.1");
  setVersion(target, "libnccl.so.2", "2.21.5");
  BinaryFacts facts = extension({{"ncclAllReduce", "", "", false}}, {"libnccl.so.2"});
  EXPECT_THAT(judge(target, facts), IsEmpty());
  facts.imports[0].symbol = "ncclPutSignal";
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(findings[0].library, "libnccl.so.2");
  // By its form a name of NCCL, in no version that was read: perhaps in a newer one, and not in
  // this one.
  facts.imports[0].symbol = "ncclThingOfTomorrow";
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  // Not NVIDIA's.
  facts.imports[0].symbol = "my_own_function";
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// An extension that is not linked to what the framework has loaded.
TEST_F(JudgingUnversioned, namesWithoutNeededAreCheckedInTheRuntime) {
  BinaryFacts facts = extension({{"cudaMalloc", "", "", false}});
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].library, "libcudart.so.12");
  facts.kind = BinaryKind::Relocatable;
  judge("cuda==12.4", facts);
  EXPECT_THAT(findings, IsEmpty()) << "what is not linked is NEEDED by nothing";
  facts.kind = BinaryKind::SharedObject;
  facts.soname = "libcublas.so.12";
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty()) << "NVIDIA's own are loaded beside others";
  facts.soname.clear();
  // torch has loaded it before.
  facts.needed = {"libtorch.so"};
  EXPECT_THAT(judge("torch==2.5.1", facts), IsEmpty());
  facts = extension({{"cudaGetDriverEntryPointByVersion", "", "", false}});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ImportMissing));
  facts = extension({{"__nvJitLinkCreate_13_0", "", "", false}});
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NotFound));
  // The names that nvblas exports are those of every BLAS.
  facts = extension({{"dgemm_", "", "", false}});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

// cuDNN 9 has it in two libraries, and either may have it.
TEST_F(JudgingUnversioned, namesWithoutNeededMayBeAnyLibrarys) {
  Target target = targetOf("torch==2.5.1");
  for (const char *soname : {"libcudnn.so.9", "libcudnn_graph.so.9"})
    rowOf(target, soname).path = std::string("/v/") + soname;
  BinaryFacts facts = unversioned({"cudnnBackendExecute"}, {"libtorch.so"});
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  installed["libcudnn_graph.so.9"] = {"cudnnBackendExecute"};
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// libnvimgcodec exports the driver's names too, but is not a driver.
TEST_F(JudgingUnversioned, theDriversNamesAreTheDrivers) {
  BinaryFacts facts = extension({{"cuInit", "", "", false}});
  facts.kind = BinaryKind::Relocatable;
  EXPECT_THAT(judge("torch==2.5.1", facts), IsEmpty());
  for (const LibraryFloor &floor : policy::floorsOf(facts, 12))
    EXPECT_EQ(floor.soname, "libcuda.so.1");
}

// Linked against a stub or with --unresolved-symbols=ignore-all: the linker found no library that
// defines it.
TEST_F(JudgingUnversioned, aNameThatAnotherMajorHadIsRefusedWithoutAVersion) {
  BinaryFacts facts =
      unversioned({"cudaThreadSynchronize"}, {"libcudart.so.13", "libstdc++.so.6", "libc.so.6"});
  ASSERT_THAT(judge("cuda==13.0", facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(findings[0].message, "libcudart.so.13 lacks cudaThreadSynchronize");
  EXPECT_EQ(fact(findings[0], "gone since"), "CUDA 13.0");
  EXPECT_EQ(fact(findings[0], "instead"), "cudaDeviceSynchronize");
  ASSERT_FALSE(findings[0].fixes.empty());
  EXPECT_EQ(findings[0].fixes[0],
            "build with cudaDeviceSynchronize instead of cudaThreadSynchronize");
  facts.needed[0] = "libcudart.so.12";
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

TEST_F(JudgingUnversioned, anInventedNameInALibrarysFashionIsRefused) {
  for (auto [symbol, library] : {std::pair("cudaNoSuchThing", "libcudart.so.13"),
                                 {"__cudaNoSuchThing", "libcudart.so.13"},
                                 {"cublasNoSuchThing", "libcublas.so.13"},
                                 {"cusparseNoSuchThing", "libcusparse.so.12"},
                                 {"cufftNoSuchThing", "libcufft.so.12"},
                                 {"nvJitLinkNoSuchThing", "libnvJitLink.so.13"},
                                 {"ncclNoSuchThing", "libnccl.so.2"},
                                 {"nvrtcNoSuchThing", "libnvrtc.so.13"},
                                 {"nvrtcNoSuchThing", "libnvrtc.alt.so.13"}}) {
    BinaryFacts facts = unversioned({symbol}, {library, "libc.so.6"});
    EXPECT_THAT(judge("torch==2.11.0", facts), ElementsAre(Code::ImportMissing)) << symbol;
    // A name of another library, or one without a recognised form.
    facts.needed[0] = "libcurand.so.10";
    EXPECT_THAT(judge("torch==2.11.0", facts), IsEmpty()) << symbol;
  }
  for (const char *symbol : {"cudahelper", "cuda_helper", "cuda", "acudaHelper", "cublasxHelper"})
    EXPECT_THAT(judge("cuda==13.0", unversioned({symbol}, {"libcudart.so.13", "libcublas.so.13"})),
                IsEmpty())
        << symbol;
}

TEST_F(JudgingUnversioned, aNewLibraryOfTheRuntimeMayHaveAnInventedName) {
  Target target = targetOf("cuda==13.0");
  for (const char *soname : {"libcudart.so.13", "libcublas.so.13"})
    rowOf(target, soname).path = std::string("/v/") + soname;
  BinaryFacts facts = unversioned({"cudaNoSuchThing"}, {"libcudart.so.13", "libcublas.so.13"});
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  installed["libcublas.so.13"] = {"cudaNoSuchThing"};
  EXPECT_THAT(judge(target, facts), IsEmpty());
  installed.clear();
  facts.soname = "libcublasLt.so.13";
  EXPECT_THAT(judge(target, facts), IsEmpty()) << "NVIDIA's own are loaded beside others";
}

TEST_F(JudgingUnversioned, aProjectsOwnNameInThatFashionIsItsOwn) {
  BinaryFacts facts = unversioned({"cudaHelper"}, {"libcudart.so.13", "libmine.so"});
  input.others = ofOthers;
  others = Exported::Yes;
  EXPECT_THAT(judge("cuda==13.0", facts), IsEmpty());
  others = Exported::No;
  EXPECT_THAT(judge("cuda==13.0", facts), ElementsAre(Code::ImportMissing));
  // It cannot be determined: a guess neither rejects the file nor makes it unknown.
  others = Exported::Unknown;
  EXPECT_THAT(judge("cuda==13.0", facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Accept);
  EXPECT_EQ(fact(findings[0], "because"), "not read, and may define it: libmine.so");
  EXPECT_THAT(findings[0].fixes, ElementsAre(testing::HasSubstr("env:PATH")));
  Target environment = targetOf("cuda==13.0");
  environment.sitePackages = {"/venv"};
  EXPECT_THAT(judge(environment, facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  input.others.reset();
  judge("cuda==13.0", facts);
  EXPECT_EQ(outcome(), Outcome::Accept);
}

TEST_F(JudgingUnversioned, whoMayDefineAVanishedNameIsAskedToo) {
  BinaryFacts facts = unversioned({"cudaThreadSynchronize"}, {"libcudart.so.13", "libmine.so"});
  EXPECT_THAT(judge("cuda==13.0", facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

// TensorFlow's own libraries have NVSHMEM's names, and no file NEEDs libnvshmem_host.
TEST_F(JudgingUnversioned, aNameThatALibraryOfTheProcessDefinesIsNotNvidias) {
  BinaryFacts facts = unversioned({"nvshmem_malloc"}, {"libmine.so"});
  EXPECT_THAT(judge("torch==2.11.0", facts), Not(IsEmpty()));
  input.others = ofOthers;
  others = Exported::Yes;
  EXPECT_THAT(judge("torch==2.11.0", facts), IsEmpty());
}
