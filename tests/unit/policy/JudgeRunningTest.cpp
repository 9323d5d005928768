// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/Processes.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::Processes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
struct JudgingProcess : Processes {
  std::string factOf(llvm::StringRef label) const {
    for (const Finding &finding : findings)
      for (const Fact &fact : finding.facts)
        if (fact.label == label)
          return fact.text;
    return {};
  }
};
} // namespace

TEST_F(JudgingProcess, whatLoadsIsAccepted) {
  take("libnvJitLink.so.12", (std::string(test::site) + "/nvidia/nvjitlink/lib").c_str(),
       "12.4.127", "RPATH");
  EXPECT_THAT(errors(), IsEmpty());
  EXPECT_THAT(findings, IsEmpty());
}

TEST_F(JudgingProcess, aLibraryOfNvidiasLacksASymbol) { // KC-1
  lacks("__nvJitLinkComplete_12_4", "libnvJitLink.so.12", "/w/libcusparse.so.12");
  take("libnvJitLink.so.12", "/old", "12.0.140", "LD_LIBRARY_PATH", "/old");
  EXPECT_THAT(errors(), ElementsAre(Code::NvJitLinkNewer));
  EXPECT_EQ(findings[0].message,
            "libcusparse.so.12 imports __nvJitLinkComplete_12_4, which libnvJitLink.so.12 lacks");
  EXPECT_EQ(factOf("taken"), "12.0.140 at /old/libnvJitLink.so.12");
  EXPECT_EQ(factOf("because"), "LD_LIBRARY_PATH");
  EXPECT_THAT(factOf("instead of"), HasSubstr("12.4.127 at "));
  EXPECT_EQ(factOf("first in"), "12.4");
  lacks("__nvJitLinkNoSuchThing", "libnvJitLink.so.12");
  binding.missing.push_back("__nvJitLinkComplete_12_4");
  errors();
  EXPECT_EQ(factOf("first in"), "no version that is known");
}

TEST_F(JudgingProcess, aFindingIsReportedOnce) {
  lacks("__nvJitLinkCreate_12_5", "libnvJitLink.so.12");
  Finding said;
  said.code = Code::NvJitLinkNewer;
  said.library = "libnvJitLink.so.12";
  said.symbol = "__nvJitLinkCreate_12_5";
  said.fixes = {"pip install something that was not tried"};
  EXPECT_THAT(errors({said}), ElementsAre(Code::NvJitLinkNewer));
  EXPECT_THAT(findings[0].fixes, IsEmpty()) << "fixes are simulated, and reported separately";
}

TEST_F(JudgingProcess, otherRulesKeepTheirFixes) {
  Finding driver;
  driver.code = Code::DriverBranch;
  driver.fixes = {"update the driver"};
  EXPECT_THAT(errors({driver}), ElementsAre(Code::DriverBranch));
  EXPECT_THAT(findings[0].fixes, ElementsAre("update the driver"));
}

TEST_F(JudgingProcess, aSymbolThatNothingDefinesIsNamed) {
  lacks("_ZN3c105Error4whatEv", "");
  binding.provider.clear();
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
  EXPECT_THAT(factOf("because"), HasSubstr("torch's C++ interface"));
}

// torch is installed, in another release than the file was built with.
TEST_F(JudgingProcess, aNameThatTheInstalledTorchLacks_CC4129) {
  lacks("_ZNK3c1010TensorImpl15decref_pyobjectEv", "");
  binding.missing.push_back("_ZN2at5emptyEv");
  file.needed = {"libc10.so"};
  process.torch = "2.5.1+cu124";
  EXPECT_THAT(errors(), ElementsAre(Code::TorchLacks));
  EXPECT_EQ(findings[0].message.substr(0, 24), "torch 2.5.1+cu124 lacks ");
  EXPECT_EQ(findings[0].symbol, "_ZNK3c1010TensorImpl15decref_pyobjectEv");
  EXPECT_EQ(factOf("name"), "c10::TensorImpl::decref_pyobject() const");
  EXPECT_EQ(factOf("and"), "1 more: at::empty");
}

TEST_F(JudgingProcess, theInstalledTorchHasTheOtherStrings_CC4130) {
  lacks("_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_traits"
        "IcESaIcEEE",
        "");
  file.needed = {"libc10.so"};
  process.torch = "2.5.1";
  process.torchStrings = policy::StringAbi::Old;
  EXPECT_THAT(errors(), ElementsAre(Code::TorchStrings));
  EXPECT_THAT(factOf("torch"), HasSubstr("_GLIBCXX_USE_CXX11_ABI=0"));
}

TEST_F(JudgingProcess, aLibraryThatNothingLoadedIsNamed) {
  lacks("__nvJitLinkCreate_12_4", "");
  binding.provider.clear();
  EXPECT_THAT(errors(), ElementsAre(Code::SymbolMissing));
  EXPECT_EQ(findings[0].library, "libnvJitLink.so.12");
}

TEST_F(JudgingProcess, aNameThatNvccGeneratedIsExplained) {
  lacks("__cudaRegisterLinkedBinary_1fcf7e33_4_a_cu_f", "");
  binding.provider.clear();
  EXPECT_THAT(errors(), ElementsAre(Code::SymbolMissing));
  EXPECT_EQ(findings[0].message, "relocatable device code without its device link");
  EXPECT_EQ(factOf("symbol"), binding.symbol);
  ASSERT_THAT(findings[0].fixes, testing::SizeIs(2));
  EXPECT_THAT(findings[0].fixes[0], HasSubstr("nvcc -dlink"));

  Finding said = findings[0];
  findings.clear();
  EXPECT_THAT(errors({said}), ElementsAre(Code::SymbolMissing));
  EXPECT_EQ(
      llvm::count_if(findings[0].facts, [](const Fact &fact) { return fact.label == "because"; }),
      1);
}

TEST_F(JudgingProcess, versionsThatEndTheProcess) { // SY-15
  binding.importer = path();
  binding.file = binding.node = "libp.so.13";
  binding.ends = BindingFailure::Ends::Process;
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
  binding.file = binding.node = "libnvJitLink.so.12";
  EXPECT_THAT(errors(), ElementsAre(Code::VersionNodes));
}

TEST_F(JudgingProcess, aNewerSystemsVersion) { // SY-13
  binding.importer = path();
  binding.file = "libc.so.6";
  binding.node = "GLIBC_2.38";
  binding.provider = "/lib/x86_64-linux-gnu/libc.so.6";
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
  EXPECT_THAT(factOf("because"), HasSubstr("newer system"));
}

TEST_F(JudgingProcess, aMissingLibraryIsAnErrorWhateverItIs) {
  lacksFile("libown.so.1");
  Finding mild;
  mild.code = Code::NotFound;
  mild.severity = Severity::Warning;
  mild.library = "libown.so.1";
  EXPECT_THAT(errors({mild}), ElementsAre(Code::NotCudas));
  EXPECT_EQ(findings.size(), 1u);
}

TEST_F(JudgingProcess, whatIsOpenedOnDemandIsARemark) {
  lacksFile("libmlx5.so.1");
  process.isOnDemand = true;
  EXPECT_THAT(errors(), IsEmpty());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, Code::OnDemand);
  process.isOnDemand = false;
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
  // A missing CUDA library is an error even for a file that is opened on demand.
  lacksFile("libcudart.so.12");
  process.isOnDemand = true;
  EXPECT_THAT(errors(), ElementsAre(Code::NotFound));
}

TEST_F(JudgingProcess, whatTheProcessContradictsIsLeftOut) {
  Finding missing;
  missing.code = Code::ImportMissing;
  missing.library = "libnvshmem_host.so.3";
  missing.symbol = "nvshmem_init";
  Finding unneeded = missing;
  unneeded.code = Code::NotFound;
  unneeded.severity = Severity::Warning;
  process.isComplete = true;
  EXPECT_THAT(errors({missing, unneeded}), IsEmpty());
  EXPECT_THAT(findings, IsEmpty()) << "the file loads with what it leads to";
  // Other files have loaded it before.
  before = {"torch"};
  EXPECT_THAT(errors({missing, unneeded}), IsEmpty());
  EXPECT_EQ(findings.size(), 1u);
  // Not all files could be read.
  process.isComplete = false;
  EXPECT_THAT(errors({missing}), ElementsAre(Code::ImportMissing));
}

TEST_F(JudgingProcess, aMachineWithoutDriverIsUnknown) { // V-DR-11
  lacksFile("libcuda.so.1");
  EXPECT_THAT(errors(), ElementsAre(Code::DriverAbsent));
  Verdict verdict;
  verdict.append(findings);
  EXPECT_EQ(verdict.outcome(), Outcome::Unknown);
}

TEST_F(JudgingProcess, aStubIsRefused) { // RP-7
  take("libcuda.so.1", "/opt/cuda/lib64/stubs", "", "LD_LIBRARY_PATH", "/opt/cuda/lib64/stubs");
  EXPECT_THAT(errors(), ElementsAre(Code::StubTaken));
  loaded[0].path = "/usr/lib/libcuda.so.1";
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(JudgingProcess, anotherCopyIsAWarning) { // LS-20
  take("libnvJitLink.so.12", "/other", "12.6.85", "LD_LIBRARY_PATH", "/other");
  EXPECT_THAT(errors(), IsEmpty());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, Code::OtherCopyTaken);
}

TEST_F(JudgingProcess, twoCopiesAreAWarning) { // LS-45
  std::string own = std::string(test::site) + "/nvidia/cuda_runtime/lib";
  take("libcudart.so.12", own.c_str(), "12.4.127", "RPATH");
  take("libcudart-96c42e41.so.12", "/x", "", "RPATH");
  EXPECT_THAT(errors(), IsEmpty());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, Code::TwoCopies);
  loaded.pop_back();
  take("libcudart.so.13", "/y", "13.0.96", "RPATH");
  errors();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message, "two copies of libcudart in one process");
}
