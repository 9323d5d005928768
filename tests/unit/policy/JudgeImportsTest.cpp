// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using cudacc::test::import;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {
using JudgingImports = BinaryJudging;
constexpr const char *nvJitLink = "libnvJitLink.so.12";
constexpr const char *cudart = "libcudart.so.12";
} // namespace

// Built with nvJitLink 12.5, run with 12.4. AV-E02, V-TG-10, TG-5 (a).
TEST_F(JudgingImports, aNewerFamilyOfNvJitLinkIsRefused) { // AV-E02, V-TG-10
  nearby = {{"/opt/cuda-12.4", {12, 4}}, {"/opt/cuda-12.6", {12, 6}}};
  BinaryFacts facts = extension({import(nvJitLink, "__nvJitLinkDestroy_12_5"),
                                 import(nvJitLink, "__nvJitLinkCreate_12_5"),
                                 import(nvJitLink, "__nvJitLinkAddData_12_4")});
  ASSERT_THAT(judge("torch==2.5.1", facts), ElementsAre(Code::NvJitLinkNewer));
  const Finding &finding = findings[0];
  EXPECT_EQ(finding.message, "the runtime's nvJitLink lacks __nvJitLinkCreate_12_5");
  EXPECT_EQ(finding.library, nvJitLink);
  EXPECT_EQ(finding.symbol, "__nvJitLinkCreate_12_5");
  EXPECT_THAT(finding.origin, HasSubstr("pinned by torch 2.5.1"));
  EXPECT_EQ(fact(finding, "symbols"), "__nvJitLinkCreate_12_5, __nvJitLinkDestroy_12_5");
  EXPECT_EQ(fact(finding, "first in"), "12.5");
  EXPECT_THAT(fact(finding, "has"), HasSubstr("nvidia-nvjitlink-cu12 12.4.127"));
  EXPECT_EQ(fact(finding, "needs"), "nvidia-nvjitlink-cu12>=12.5,<13");
  ASSERT_THAT(finding.fixes, SizeIs(2));
  EXPECT_EQ(finding.fixes[0], "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)");
  EXPECT_EQ(finding.fixes[1], "use a CUDA toolkit <= 12.4 (found: /opt/cuda-12.4)");
  EXPECT_EQ(outcome(), Outcome::Reject);
  input.atLink = true;
  judge("torch==2.5.1", facts);
  EXPECT_THAT(findings[0].fixes,
              ElementsAre(HasSubstr("use a CUDA toolkit <= 12.4"), HasSubstr("raise the runtime"),
                          HasSubstr("enforce = \"warn\"")));
}

// Of torch 2.5 to 2.8 none has CUDA 12.9 unless it is asked for.
TEST_F(JudgingImports, aLineThatNoTorchHasByDefaultIsProposedAlone) {
  judge("torch==2.5.1", extension({import(nvJitLink, "__nvJitLinkCreate_12_9")}));
  ASSERT_NE(find(Code::NvJitLinkNewer), nullptr);
  EXPECT_EQ(find(Code::NvJitLinkNewer)->fixes[0], "raise the runtime to cuda==12.9");
}

TEST_F(JudgingImports, anOlderFamilyIsAccepted) { // AV-E02
  BinaryFacts facts = extension({import(nvJitLink, "__nvJitLinkCreate_12_5")});
  EXPECT_THAT(judge("torch==2.7.1", facts), IsEmpty());
  EXPECT_EQ(outcome(), Outcome::Accept);
}

// libcufile 1.16 exports names that the compiler instantiated from std; torch 2.11.0 needs
// libcufile and imports the same names from elsewhere.
TEST_F(JudgingImports, namesOfTheCxxRuntimeAreNotChecked) {
  BinaryFacts facts = extension({});
  facts.needed.push_back("libcufile.so.0");
  auto judgeName = [&](const char *symbol) {
    facts.imports = {{symbol, "", "", false}};
    return judge("torch==2.11.0", facts);
  };
  for (const char *symbol : {"_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEEC1Ev",
                             "_ZSt28__throw_bad_array_new_lengthv", "_Znwm"})
    EXPECT_THAT(judgeName(symbol), IsEmpty()) << symbol;
  EXPECT_THAT(judgeName("cuFileNoSuchName"), Not(IsEmpty()));
}

// V-TG-11, TG-5 (b).
TEST_F(JudgingImports, aNewerNameOfCudartIsRefused) { // AV-E01, V-TG-11
  BinaryFacts facts =
      extension({import(cudart, "cudaGetDriverEntryPointByVersion"), import(cudart, "cudaMalloc")});
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(findings[0].symbol, "cudaGetDriverEntryPointByVersion");
  EXPECT_EQ(fact(findings[0], "first in"), "12.5");
  EXPECT_EQ(fact(findings[0], "needs"), "nvidia-cuda-runtime-cu12>=12.5,<13");
  EXPECT_THAT(judge("cuda==12.5", facts), IsEmpty());
}

// V-TG-14: per library, not by the CUDA line.
TEST_F(JudgingImports, theLibraryOfTheRuntimeDecidesNotItsLine) { // V-TG-14
  BinaryFacts facts = extension({import("libnvJitLink.so.13", "__nvJitLinkCreate_13_1")});
  Target target = targetOf("cuda==13.0");
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::NvJitLinkNewer));
  setVersion(target, "libnvJitLink.so.13", "13.3.33");
  rowOf(target, "libnvJitLink.so.13").cuda = {13, 3};
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// No version of 13.5 was read; the suffix alone says that the name is of a later one.
TEST_F(JudgingImports, theSuffixDecidesWhereTheVersionWasNotRead) { // SY-3
  Target target = targetOf("cuda==13.0");
  setVersion(target, "libnvJitLink.so.13", "13.99.1");
  rowOf(target, "libnvJitLink.so.13").cuda = {13, 5};
  auto judged = [&](const char *name) {
    return judge(target, extension({import("libnvJitLink.so.13", name)}));
  };
  EXPECT_THAT(judged("__nvJitLinkCreate_13_6"), ElementsAre(Code::NvJitLinkNewer));
  EXPECT_THAT(judged("__nvJitLinkCreate_13_5"), ElementsAre(Code::NoExportList));
  EXPECT_THAT(judged("__nvJitLinkCreate_13_0"), ElementsAre(Code::NoExportList));
  EXPECT_THAT(judged("nvJitLinkVersion"), ElementsAre(Code::NoExportList));
}

// V-TG-15, TG-6: plain names exist from 12.3 on.
TEST_F(JudgingImports, plainNamesOfNvJitLinkNeed12_3) { // V-TG-15
  BinaryFacts facts = extension({import(nvJitLink, "nvJitLinkCreate")});
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  ASSERT_THAT(judge("cuda==12.2", facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "needs"), "nvidia-nvjitlink-cu12>=12.3,<13");
}

// V-TG-16, SY-7: names are added in patch releases.
TEST_F(JudgingImports, thePatchReleaseOfALibraryDecides) { // V-TG-16, SY-7
  BinaryFacts facts = extension({import("libcusolver.so.11", "cusolverDnXgeev")});
  Target target = targetOf("cuda==12.6");
  setVersion(target, "libcusolver.so.11", "11.6.4.69");
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "first in"), "11.7 (CUDA 12.6)");
  EXPECT_THAT(findings[0].fixes, testing::Contains("build with nvidia-cusolver-cu12 <= 11.6.4.69"));
  setVersion(target, "libcusolver.so.11", "11.7.1.2");
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// V-TG-17, SY-8: a name that was removed and added again.
TEST_F(JudgingImports, aNameWithAGapIsWordedAsSuch) { // V-TG-17, SY-8
  BinaryFacts facts = extension({import("libcudnn_graph.so.9", "cudnnBackendUpdateCudaGraph")});
  Target target = targetOf("torch==2.5.1");
  auto at = [&](const char *version) {
    setVersion(target, "libcudnn_graph.so.9", version);
    rowOf(target, "libcudnn_graph.so.9").dist = "nvidia-cudnn-cu12";
    return judge(target, facts);
  };
  ASSERT_THAT(at("9.3.0.75"), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "first in"), "9.2, and 9.5 on");
  EXPECT_THAT(at("9.2.0.82"), IsEmpty());
  EXPECT_THAT(at("9.5.0.50"), IsEmpty());
  EXPECT_THAT(at("9.1.0.70"), ElementsAre(Code::ImportMissing));
}

TEST_F(JudgingImports, aNameThatALaterReleaseDroppedIsWordedAsSuch) { // SY-8
  BinaryFacts facts = extension({import("libcufft.so.11", "cufftXtSetDistribution")});
  EXPECT_THAT(judge("cuda==12.0", facts), IsEmpty());
  ASSERT_THAT(judge("cuda==12.9", facts), ElementsAre(Code::ImportMissing));
  EXPECT_THAT(labels(findings[0]), testing::Contains("gone since"));
  EXPECT_THAT(labels(findings[0]), Not(testing::Contains("instead")));
  EXPECT_THAT(findings[0].fixes, testing::Contains("build without cufftXtSetDistribution, which "
                                                   "later versions dropped"));
}

TEST_F(JudgingImports, droppedNamesAndNewOnesAreTwoFindings) { // SY-8
  constexpr const char *soname = "libcudart.so.13";
  BinaryFacts facts =
      extension({import(soname, "cudaThreadSynchronize"), import(soname, "cudaGreenCtxCreate")});
  ASSERT_THAT(judge("cuda==13.0", facts), ElementsAre(Code::ImportMissing, Code::ImportMissing));
  EXPECT_EQ(findings[0].symbol, "cudaGreenCtxCreate");
  EXPECT_EQ(findings[1].symbol, "cudaThreadSynchronize");
}

// V-TG-18, SY-3: the suffix is a lower bound.
TEST_F(JudgingImports, theWholeNameIsLookedUpNotItsSuffix) { // V-TG-18
  BinaryFacts facts = extension({import("libnvJitLink.so.13", "__nvJitLinkGetLinkedLTOIR_13_0")});
  ASSERT_THAT(judge("cuda==13.1", facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "first in"), "13.2");
  EXPECT_THAT(judge("cuda==13.2", facts), IsEmpty());
}

// The runtime's file decides; if its metadata states a version that has the name, the file was
// overwritten.
TEST_F(JudgingImports, aLibraryThatWasReplacedIsNamedAsSuch) {
  BinaryFacts facts = extension({import(nvJitLink, "__nvJitLinkCreate_12_5")});
  Target target = targetOf("cuda==12.4");
  TargetLibrary &row = rowOf(target, nvJitLink);
  row.path = "/venv/libnvJitLink.so.12";
  row.cuda = {12, 6};
  setVersion(target, nvJitLink, "12.6.85");
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "because"), "the file was replaced: that version has it");
  EXPECT_THAT(findings[0].fixes, ElementsAre("pip install --force-reinstall --no-deps "
                                             "nvidia-nvjitlink-cu12==12.6.85"));
  installed[nvJitLink] = {"__nvJitLinkCreate_12_5"};
  EXPECT_THAT(judge(target, facts), IsEmpty());
  installed.clear();
  setVersion(target, nvJitLink, "12.4.127");
  row.cuda = {12, 4};
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NvJitLinkNewer));
  EXPECT_EQ(fact(findings[0], "because"), "");
}

// aarch64_exports: the wheel of 12.9.79 for aarch64 never had the name.
TEST_F(JudgingImports, aNameThatAnotherMachineHasWasNotReplaced) {
  constexpr const char *soname = "libnvperf_host.so";
  BinaryFacts facts = extension({import(soname, "NVPW_VK_SassPatching_DeviceState_Create")});
  Target target = targetOf("cuda==12.9");
  setVersion(target, soname, "12.9.79");
  rowOf(target, soname).dist = "nvidia-cuda-cupti-cu12";
  rowOf(target, soname).path = "/v/libnvperf_host.so";
  const char *isReplaced = "the file was replaced: that version has it";
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "because"), isReplaced);
  facts.machine = 183;
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "because"), "");
}

// V-EO-04: each rule reports about one file, and none hides another.
TEST_F(JudgingImports, allFindingsAtOnce) { // V-EO-04
  BinaryFacts facts = extension(
      {import(nvJitLink, "__nvJitLinkCreate_12_5"), import("libcudart.so.13", "cudaMalloc")});
  Target target = targetOf("cuda==12.4");
  target.driver = "470.57.02";
  target.driverCuda = {11, 4};
  EXPECT_THAT(judge(target, facts),
              ElementsAre(Code::NotFound, Code::NvJitLinkNewer, Code::DriverMajor));
}

TEST_F(JudgingImports, oneFindingALibraryWithAllNames) {
  BinaryFacts facts = extension({import(cudart, "cudaGetDriverEntryPointByVersion"),
                                 import(cudart, "cudaGetDriverEntryPointByVersion_ptsz"),
                                 import(nvJitLink, "__nvJitLinkCreate_12_5"),
                                 import(nvJitLink, "__nvJitLinkNoSuchThing_12_4")});
  EXPECT_THAT(judge("cuda==12.4", facts),
              ElementsAre(Code::ImportMissing, Code::NvJitLinkNewer, Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "symbols"),
            "cudaGetDriverEntryPointByVersion, cudaGetDriverEntryPointByVersion_ptsz");
  EXPECT_EQ(fact(findings[2], "first in"), "no version that is known");
}

TEST_F(JudgingImports, eachLibraryHasItsOwnRequirement) {
  Target target = targetOf("cuda==12.4");
  rowOf(target, cudart).path = "/v/libcudart.so.12";
  rowOf(target, nvJitLink).path = "/v/libnvJitLink.so.12";
  BinaryFacts facts = extension({import(cudart, "cudaGetDriverEntryPointByVersion"),
                                 import(nvJitLink, "__nvJitLinkCreate_12_6")});
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing, Code::NvJitLinkNewer));
  const char *wheels[] = {"nvidia-cuda-runtime-cu12>=12.5,<13", "nvidia-nvjitlink-cu12>=12.6,<13"};
  for (int i : {0, 1}) {
    EXPECT_EQ(fact(findings[i], "needs"), wheels[i]);
    EXPECT_EQ(findings[i].fixes[0], "pip install '" + std::string(wheels[i]) + "'");
  }
}

// Nothing has it, and nothing is known that would.
TEST_F(JudgingImports, anInventedNameHasNoFix) {
  Target target = targetOf("cuda==12.4");
  rowOf(target, cudart).path = "/v/libcudart.so.12";
  rowOf(target, cudart).version = {};
  ASSERT_THAT(judge(target, extension({import(cudart, "cudaNoSuchThing")})),
              ElementsAre(Code::ImportMissing));
  EXPECT_THAT(labels(findings[0]), ElementsAre("first in", "has", "runtime"));
  EXPECT_EQ(fact(findings[0], "first in"), "no version that is known");
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  // No version of this library was read.
  rowOf(target, "libcudla.so.1").path = "/v/libcudla.so.1";
  ASSERT_THAT(judge(target, extension({import("libcudla.so.1", "cudlaNoSuchThing")})),
              ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "first in"), "no version that is known");
}

// SY-5.
TEST_F(JudgingImports, weakImportsAreIgnored) { // SY-5
  BinaryFacts facts = extension({{"__nvJitLinkCreate_12_5", nvJitLink, nvJitLink, true}});
  EXPECT_THAT(judge("torch==2.5.1", facts), IsEmpty());
  facts.imports[0].weak = false;
  EXPECT_THAT(judge("torch==2.5.1", facts), ElementsAre(Code::NvJitLinkNewer));
}

// The installed file overrides the tables, in both directions.
TEST_F(JudgingImports, anInstalledLibraryDecidesAlone) {
  BinaryFacts facts = extension({import(nvJitLink, "__nvJitLinkCreate_12_4")});
  Target target = targetOf("torch==2.5.1");
  rowOf(target, nvJitLink).path = "/venv/nvidia/nvjitlink/lib/libnvJitLink.so.12";
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  installed[nvJitLink] = {"__nvJitLinkCreate_12_4"};
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

// AV-U04: a version that was not opened is unknown unless its neighbours agree.
TEST_F(JudgingImports, aVersionThatWasNotReadIsUnknown) { // AV-U04
  BinaryFacts facts = extension({import("libcudart.so.13", "cudaMalloc")});
  Target target = targetOf("cuda==13.5");
  setVersion(target, "libcudart.so.13", "13.99.1");
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("they do not prove it"));
  setVersion(target, "libcudart.so.13", "13.0.96");
  EXPECT_THAT(judge(target, facts), IsEmpty());
}

TEST_F(JudgingImports, whatWasNotReadIsNamed) { // AV-U04
  Target target = targetOf("cuda==13.0");
  rowOf(target, "libcudla.so.1");
  BinaryFacts facts = extension({import("libcudla.so.1", "cudlaCreateDevice")});
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(fact(findings[0], "because"), "no version of this library was read");
  facts.kind = BinaryKind::Relocatable;
  judge(target, facts);
  EXPECT_EQ(outcome(), Outcome::Accept) << "a static library may contain it";

  target.sitePackages = {"/venv"};
  rowOf(target, "libcudart.so.13").path = ofOthers.paths.front();
  others = Exported::Unknown;
  ASSERT_THAT(judge(target, extension({import("libcudart.so.13", "cudaMalloc")})),
              ElementsAre(Code::NoExportList));
  EXPECT_EQ(fact(findings[0], "because"), "the file's own tables could not be read");
  EXPECT_THAT(findings[0].fixes, ElementsAre(HasSubstr("pip install --force-reinstall")));
}

// If the runtime is an environment, its wheels can be changed; NVIDIA's own file cannot be rebuilt.
TEST_F(JudgingImports, anEnvironmentIsMendedByPip) {
  Target target = targetOf("cuda==12.4");
  rowOf(target, "libnvJitLink.so.12").path = "/v/libnvJitLink.so.12";
  BinaryFacts facts = extension({import("libnvJitLink.so.12", "__nvJitLinkCreate_12_5")});
  judge(target, facts);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].fixes[0], "pip install 'nvidia-nvjitlink-cu12>=12.5,<13'");
  EXPECT_GT(findings[0].fixes.size(), 1u);
  facts.soname = "libcusparse.so.12";
  judge(target, facts);
  EXPECT_EQ(findings[0].fixes.size(), 1u);
  rowOf(target, "libnvJitLink.so.12").version = {};
  judge(target, facts);
  EXPECT_THAT(fact(findings[0], "has"), testing::HasSubstr("of unknown version"));
}

// An object is not linked yet: a static library may define the name.
TEST_F(JudgingImports, anObjectIsOnlyWarnedAbout) {
  BinaryFacts facts = extension({{"cudaGetDriverEntryPointByVersion", "", "", false}});
  facts.kind = BinaryKind::Relocatable;
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(outcome(), Outcome::Accept);
}

// RL-9, V-RL-10: NVIDIA's libraries checked against each other, as files.
// Objects of nvcc -rdc=true that g++ linked, with either form of cudart.
TEST_F(JudgingImports, aMissingDeviceLinkIsRefused) {
  constexpr const char *a = "__cudaRegisterLinkedBinary_1fcf7e33_4_a_cu_f";
  constexpr const char *b = "__cudaRegisterLinkedBinary_90d5bb61_4_b_cu_g";
  BinaryFacts facts = extension({import(cudart, "cudaMalloc")});
  facts.imports.push_back({b, "", "", false});
  facts.imports.push_back({a, "", "", false});
  for (const char *needed : {cudart, "libc.so.6"}) {
    facts.needed = {needed};
    if (needed != std::string(cudart))
      facts.imports.erase(facts.imports.begin());
    ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SymbolMissing)) << needed;
    const Finding &finding = findings[0];
    EXPECT_EQ(finding.message, "relocatable device code without its device link");
    EXPECT_EQ(finding.symbol, a);
    EXPECT_EQ(fact(finding, "symbols"), std::string(a) + ", " + b);
    EXPECT_THAT(labels(finding), ElementsAre("symbols", "because"));
    ASSERT_THAT(finding.fixes, SizeIs(2));
    EXPECT_THAT(finding.fixes[0], HasSubstr("nvcc -dlink"));
    EXPECT_EQ(outcome(), Outcome::Reject);
  }
  facts.imports = {{"__fatbinwrap_90d5bb61_4_b_cu_g", "", "", false}};
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SymbolMissing));
  EXPECT_EQ(findings[0].message, "the host link lacks an object of the device link");
  EXPECT_EQ(fact(findings[0], "symbol"), "__fatbinwrap_90d5bb61_4_b_cu_g");
  EXPECT_THAT(findings[0].fixes, ElementsAre(HasSubstr("every object")));
}

TEST_F(JudgingImports, aGeneratedNameThatIsDefinedOrMayBeIsNotRefused) {
  BinaryFacts facts = extension({}, {"libown.so.1"});
  facts.imports = {{"__cudaRegisterLinkedBinary_1fcf7e33_4_a_cu_f", "", "", false}};
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NoExportList)) << "libown was not read";
  EXPECT_EQ(fact(findings[0], "if nothing does"),
            "relocatable device code without its device link");
  input.others = ofOthers;
  others = Exported::Yes;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  others = Exported::No;
  EXPECT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::SymbolMissing));

  facts.imports[0].weak = true;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
  facts.imports[0].weak = false;
  facts.kind = BinaryKind::Relocatable;
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty()) << "the device link is still to come";
  // A program that loads the file may define a function of another object.
  facts.kind = BinaryKind::SharedObject;
  facts.imports[0].symbol = "_Z21__device_stub__Z1kvv";
  EXPECT_THAT(judge("cuda==12.4", facts), IsEmpty());
}

TEST_F(JudgingImports, mixedLibrariesOfARuntimeAreRefused) { // RL-9, V-RL-10
  BinaryFacts cusparse = extension({import(nvJitLink, "__nvJitLinkAddData_12_5")});
  cusparse.soname = "libcusparse.so.12";
  cusparse.path = "/venv/nvidia/cusparse/lib/libcusparse.so.12";
  Target target = targetOf("cuda==12.5");
  EXPECT_THAT(judge(target, cusparse), IsEmpty());
  setVersion(target, nvJitLink, "12.4.127");
  rowOf(target, nvJitLink).cuda = {12, 4};
  ASSERT_THAT(judge(target, cusparse), ElementsAre(Code::NvJitLinkNewer));
  EXPECT_EQ(findings[0].symbol, "__nvJitLinkAddData_12_5");
}

// SY-18, V-RL-19.
TEST_F(JudgingImports, cublasBesideAnOlderCublasLtIsRefused) { // SY-18
  BinaryFacts cublas = extension({import("libcublasLt.so.12", "cublasLtGetEnvironmentMode")});
  cublas.soname = "libcublas.so.12";
  cublas.path = "libcublas.so.12";
  Target target = targetOf("cuda==12.9");
  setVersion(target, "libcublasLt.so.12", "12.9.1.4");
  EXPECT_THAT(judge(target, cublas), IsEmpty());
  setVersion(target, "libcublasLt.so.12", "12.8.4.1");
  ASSERT_THAT(judge(target, cublas), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(findings[0].symbol, "cublasLtGetEnvironmentMode");
}

// F11: a declared driver.
TEST_F(JudgingImports, theDeclaredDriverHasTheNames) { // F11
  BinaryFacts facts =
      extension({{"cuInit", "", "", false}, {"cuGreenCtxCreate", "", "", false}}, {"libcuda.so.1"});
  Target target = targetOf("cuda==12.4");
  EXPECT_THAT(judge(target, facts), IsEmpty());
  target.driver = "535.104.05";
  target.driverCuda = {12, 2};
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(findings[0].symbol, "cuGreenCtxCreate");
  EXPECT_EQ(findings[0].library, "libcuda.so.1");
  EXPECT_THAT(fact(findings[0], "first in"), HasSubstr("CUDA 12.4"));
  target.driver = "580.159.04";
  target.driverCuda = {13, 0};
  EXPECT_THAT(judge(target, facts), IsEmpty());
  // No header says which branch has a name of libnvidia-ml; the libraries that were read do.
  facts = extension(
      {{"nvmlInit_v2", "", "", false}, {"nvmlDeviceGetSramEccErrorStatus", "", "", false}},
      {"libnvidia-ml.so.1"});
  EXPECT_THAT(judge(target, facts), IsEmpty());
  target.driver = "525.60.13";
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "first in"), "driver 535.161.08");
  target.driver = "999.1";
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
}

TEST_F(JudgingImports, whatIsKnownOfTheDriverIsSaid) { // F11
  Target target = targetOf("cuda==12.4");
  target.driver = "535.104.05";
  BinaryFacts facts = extension({{"cuNoSuchThing", "", "", false}}, {"libcuda.so.1"});
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing));
  EXPECT_EQ(fact(findings[0], "first in"), "no driver that is known");
  EXPECT_EQ(fact(findings[0], "has"), "driver 535.104.05");
  target.driverCuda = {12, 2};
  judge(target, facts);
  EXPECT_EQ(fact(findings[0], "has"), "driver 535.104.05, CUDA 12.2");
  facts = extension({{"cuInit", "", "", false}}, {"libcuda.so.1"});
  target.driver = "999.1";
  EXPECT_THAT(judge(target, facts), IsEmpty());
  for (const char *driver : {"300.1", "unknown"}) {
    target.driver = driver;
    judge(target, facts);
    ASSERT_NE(find(Code::NoExportList), nullptr) << driver;
    EXPECT_THAT(labels(*find(Code::NoExportList)), ElementsAre("has"));
  }
  EXPECT_THAT(judge(target, extension({})), IsEmpty()) << "it uses no driver";
  target.driver = "535.104.05";
  EXPECT_THAT(judge(target, extension({import("libcuda.so.2", "cuInit")})),
              ElementsAre(Code::NoExportList))
      << "no driver with that library was read";
}

// A branch stands for all of its releases; between releases that differ the headers decide.
TEST_F(JudgingImports, aBranchOfTheDriver) { // F11
  Target target = targetOf("cuda==12.4");
  auto judged = [&](const char *driver, const char *symbol) {
    target.driver = driver;
    return judge(target, extension({{symbol, "", "", false}}, {"libcuda.so.1"}));
  };
  EXPECT_THAT(judged("590", "cuInit"), IsEmpty());
  EXPECT_THAT(judged("590", "cuGraphGetId"), IsEmpty());
  EXPECT_THAT(judged("580", "cuGraphGetId"), ElementsAre(Code::ImportMissing));
  EXPECT_THAT(judged("535", "cuGreenCtxCreate"), ElementsAre(Code::ImportMissing));
  // No toolkit release names the branch 565, so its releases have at least the names of CUDA 12.6.
  EXPECT_THAT(judged("565.57.01", "cuMemBatchDecompressAsync"), IsEmpty());
  EXPECT_THAT(judged("565", "cuMemBatchDecompressAsync"), ElementsAre(Code::NoExportList));
  EXPECT_THAT(judged("555.58.02", "cuMemBatchDecompressAsync"), ElementsAre(Code::ImportMissing));
}

TEST_F(JudgingImports, withoutADeclarationNothingIsChecked) {
  BinaryFacts facts = extension({import(nvJitLink, "__nvJitLinkCreate_12_5")});
  EXPECT_THAT(judge(Target{}, facts), IsEmpty());
}

// If a CUDA line is declared, fixes propose lines.
TEST_F(JudgingImports, fixesSpeakAsTheDeclarationDoes) {
  BinaryFacts facts = extension({import(nvJitLink, "__nvJitLinkCreate_12_5")});
  ASSERT_THAT(judge("cuda==12.4", facts), ElementsAre(Code::NvJitLinkNewer));
  EXPECT_THAT(findings[0].fixes, testing::Contains("raise the runtime to cuda==12.5"));
  EXPECT_THAT(findings[0].fixes, testing::Not(testing::Contains(HasSubstr("torch"))));
  // Checked by the first release of a line: 12.6.0 has no cusolverDnXgeev.
  BinaryFacts patched = extension({import("libcusolver.so.11", "cusolverDnXgeev")});
  judge("cuda==12.4", patched);
  EXPECT_THAT(findings[0].fixes, testing::Contains("raise the runtime to cuda==12.8"));
}

// CC2104 does not propose what is already declared.
TEST_F(JudgingImports, anEnvironmentIsNotAdvisedWhereItIsDeclared) {
  BinaryFacts facts = extension({import("libcudart.so.13", "cudaMalloc")});
  Target target = targetOf("cuda==13.5");
  setVersion(target, "libcudart.so.13", "13.99.1");
  ASSERT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(findings[0].fixes, ElementsAre(HasSubstr("env:PATH")));
  target.sitePackages = {"/venv/site-packages"};
  judge(target, facts);
  EXPECT_THAT(findings[0].fixes, ElementsAre(HasSubstr("pip install --force-reinstall")));
  facts = extension({}, {"libcudnn.so.9"});
  judge(target, facts);
  ASSERT_FALSE(findings.empty());
  for (const Finding &finding : findings)
    EXPECT_THAT(finding.fixes, testing::Each(testing::Not(HasSubstr("env:PATH"))));
}

TEST_F(JudgingImports, aProjectsOwnNameInTheFashionOfTheDriverIsItsOwn) { // F11
  Target target = targetOf("cuda==12.4");
  target.driver = "535.104.05";
  target.driverCuda = {12, 2};
  BinaryFacts facts = extension({{"cuHelper", "", "", false}}, {"libcuda.so.1", "libmine.so"});
  EXPECT_THAT(judge(target, facts), IsEmpty()) << "libmine.so was not read";
  input.others = ofOthers;
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing)) << "it lacks the name";
  input.others.reset();
  facts.imports[0].symbol = "cuGreenCtxCreate";
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::ImportMissing)) << "it is the driver's";
}
