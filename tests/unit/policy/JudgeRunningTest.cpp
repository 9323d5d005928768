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
  std::vector<std::string> labels() const {
    std::vector<std::string> labels;
    for (const Fact &fact : findings.at(0).facts)
      labels.push_back(fact.label);
    return labels;
  }
  /// The codes and libraries of all findings.
  std::vector<std::string> said(std::vector<Finding> given) {
    errors(std::move(given));
    std::vector<std::string> said;
    for (const Finding &each : findings)
      said.push_back(std::string(str(each.code)) + " " + each.library);
    return said;
  }
  static Finding about(Code code, const char *library, const char *symbol = "",
                       std::vector<Fact> facts = {}) {
    Finding finding = makeFinding(code, "of the rules");
    finding.library = library;
    finding.symbol = symbol;
    finding.facts = std::move(facts);
    return finding;
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
  binding.missing.push_back("_ZN3own3runEv");
  take("libcudart.so.12", "/new", "12.8.90", "RPATH");
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
  lacks("cudlaNoSuchThing", "libcudla.so.1");
  take("libcudla.so.1", "/own", "", "RPATH");
  EXPECT_THAT(errors(), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(factOf("first in"), "no version that is known");
  EXPECT_THAT(labels(), ElementsAre("taken", "because", "first in"));
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

TEST_F(JudgingProcess, whatIsSaidOfAnotherSymbolOrLibraryIsNotTheSame) {
  constexpr const char *symbol = "__nvJitLinkCreate_12_5", *library = "libnvJitLink.so.12";
  lacks(symbol, library);
  auto count = [&](const Finding &given) {
    errors({given});
    return findings.size();
  };
  Code code = Code::NvJitLinkNewer;
  std::string both = std::string("__nvJitLinkAddData_12_5, ") + symbol;
  EXPECT_EQ(count(about(code, library, symbol)), 1u);
  EXPECT_EQ(count(about(code, library, "other", {{"symbols", both}})), 1u);
  EXPECT_EQ(count(about(code, library, "other", {{"symbols", "another"}})), 2u);
  EXPECT_EQ(count(about(code, library, "other", {{"because", both}})), 2u);
  EXPECT_EQ(count(about(code, "libcudart.so.12", symbol)), 2u);
  Finding mild = about(code, library, symbol);
  mild.severity = Severity::Warning;
  EXPECT_EQ(count(mild), 2u);
}

TEST_F(JudgingProcess, aFindingIsCompletedByTheProcess) {
  constexpr const char *symbol = "__nvJitLinkCreate_12_5", *library = "libnvJitLink.so.12";
  auto completed = [&](Fact fact) {
    errors({about(Code::NvJitLinkNewer, library, symbol, {{"runtime", "cuda==12.4"}, fact})});
    return labels();
  };
  lacks(symbol, library);
  EXPECT_THAT(completed({"has", "12.4.127"}), ElementsAre("has")) << "no copy was taken";
  take(library, "/old", "12.0.140", "LD_LIBRARY_PATH", "/old");
  EXPECT_THAT(completed({"has", "12.0.140, at /old/libnvJitLink.so.12"}),
              ElementsAre("has", "because", "instead of"));
  EXPECT_THAT(completed({"has", "12.0.140, at /v/libnvJitLink.so.12"}),
              ElementsAre("has", "taken", "because", "instead of"));
  EXPECT_THAT(completed({"library", "/old/libnvJitLink.so.12"}),
              ElementsAre("library", "taken", "because", "instead of"));
  EXPECT_THAT(completed({"because", "LD_LIBRARY_PATH"}),
              ElementsAre("because", "taken", "instead of"));
  EXPECT_THAT(completed({"because", "it was replaced"}),
              ElementsAre("because", "taken", "because", "instead of"));
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

TEST_F(JudgingProcess, whatIsKnownOfASymbolIsSaid) {
  lacks("own_function", "libown.so");
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
  EXPECT_THAT(labels(), ElementsAre("asked of"));
  binding.provider.clear();
  errors();
  EXPECT_THAT(labels(), IsEmpty());
  binding.missing.push_back("other_function");
  errors();
  EXPECT_THAT(labels(), ElementsAre("symbols"));
  lacks("_ZN3own3runEv", "libown.so");
  binding.ends = BindingFailure::Ends::FirstCall;
  errors();
  EXPECT_THAT(labels(), ElementsAre("asked of", "symbol", "when"));
  lacks("cudaMalloc", "libown.so");
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas)) << "its version names another library";
}

TEST_F(JudgingProcess, torchIsBlamedForItsOwnNamesAlone) {
  constexpr const char *decref = "_ZNK3c1010TensorImpl15decref_pyobjectEv";
  constexpr const char *newCheck = "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_"
                                   "stringIcSt11char_traitsIcESaIcEEE";
  using policy::StringAbi;
  auto codes = [&](const char *symbol, StringAbi strings, bool needsTorch = true) {
    lacks(symbol, "", "/w/libother.so");
    file.needed.assign(needsTorch ? 1 : 0, "libc10.so");
    process.torch = "2.5.1";
    process.torchStrings = strings;
    return errors();
  };
  EXPECT_THAT(codes(newCheck, StringAbi::Old), ElementsAre(Code::TorchStrings));
  EXPECT_THAT(codes(newCheck, StringAbi::New), ElementsAre(Code::TorchLacks));
  EXPECT_THAT(codes(newCheck, StringAbi::None), ElementsAre(Code::TorchLacks));
  EXPECT_THAT(codes(decref, StringAbi::New), ElementsAre(Code::TorchLacks));
  EXPECT_EQ(factOf("imported by"), "/w/libother.so");
  EXPECT_THAT(codes(decref, StringAbi::New, false), ElementsAre(Code::NotCudas));
  EXPECT_THAT(codes("own_function", StringAbi::New), ElementsAre(Code::NotCudas));
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
  EXPECT_EQ(factOf("imported by"), "") << "the file itself";
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
  EXPECT_THAT(labels(), ElementsAre("imported by", "because", "symbol"));
  ASSERT_THAT(findings[0].fixes, testing::SizeIs(2));
  EXPECT_THAT(findings[0].fixes[0], HasSubstr("nvcc -dlink"));

  Finding said = findings[0];
  findings.clear();
  EXPECT_THAT(errors({said}), ElementsAre(Code::SymbolMissing));
  EXPECT_EQ(
      llvm::count_if(findings[0].facts, [](const Fact &fact) { return fact.label == "because"; }),
      1);
  lacks("__fatbinwrap_90d5bb61_4_b_cu_g", "");
  binding.provider.clear();
  binding.missing.push_back("__fatbinwrap_1fcf7e33_4_a_cu_f");
  errors();
  EXPECT_THAT(labels(), ElementsAre("imported by", "because", "symbols"));
  EXPECT_THAT(findings[0].fixes, testing::SizeIs(1));
}

TEST_F(JudgingProcess, versionsThatEndTheProcess) { // SY-15
  binding.importer = path();
  binding.file = binding.node = "libp.so.13";
  binding.ends = BindingFailure::Ends::Process;
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
  binding.file = binding.node = "libnvJitLink.so.12";
  EXPECT_THAT(errors(), ElementsAre(Code::VersionNodes));
  EXPECT_EQ(findings[0].message, "libnvJitLink.so.12 has a version need and is not loaded");
  binding.symbol = "nvJitLinkCreate";
  EXPECT_THAT(errors(), ElementsAre(Code::VersionNodes));
  EXPECT_EQ(findings[0].message, "libnvJitLink.so.12 has no versions there");
  binding.symbol.clear();
  binding.ends = BindingFailure::Ends::Load;
  EXPECT_THAT(errors(), ElementsAre(Code::VersionNodes));
  EXPECT_EQ(findings[0].message, "libnvJitLink.so.12 here has no version libnvJitLink.so.12");
  EXPECT_THAT(labels(), ElementsAre("imported by", "library"));
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

TEST_F(JudgingProcess, aMissingLibraryHasTheFactsThatAreKnown) {
  lacksFile("libown.so.1");
  errors();
  EXPECT_THAT(labels(), ElementsAre("searched"));
  load.askedBy = "/w/libother.so";
  copies.resize(3);
  copies[1].soname = "libown.so.1";
  errors();
  EXPECT_THAT(labels(), ElementsAre("needed by", "searched", "lies in"));
  load.askedBy.clear();
  load.searched.clear();
  copies.clear();
  errors();
  EXPECT_THAT(labels(), IsEmpty());
  lacksFile("libcuda.so.1");
  errors();
  EXPECT_THAT(labels(), IsEmpty()) << "it is installed with the driver";
}

TEST_F(JudgingProcess, aMissingLibraryIsReportedOnce) {
  lacksFile("libcudart.so.12");
  Finding mild = about(Code::NotFound, "libcudart.so.12");
  mild.severity = Severity::Warning;
  EXPECT_THAT(said({mild, about(Code::NotFound, "libcusparse.so.12"),
                    about(Code::DriverBranch, "libcudart.so.12")}),
              ElementsAre("CC4003 libcudart.so.12", "CC4003 libcusparse.so.12",
                          std::string(str(Code::DriverBranch)) + " libcudart.so.12"));
  said({about(Code::NotFound, "libcudart.so.12")});
  EXPECT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message, "of the rules");
}

TEST_F(JudgingProcess, whatADamagedLibraryExportsMeansNothing) {
  lacksFile("libcudart.so.12");
  load.unloadable = "/w/libcudart.so.12";
  load.failure = "/w/libcudart.so.12: file too short";
  EXPECT_THAT(said({about(Code::NotFound, "libcudart.so.12"), about(Code::Damaged, "libother.so"),
                    about(Code::ImportMissing, "libcudart.so.12", "cudaMalloc"),
                    about(Code::ImportMissing, "libcusparse.so.12", "cusparseCreate"),
                    about(Code::NotFound, "libcusparse.so.12"),
                    about(Code::VersionNodes, "libcudart.so.12")}),
              ElementsAre("CC4123 libcudart.so.12", "CC4001 libcusparse.so.12",
                          "CC4003 libcusparse.so.12", "CC4004 libcudart.so.12"));
}

TEST_F(JudgingProcess, aFileForAnotherMachineIsNamedAsSuch) {
  lacksFile("");
  load.missing = path();
  load.skipped = {path() + ": ELF of machine AArch64"};
  auto notFound = about(Code::NotFound, process.path.c_str());
  notFound.library = path();
  Finding other = about(Code::DriverBranch, "libcuda.so.1");
  std::string machine = str(Code::OtherMachine), branch = str(Code::DriverBranch);
  EXPECT_THAT(said({notFound, other}), ElementsAre(machine + " ", branch + " libcuda.so.1"));
  EXPECT_THAT(said({about(Code::OtherMachine, "")}), ElementsAre(machine + " "));
  EXPECT_EQ(findings[0].message, "of the rules");
  for (const std::string &skipped :
       {path() + ": wrong ELF class", std::string("/w/x: ELF of machine AArch64")}) {
    load.skipped = {skipped};
    EXPECT_THAT(errors(), testing::Not(testing::Contains(Code::OtherMachine))) << skipped;
  }
  load.missing = "libx.so";
  load.skipped = {path() + ": ELF of machine AArch64"};
  EXPECT_THAT(errors(), ElementsAre(Code::NotCudas));
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

TEST_F(JudgingProcess, aBoundProcessDisprovesWhatNamesSay) {
  process.isComplete = true;
  take("libcusparse.so.12", (std::string(test::site) + "/nvidia/cusparse/lib").c_str(),
       "12.3.1.170", "RPATH");
  for (Code code : {Code::NoExportList, Code::NotFound, Code::ImportMissing, Code::NvJitLinkNewer,
                    Code::VersionNodes, Code::SymbolMissing})
    EXPECT_THAT(said({about(code, "libcusparse.so.12", "cusparseCreate")}), IsEmpty()) << str(code);
  EXPECT_THAT(said({about(Code::DriverBranch, "libcuda.so.1")}), testing::SizeIs(1));
  EXPECT_THAT(said({about(Code::VersionNodes, "libcusparse.so.12")}), IsEmpty());
  EXPECT_THAT(said({about(Code::NotFound, "libcudart.so.13")}), IsEmpty());
  EXPECT_THAT(said({about(Code::NotFound, "libcusparse.so.12")}),
              ElementsAre("CC4003 libcusparse.so.12"))
      << "it is of another major";
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
  Finding error = about(Code::StubTaken, "libnvJitLink.so.12"), mild = error, other = error;
  mild.severity = Severity::Warning;
  other.library = "libcudart.so.12";
  EXPECT_THAT(said({error}), testing::SizeIs(1)) << "an error about it is enough";
  EXPECT_THAT(said({mild}), testing::SizeIs(2));
  EXPECT_THAT(said({other}), testing::SizeIs(2));
}

TEST_F(JudgingProcess, eachLibraryOnceIsNoFinding) { // LS-45
  take("libcudart.so.12", (std::string(test::site) + "/nvidia/cuda_runtime/lib").c_str(),
       "12.4.127", "RPATH");
  take("libcusparse.so.12", (std::string(test::site) + "/nvidia/cusparse/lib").c_str(),
       "12.3.1.170", "RPATH");
  for (const char *folder : {"/x", "/y"})
    take("libown.so", folder, "", "RPATH");
  take("libcudart.so.12", "/z", "", "RPATH");
  loaded.back().isCuda = false;
  EXPECT_THAT(said({}), IsEmpty());
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
