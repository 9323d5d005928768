// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/TorchBuild.h"
#include "driver/resolve/Resolve.h"
#include "tests/unit/resolve/Resolving.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using test::codesOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

struct TorchBuild : testing::Test {
  Invocation call;
  std::vector<Finding> findings;

  static Target targetOf(std::initializer_list<const char *> runtime,
                         Enforce enforce = Enforce::Toolkit) {
    Declaration declaration;
    for (const char *each : runtime)
      declaration.runtime.push_back({each, {Origin::Kind::File, "pyproject.toml", 14, 1}});
    declaration.enforce = {enforce, {}};
    return llvm::cantFail(resolve::resolve(declaration));
  }
  static FoundTorch torchOf(const char *release, const char *label = "") {
    FoundTorch torch;
    torch.path = "/tmp/pip-build-env-x1/overlay/lib/python3.11/site-packages/torch/include";
    torch.foundBy = "-I torch/include";
    torch.release = *Version::parse(release);
    torch.label = label;
    torch.guarded = torch.release.at(1) >= 10;
    return torch;
  }
  std::vector<Code> codes(const Target &target, FoundTorch torch) {
    findings = policy::judgeTorchHeaders(target, {torch}, call);
    return codesOf(findings);
  }
  std::vector<Code> codes(const char *runtime, const char *release, const char *label = "") {
    return codes(targetOf({runtime}), torchOf(release, label));
  }
  void words(std::initializer_list<const char *> texts) {
    call.words.clear();
    for (const char *text : texts)
      call.words.push_back({text});
  }
};

TEST_F(TorchBuild, newerHeadersAreRefusedWithWhatToPin) {
  ASSERT_THAT(codes("torch==2.11.0", "2.15.0", "cu130"), ElementsAre(Code::TorchHeadersNewer));
  const Finding &finding = findings[0];
  EXPECT_EQ(finding.message, "torch 2.15.0 headers are newer than runtime 2.11.0");
  EXPECT_EQ(finding.severity, Severity::Error);
  EXPECT_THAT(finding.facts[0].text, HasSubstr("torch 2.15.0+cu130 at /tmp/pip-build-env-x1/"));
  EXPECT_THAT(finding.facts[1].text, HasSubstr("torch==2.11.0 in pyproject.toml:14"));
  EXPECT_THAT(finding.facts[2].text, HasSubstr("pip builds in isolation"));
  EXPECT_EQ(finding.fixes[0], "write \"torch==2.11.0\" in build-system.requires of pyproject.toml");
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("--no-build-isolation")));
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("-DTORCH_TARGET_VERSION=0x020b000000000000")));
}

TEST_F(TorchBuild, theSameMinorIsAccepted) {
  EXPECT_THAT(codes("torch==2.11.0", "2.11.0", "cu130"), IsEmpty());
  EXPECT_THAT(codes("torch==2.5.0", "2.5.1"), IsEmpty());
  EXPECT_THAT(codes("torch==2.5.1", "2.5.0"), IsEmpty());
}

TEST_F(TorchBuild, olderHeadersAreAWarning) {
  ASSERT_THAT(codes("torch==2.11.0", "2.9.1"), ElementsAre(Code::TorchOtherBuild));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "torch 2.9.1 headers are older than runtime 2.11.0");
}

TEST_F(TorchBuild, aRangeIsCheckedAtItsOldestRelease) {
  EXPECT_THAT(codes("torch>=2.8,<2.11", "2.8.0"), IsEmpty());
  EXPECT_THAT(codes("torch>=2.8,<2.11", "2.10.0"), ElementsAre(Code::TorchHeadersNewer));
  // In this range the wheels for CUDA 12.6 begin with 2.7.
  EXPECT_THAT(codes(targetOf({"torch>=2.5,<2.9", "cuda==12.6"}), torchOf("2.7.0")), IsEmpty());
}

TEST_F(TorchBuild, onlyWhereTheRuntimeHasTorch) {
  EXPECT_THAT(codes("cuda==12.4", "2.15.0"), IsEmpty());
  EXPECT_THAT(codes("jax[cuda12]==0.4.35", "2.15.0"), IsEmpty());
  EXPECT_THAT(codes(targetOf({"torch==2.5.1"}, Enforce::Off), torchOf("2.15.0")), IsEmpty());
}

TEST_F(TorchBuild, modes) {
  EXPECT_THAT(codes(targetOf({"torch==2.5.1"}, Enforce::Symbols), torchOf("2.6.0")), IsEmpty());
  ASSERT_THAT(codes(targetOf({"torch==2.5.1"}, Enforce::Warn), torchOf("2.6.0")),
              ElementsAre(Code::TorchHeadersNewer));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST_F(TorchBuild, theBuildForAnotherCuda) {
  ASSERT_THAT(codes("torch==2.6.0", "2.6.0", "cu126"), ElementsAre(Code::TorchOtherBuild));
  EXPECT_EQ(findings[0].message, "torch 2.6.0+cu126 headers, runtime has cu124");
  EXPECT_THAT(codes("torch==2.6.0+cu126", "2.6.0", "cu126"), IsEmpty());
  EXPECT_THAT(codes("torch==2.6.0", "2.6.0", "cpu"), IsEmpty());
  EXPECT_THAT(codes("torch==2.6.0", "2.6.0", "git1234"), IsEmpty());
  EXPECT_THAT(codes("torch>=2.6,<2.9", "2.6.0", "cu126"), IsEmpty());
}

TEST_F(TorchBuild, whatCannotBeReadIsUnknown) {
  FoundTorch torch = torchOf("2.5.1");
  torch.release = {};
  torch.problem = "no TORCH_VERSION_MAJOR in it";
  ASSERT_THAT(codes(targetOf({"torch==2.5.1"}), torch), ElementsAre(Code::TorchReleaseUnknown));
  EXPECT_EQ(findings[0].message, "the release of torch's headers cannot be determined");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST_F(TorchBuild, theStableAbiOfAnOlderRelease) {
  for (auto line :
       {std::initializer_list<const char *>{"-DTORCH_TARGET_VERSION=0x020a000000000000"},
        {"-D", "TORCH_TARGET_VERSION=0x020A000000000000ULL"},
        {"-DTORCH_TARGET_VERSION=1", "-DTORCH_TARGET_VERSION=0x020a000000000000"},
        {"--define-macro", "TORCH_TARGET_VERSION=0x020a000000000000"}}) {
    words(line);
    EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), IsEmpty());
    EXPECT_THAT(codes("torch==2.9.1", "2.15.0"), ElementsAre(Code::TorchHeadersNewer));
  }
  EXPECT_EQ(findings[0].message, "stable ABI of torch 2.10 is newer than runtime 2.9.1");
  // Headers before 2.10 do not reject unstable names.
  EXPECT_THAT(codes("torch==2.8.0", "2.9.1"), ElementsAre(Code::TorchHeadersNewer));
  words({"-DTORCH_TARGET_VERSION=0x020a000000000000", "-UTORCH_TARGET_VERSION"});
  EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), ElementsAre(Code::TorchHeadersNewer));
  words({"-DTORCH_TARGET_VERSION=THEIRS"});
  EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), ElementsAre(Code::TorchReleaseUnknown));
  words({"-DTORCH_TARGET_VERSIONS=0x020a000000000000"});
  EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), ElementsAre(Code::TorchHeadersNewer));
}

TEST_F(TorchBuild, libraries) {
  auto judged = [&](const char *release) {
    FoundTorch torch = torchOf(release);
    torch.path = "/venv/torch/lib/libc10.so";
    torch.foundBy = "-lc10";
    findings = policy::judgeTorchLibraries(targetOf({"torch==2.11.0"}), {torch});
    return codesOf(findings);
  };
  EXPECT_THAT(judged("2.11.0"), IsEmpty());
  EXPECT_THAT(judged("2.10.0"), ElementsAre(Code::TorchOtherBuild));
  EXPECT_THAT(judged("2.15.0"), ElementsAre(Code::TorchLibraryNewer));
}

TEST_F(TorchBuild, theLabelOfTheDeclarationDecides) {
  ASSERT_THAT(codes("torch==2.6.0+cu126", "2.6.0", "cu124"), ElementsAre(Code::TorchOtherBuild));
  EXPECT_EQ(findings[0].message, "torch 2.6.0+cu124 headers, runtime has cu126");
}

TEST_F(TorchBuild, anUndefinedTargetVersionIsNone) {
  const char *defined = "-DTORCH_TARGET_VERSION=0x020a000000000000";
  for (auto line : {std::initializer_list<const char *>{defined, "-UTORCH_TARGET_VERSION"},
                    {defined, "-U", "TORCH_TARGET_VERSION"},
                    {defined, "--undefine-macro", "TORCH_TARGET_VERSION"},
                    {defined, "--undefine-macro=TORCH_TARGET_VERSION"},
                    {"TORCH_TARGET_VERSION=0x020a000000000000"},
                    {"-D"}}) {
    words(line);
    EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), ElementsAre(Code::TorchHeadersNewer))
        << call.words.back().text.str();
  }
  for (auto line : {std::initializer_list<const char *>{"-UTORCH_TARGET_VERSION", defined},
                    {"--define-macro=TORCH_TARGET_VERSION=0x020a000000000000"}}) {
    words(line);
    EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), IsEmpty()) << call.words.back().text.str();
  }
}

TEST_F(TorchBuild, aTargetVersionWithoutMajorIsNoRelease) {
  words({"-DTORCH_TARGET_VERSION=1"});
  EXPECT_THAT(codes("torch==2.10.0", "2.15.0"), ElementsAre(Code::TorchReleaseUnknown));
}

TEST_F(TorchBuild, whyAReleaseIsWrongOrUnknownIsSaid) {
  FoundTorch torch = torchOf("2.15.0");
  codes(targetOf({"torch==2.5.1"}), torch);
  EXPECT_EQ(findings.at(0).facts.size(), 3u);
  torch.path = "/venv/torch/include";
  codes(targetOf({"torch==2.5.1"}), torch);
  EXPECT_EQ(findings.at(0).facts.size(), 2u) << "pip does not build in isolation";
  torch.release = {};
  torch.problem = "no TORCH_VERSION_MAJOR in it";
  codes(targetOf({"torch==2.5.1"}), torch);
  EXPECT_EQ(findings.at(0).facts.at(1).text, torch.problem);
}

TEST_F(TorchBuild, aModeThatHelpsIsProposed) {
  const std::string symbols = "set enforce = \"symbols\" to check the names actually used";
  codes("torch==2.5.1", "2.6.0");
  EXPECT_THAT(findings.at(0).fixes, Contains(symbols));
  EXPECT_THAT(findings.at(0).fixes, Not(Contains(HasSubstr("-DTORCH_TARGET_VERSION"))))
      << "the headers do not know it";
  ASSERT_THAT(codes(targetOf({"torch==1.13.1"}, Enforce::Symbols), torchOf("2.6.0")),
              ElementsAre(Code::TorchHeadersNewer))
      << "another major";
  EXPECT_THAT(findings[0].fixes, Not(Contains(symbols)));
}

TEST_F(TorchBuild, nothingFoundOrDeclaredIsNothingToJudge) {
  EXPECT_THAT(policy::judgeTorchHeaders(targetOf({"torch==2.5.1"}), {}, call), IsEmpty());
  EXPECT_THAT(codes(Target(), torchOf("2.15.0")), IsEmpty());
}

} // namespace
