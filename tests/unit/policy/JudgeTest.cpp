// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Judge.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/resolve/Resolve.h"
#include "driver/versions/Machine.h"
#include "tests/unit/resolve/Resolving.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using test::codesOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

namespace {
struct Judging : testing::Test {
  std::vector<core::FoundToolkit> nearby;

  Target targetOf(const char *runtime, Enforce enforce = Enforce::Toolkit) {
    Declaration declaration;
    declaration.runtime.push_back({runtime, {Origin::Kind::File, "pyproject.toml", 14, 1}});
    declaration.enforce = {enforce, {}};
    return llvm::cantFail(resolve::resolve(declaration));
  }

  static Toolkit toolkitOf(const char *nvcc) {
    Toolkit toolkit;
    toolkit.nvcc = "/opt/cuda/bin/nvcc";
    toolkit.foundBy = "first on PATH";
    CudaVersion version = CudaVersion::parse(nvcc).value_or(CudaVersion{});
    for (const char *part : {"nvcc", "cicc", "ptxas", "crt"})
      toolkit.components.push_back({part, "/opt/cuda/bin/" + std::string(part), version,
                                    version.known() ? nvcc : "", "its own text"});
    return toolkit;
  }

  static FoundHeader headerOf(const char *cuda) {
    return {"cuda.h", "/opt/cuda/include/cuda.h", *CudaVersion::parse(cuda), "nvcc's own", ""};
  }

  std::vector<Code> codes(const Target &target, const Toolkit *toolkit,
                          std::vector<FoundHeader> headers = {}) {
    findings = policy::judgeCompile(target, toolkit, headers, [&] { return nearby; });
    return codesOf(findings);
  }

  std::vector<Finding> findings;
};
} // namespace

// V-TG-01: torch==2.5.1 is CUDA 12.4, built with 12.5. TG-3, R8.
TEST_F(Judging, newerMinorIsRefusedWithOriginAndFixes) { // V-TG-01
  nearby = {{"/opt/cuda-12.4", {12, 4}}, {"/opt/cuda-12.6", {12, 6}}};
  Toolkit toolkit = toolkitOf("12.5.82");
  ASSERT_THAT(codes(targetOf("torch==2.5.1"), &toolkit), ElementsAre(Code::TargetNewer));
  const Finding &finding = findings[0];
  EXPECT_EQ(finding.message, "toolkit CUDA 12.5 is newer than runtime CUDA 12.4");
  EXPECT_THAT(finding.facts[0].text, HasSubstr("12.5.82 at /opt/cuda/bin/nvcc (first on PATH)"));
  EXPECT_THAT(finding.facts[1].text, HasSubstr("torch==2.5.1 in pyproject.toml:14, which pins"));
  EXPECT_THAT(finding.fixes[0], HasSubstr("(found: /opt/cuda-12.4)"));
  EXPECT_THAT(finding.fixes[1], HasSubstr("torch>=2.7"));
}

TEST_F(Judging, anOlderOrEqualMinorHasNoFindings) { // V-TG-02 to V-TG-04
  Toolkit toolkit = toolkitOf("12.5.82");
  EXPECT_THAT(codes(targetOf("torch==2.7.1"), &toolkit), IsEmpty());
  toolkit = toolkitOf("12.4.131");
  EXPECT_THAT(codes(targetOf("cuda==12.4"), &toolkit), IsEmpty());
  toolkit = toolkitOf("12.0.140");
  EXPECT_THAT(codes(targetOf("cuda==12.4"), &toolkit), IsEmpty());
}

TEST_F(Judging, anotherMajorIsRefusedInBothDirections) { // V-TG-05 to V-TG-07
  for (auto [runtime, nvcc] :
       {std::pair{"cuda==12.4", "11.8.89"}, {"cuda==12.9", "13.0.88"}, {"cuda==13.0", "12.9.86"}}) {
    Toolkit toolkit = toolkitOf(nvcc);
    EXPECT_THAT(codes(targetOf(runtime), &toolkit), ElementsAre(Code::TargetMajor)) << nvcc;
  }
  EXPECT_THAT(
      findings[0].fixes,
      ElementsAre("use a CUDA 13 toolkit <= 13.0",
                  StartsWith("cuda-cc toolchain build/cuda --fetch    # nvcc 13.0: 5 files, "),
                  "lower the runtime to cuda==12.9"));
  Toolkit newer = toolkitOf("13.0.88");
  codes(targetOf("cuda==12.9"), &newer);
  EXPECT_THAT(findings[0].fixes[2], HasSubstr("raise the runtime to "));
}

// V-TG-08, TG-2: the incoherent set comes first.
TEST_F(Judging, mixedWheelsAreAnIncoherentGroup) { // V-TG-08
  Toolkit toolkit = toolkitOf("13.2.78");
  ASSERT_THAT(codes(targetOf("cuda==13.0"), &toolkit, {headerOf("13.0")}),
              ElementsAre(Code::Group, Code::TargetNewer));
  EXPECT_THAT(codes(targetOf("cuda==13.2"), &toolkit, {headerOf("13.2")}), IsEmpty());
}

// N26, P30: nvcc 13.0 with the parts of 13.5.
TEST_F(Judging, foreignCiccIsNamedWithTheWheelsThatBelong) {
  Toolkit toolkit = toolkitOf("13.0.88");
  toolkit.layout = ToolkitLayout::WheelsCu13;
  toolkit.components[1].cuda = {13, 5};
  toolkit.components[1].version = "13.5.37";
  ASSERT_THAT(codes(targetOf("cuda==13.0"), &toolkit), ElementsAre(Code::Group));
  EXPECT_THAT(findings[0].facts[1].text, HasSubstr("cicc 13.5.37"));
  EXPECT_THAT(findings[0].fixes[0], HasSubstr("nvidia-nvvm==13.0.*"));
}

TEST_F(Judging, unknownVersionIsUnknown) { // V-TG-09, V-MD-03
  Toolkit toolkit = toolkitOf("?");
  ASSERT_THAT(codes(targetOf("cuda==12.4"), &toolkit), ElementsAre(Code::ToolkitVersionUnknown));
  Verdict verdict;
  verdict.append(findings);
  EXPECT_EQ(verdict.outcome(), Outcome::Unknown);
  EXPECT_EQ(verdict.exit(), Exit::Undetermined);
  codes(targetOf("cuda==12.4", Enforce::Warn), &toolkit);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST_F(Judging, conflictingEvidenceIsUnknown) { // EV-8
  Toolkit toolkit = toolkitOf("12.4.131");
  toolkit.conflicts = {"cuda.h says 12.4, version.json 12.5"};
  EXPECT_THAT(codes(targetOf("cuda==12.4"), &toolkit), ElementsAre(Code::EvidenceConflict));
}

TEST_F(Judging, warnPrintsAndOffDoesNotLook) { // V-MD-05
  Toolkit toolkit = toolkitOf("12.5.82");
  codes(targetOf("cuda==12.4", Enforce::Warn), &toolkit);
  Verdict verdict;
  verdict.append(findings);
  EXPECT_THAT(findings, SizeIs(1));
  EXPECT_EQ(verdict.outcome(), Outcome::Accept);
  EXPECT_THAT(codes(targetOf("cuda==12.4", Enforce::Off), &toolkit), IsEmpty());
}

TEST_F(Judging, undeclaredIsNotJudged) {
  Toolkit toolkit = toolkitOf("12.5.82");
  EXPECT_THAT(codes(Target{}, &toolkit, {headerOf("13.0")}), IsEmpty());
}

// F5: a host call has no toolkit, its headers are checked.
TEST_F(Judging, headersOfAHostCallAreJudged) {
  EXPECT_THAT(codes(targetOf("cuda==12.4"), nullptr, {headerOf("12.5")}),
              ElementsAre(Code::HeadersNewer));
  EXPECT_THAT(codes(targetOf("cuda==12.4"), nullptr, {headerOf("13.0")}),
              ElementsAre(Code::HeadersMajor));
  EXPECT_THAT(codes(targetOf("cuda==12.4"), nullptr, {headerOf("12.4")}), IsEmpty());
  FoundHeader broken{"cuda.h", "/x/cuda.h", {}, "-I /x", "it is a directory"};
  EXPECT_THAT(codes(targetOf("cuda==12.4"), nullptr, {broken}),
              ElementsAre(Code::ToolkitVersionUnknown));
}

static LinkedLibrary libraryOf(const char *soname, CudaVersion cuda) {
  LinkedLibrary library;
  library.spelled = "-lX";
  library.path = std::string("/w/") + soname;
  library.soname = soname;
  library.cuda = cuda;
  library.evidence = "its wheel";
  return library;
}

// cutensornet's wheel does not require cuSOLVER.
TEST_F(Judging, ownNeedsOfALibraryAreInTheEnvironment) {
  Target target = targetOf("cuda==12.4");
  LinkedLibrary library = libraryOf("libcutensornet.so.2", {});
  library.needed = {"libcusolver.so.11", "libcuda.so.1", "libm.so.6"};
  auto judge = [&] { return policy::judgeLibraries(target, library, [&] { return nearby; }); };
  EXPECT_THAT(judge(), IsEmpty()) << "what tables say need not be there";
  target.sitePackages = {"/venv/site-packages"};
  auto findings = judge();
  ASSERT_THAT(codesOf(findings), ElementsAre(Code::NotFound));
  EXPECT_EQ(findings[0].library, "libcusolver.so.11");
  EXPECT_THAT(findings[0].fixes, ElementsAre(HasSubstr("pip install nvidia-cusolver-cu12==11.6.")));
  for (TargetLibrary &row : target.libraries)
    row.path = "/venv/site-packages/" + row.folder + "/" + row.soname;
  EXPECT_THAT(judge(), IsEmpty());
  library.needed = {"libcusolver.so.12"};
  ASSERT_THAT(codesOf(judge()), ElementsAre(Code::NotFound));
  EXPECT_THAT(judge()[0].fixes, IsEmpty()) << "no wheel of this major has it";
}

// cuBLASMp 0.8.1 with an NCCL that it does not require: ld only reports "undefined reference".
TEST_F(Judging, aTooOldDependencyIsReportedAtTheLink) {
  Target target = targetOf("cuda==13.0");
  Finding old;
  old.code = Code::Floor;
  old.severity = Severity::Warning;
  old.library = "libnccl.so.2";
  target.problems = {old};
  auto add = [&](const char *soname, const char *dist, const char *version) {
    TargetLibrary &row = target.libraries.emplace_back();
    row.soname = soname;
    row.dist = dist;
    row.version = *Version::parse(version);
  };
  add("libcublasmp.so.0", "nvidia-cublasmp-cu13", "0.8.1.2360");
  add("libnccl.so.2", "nvidia-nccl-cu13", "2.28.9");
  LinkedLibrary library = libraryOf("libcublasmp.so.0", {});
  library.needed = {"libnccl.so.2"};
  auto judge = [&] { return policy::judgeLibraries(target, library, [&] { return nearby; }); };
  EXPECT_THAT(codesOf(judge()), ElementsAre(Code::Floor));
  library.soname = "libcusolverMp.so.0";
  EXPECT_THAT(judge(), IsEmpty()) << "too old for another";
  library = libraryOf("libcublasmp.so.0", {});
  EXPECT_THAT(judge(), IsEmpty()) << "nothing that it needs";
  library.needed = {"libnccl.so.2"};
  target.libraries.back().version = *Version::parse("2.29.2");
  EXPECT_THAT(judge(), IsEmpty()) << "new enough for this one";
}

TEST_F(Judging, librariesOnTheLineAreCheckedAgainstTheirRow) {
  std::vector<Finding> findings;
  auto judge = [&](const LinkedLibrary &library) {
    findings = policy::judgeLibraries(targetOf("torch==2.5.1"), library, [&] { return nearby; });
    return codesOf(findings);
  };
  EXPECT_THAT(judge(libraryOf("libnvJitLink.so.12", {12, 5})), ElementsAre(Code::LibraryNewer));
  EXPECT_THAT(judge(libraryOf("libnvJitLink.so.12", {12, 4})), IsEmpty());
  EXPECT_THAT(judge(libraryOf("libcudart.so.13", {13, 0})), ElementsAre(Code::LibraryMajor));
  EXPECT_THAT(judge(libraryOf("libcublas.so.12", {})), ElementsAre(Code::ToolkitVersionUnknown));
  EXPECT_EQ(findings[0].facts[1].label, "searched");
  EXPECT_THAT(judge(libraryOf("libcuda.so.1", {13, 0})), IsEmpty());
  // A toolkit's stub has the SONAME and the release of the real library.
  LinkedLibrary stub = libraryOf("libcublas.so.12", {12, 9});
  stub.isStub = true;
  EXPECT_THAT(judge(stub), ElementsAre(Code::LibraryNewer));
  LinkedLibrary conflict = libraryOf("libcublas.so.12", {});
  conflict.conflict = "two wheels own it";
  EXPECT_THAT(judge(conflict), ElementsAre(Code::EvidenceConflict));
  EXPECT_EQ(findings[0].message, "two sources disagree about libcublas.so.12");
  EXPECT_EQ(findings[0].facts[1].text, "two wheels own it");
}

// R34.
TEST_F(Judging, aPathThatLostItsOriginIsNamed) {
  std::vector<std::string> good = {"$ORIGIN/../lib", "/usr/lib", "/..x"}, lost = {"/../lib"};
  EXPECT_THAT(policy::judgeSearchPath(targetOf("cuda==12.4"), good), IsEmpty());
  auto findings = policy::judgeSearchPath(targetOf("cuda==12.4"), lost);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, Code::LostOrigin);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(policy::judgeSearchPath(Target{}, lost), IsEmpty());
}

TEST(Fixes, nameToolkitsWithThePartsOfTheMachine) {
  constexpr uint16_t aarch64 = 183, x86 = 62;
  FoundToolkit toolkit{"/opt/13", {13, 0}, {"x86_64-linux"}};
  EXPECT_TRUE(policy::buildsFor(toolkit, ownMachine().elf));
  EXPECT_TRUE(policy::buildsFor(toolkit, 0));
  EXPECT_FALSE(policy::buildsFor(toolkit, ownMachine().elf == x86 ? aarch64 : 8));
  toolkit.targets.push_back("sbsa-linux");
  EXPECT_TRUE(policy::buildsFor(toolkit, aarch64));
}

TEST(Fixes, proposeWhatAToolkitHereCanBuildFor) {
  using policy::buildableHere;
  EXPECT_EQ(buildableHere({}), "torch==2.5.1");
  EXPECT_EQ(buildableHere({{"/opt/13", {13, 0}}, {"/opt/12", {12, 4}}}), "torch==2.11.0");
  EXPECT_EQ(buildableHere({{"/opt/x", {0, 0}}, {"/opt/12", {12, 5}}}), "torch==2.7.0");
  // Newer than every torch.
  EXPECT_EQ(buildableHere({{"/opt/13", {13, 5}}}), "cuda==13.5");
}

TEST_F(Judging, headersAreJudgedOncePerRelease) {
  Target target = targetOf("cuda==12.4");
  FoundHeader header = headerOf("12.5"), bad = headerOf("12.5"), odd = headerOf("12.5");
  bad.cuda = odd.cuda = {};
  bad.problem = "a directory";
  EXPECT_THAT(codes(target, nullptr, {header, header}), ElementsAre(Code::HeadersNewer));
  EXPECT_THAT(findings[0].fixes, testing::Contains("use a CUDA toolkit <= 12.4"));
  EXPECT_EQ(findings[0].facts.size(), 2u) << "without nvcc there is no consequence for it";
  EXPECT_THAT(codes(target, nullptr, {header, bad, header}),
              ElementsAre(Code::HeadersNewer, Code::ToolkitVersionUnknown));
  EXPECT_EQ(findings[1].facts[1].text, "a directory");
  EXPECT_THAT(codes(target, nullptr, {odd}), ElementsAre(Code::ToolkitVersionUnknown));
  EXPECT_EQ(findings[0].facts[1].text, "no version in it");
}

TEST_F(Judging, newerHeadersAreNoMatterWhereNamesDecide) {
  Target target = targetOf("cuda==12.4", Enforce::Symbols);
  EXPECT_THAT(codes(target, nullptr, {headerOf("12.5")}), IsEmpty());
  EXPECT_THAT(codes(target, nullptr, {headerOf("13.0")}), ElementsAre(Code::HeadersMajor));
}
