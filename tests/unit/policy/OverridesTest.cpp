// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/config/ParseOverride.h"
#include "driver/core/Verdict.h"
#include "driver/resolve/Machines.h"
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

namespace {

Finding found(Code code, std::string library = "", std::string symbol = "") {
  Finding finding;
  finding.code = code;
  finding.severity = severityOf(code);
  finding.message = "message";
  finding.library = std::move(library);
  finding.symbol = std::move(symbol);
  finding.fixes.push_back("fix");
  return finding;
}

struct Overrides : testing::Test {
  Declaration declaration;
  std::vector<std::string> files = {"dist/p.whl!pkg/ext.so"};
  policy::Overridden settled;

  void severities(std::vector<const char *> texts) {
    for (const char *text : texts)
      declaration.severity.push_back({llvm::cantFail(config::parseSeverityChange(text)), {}});
  }
  void waive(std::vector<const char *> texts) {
    for (const char *text : texts)
      declaration.waive.push_back(
          {llvm::cantFail(config::parseWaiver(text)), {Origin::Kind::File, "cuda-cc.toml", 4, 2}});
  }
  std::vector<Severity> of(std::vector<Finding> findings) {
    settled = policy::applyOverrides(declaration, files, std::move(findings));
    std::vector<Severity> severities;
    for (const Finding &finding : settled.findings)
      severities.push_back(finding.severity);
    return severities;
  }
  Outcome outcome() const { return Verdict{settled.findings}.outcome(); }
};

using Severities = std::vector<Severity>;
const Severity error = Severity::Error, warning = Severity::Warning, remark = Severity::Remark;

} // namespace

TEST_F(Overrides, nothingDeclaredChangesNothing) {
  EXPECT_FALSE(policy::overrides(declaration));
  EXPECT_EQ(of({found(Code::Floor), found(Code::RunpathOverridable)}),
            (Severities{error, warning}));
  EXPECT_THAT(policy::recordedOverrides(declaration), IsEmpty());
}

TEST_F(Overrides, aRefusalIsLowered) {
  severities({"CC3005=warning", "CC4101=remark"});
  EXPECT_TRUE(policy::overrides(declaration));
  EXPECT_EQ(of({found(Code::Floor), found(Code::Group), found(Code::NewerButUnused)}),
            (Severities{warning, error, remark}));
  EXPECT_EQ(outcome(), Outcome::Reject) << "the other one stays";
  EXPECT_EQ(of({found(Code::Floor)}), Severities{warning});
  EXPECT_EQ(outcome(), Outcome::Accept);
}

TEST_F(Overrides, aWarningOrRemarkIsRaised) {
  severities({"CC4102=error", "AV-I03=error"});
  EXPECT_EQ(of({found(Code::RunpathOverridable)}), Severities{error});
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_EQ(of({found(Code::StaticCudart)}), Severities{error});
  EXPECT_EQ(Verdict{settled.findings}.exit(), Exit::Rejected);
  EXPECT_EQ(of({found(Code::CoupledNotNeeded)}), Severities{warning});
}

// If a rule itself lowers the severity, there is a reason: NVIDIA's own file, an object.
TEST_F(Overrides, aSofterFindingIsNotRaised) {
  severities({"CC4104=error", "CC4003=error"});
  Finding soft = found(Code::PtxNewerCovered), other = found(Code::NotFound);
  soft.severity = other.severity = remark;
  EXPECT_EQ(of({soft, other}), (Severities{remark, remark}));
  soft.severity = warning;
  soft.code = Code::NotFound;
  EXPECT_EQ(of({soft}), Severities{warning});
  severities({"CC4003=warning"});
  EXPECT_EQ(of({other}), Severities{remark}) << "nor by lowering";
}

TEST_F(Overrides, theLastOfSeveralCounts) {
  severities({"CC3005=remark", "E_FLOOR=error"});
  EXPECT_EQ(of({found(Code::Floor)}), Severities{error});
}

TEST_F(Overrides, rulesThatCountUnderWarn) {
  declaration.enforce.value = Enforce::Warn;
  severities({"CC4002=error", "CC4102=error"});
  Finding byMode = found(Code::NvJitLinkNewer), another = found(Code::ImportMissing);
  byMode.severity = another.severity = warning;
  EXPECT_EQ(of({byMode, another, found(Code::RunpathOverridable)}),
            (Severities{error, warning, error}));
}

// MD-3: no mode turns unknown into accept, not even with a declaration that no parser would
// produce.
TEST_F(Overrides, unknownStaysUnknown) { // MD-3
  declaration.severity.push_back({{{"CC2002", {Code::EvidenceConflict}}, remark}, {}});
  declaration.waive.push_back({{{"CC2002", {Code::EvidenceConflict}}, "", "x"}, {}});
  EXPECT_EQ(of({found(Code::EvidenceConflict)}), Severities{error});
  EXPECT_EQ(outcome(), Outcome::Unknown);
  declaration.severity.front().value.rule.codes = {Code::BadValue};
  declaration.waive.front().value.rule.codes = {Code::BadValue};
  EXPECT_EQ(of({found(Code::BadValue)}), Severities{error});
}

TEST_F(Overrides, aWaiverByLibrary) {
  waive({"CC4003 libfoo.so.1: the application loads it"});
  EXPECT_EQ(of({found(Code::NotFound, "libfoo.so.1"), found(Code::NotFound, "libbar.so.1")}),
            Severities{error});
  EXPECT_EQ(settled.findings[0].library, "libbar.so.1");
  ASSERT_EQ(settled.waived.size(), 1u);
  const Finding &waived = settled.waived[0];
  EXPECT_EQ(waived.severity, remark);
  EXPECT_EQ(waived.message, "waived: message");
  EXPECT_THAT(waived.fixes, IsEmpty());
  EXPECT_EQ(waived.facts.back().text, "the application loads it (cuda-cc.toml:4)");
  EXPECT_THAT(settled.used, ElementsAre(0u));
  EXPECT_EQ(of({found(Code::ImportMissing, "libfoo.so.1")}), Severities{error}) << "another rule";
  EXPECT_THAT(settled.used, IsEmpty());
}

TEST_F(Overrides, aWaiverOfEverything) {
  waive({"E_TARGET_NEWER: proved elsewhere"});
  EXPECT_EQ(of({found(Code::TargetNewer), found(Code::HeadersNewer)}), Severities{});
  EXPECT_EQ(of({found(Code::TargetMajor)}), Severities{error});
}

TEST_F(Overrides, aWaiverByFile) {
  waive({"CC4106 pkg/ext.so: in-house only"});
  EXPECT_EQ(of({found(Code::AbsolutePath)}), Severities{});
  files = {"/w/pkg/ext.so"};
  EXPECT_EQ(of({found(Code::AbsolutePath)}), Severities{});
  for (const char *other : {"/w/xpkg/ext.so", "/w/ext.so", "/w/pkg/ext.so.1"}) {
    files = {other};
    EXPECT_EQ(of({found(Code::AbsolutePath)}), Severities{warning}) << other;
  }
}

TEST_F(Overrides, aFindingOfSeveralSymbolsNeedsAllWaived) {
  waive({"CC4001 cuA: guarded", "CC4001 cuB: guarded too"});
  Finding both = found(Code::ImportMissing, "libcuda.so.1", "cuA");
  EXPECT_EQ(of({both}), Severities{});
  both.facts.push_back({"symbols", "cuA, cuB"});
  EXPECT_EQ(of({both}), Severities{});
  EXPECT_THAT(settled.used, ElementsAre(0u, 1u));
  for (const char *names : {"cuA, cuB, cuC", "cuA, cuB, and 7 more"}) {
    both.facts.back().text = names;
    EXPECT_EQ(of({both}), Severities{error}) << names;
  }
}

// With very many findings of one kind, the last one that is kept counts the others.
TEST_F(Overrides, aFindingThatStandsForOthersIsNotWaivedByName) {
  waive({"CC4003 libfoo.so.1: x"});
  Finding last = found(Code::NotFound, "libfoo.so.1");
  last.facts.push_back({"and", "3 more of this kind"});
  EXPECT_EQ(of({last}), Severities{error});
  waive({"CC4003: all of them"});
  EXPECT_EQ(of({last}), Severities{});
  waive({"CC4001 cuA: x"});
  last = found(Code::ImportMissing, "libcuda.so.1", "cuA");
  EXPECT_EQ(of({last}), Severities{});
  last.facts.push_back({"and", "3 more of this kind"});
  EXPECT_EQ(of({last}), Severities{error});
}

TEST_F(Overrides, aRaisedFindingCanBeWaived) {
  severities({"CC4203=error"});
  waive({"CC4203 ext.so: old"});
  EXPECT_EQ(of({found(Code::StaticCudart)}), Severities{});
  files = {"other.so"};
  EXPECT_EQ(of({found(Code::StaticCudart)}), Severities{error});
}

TEST_F(Overrides, recordedInOrderOnceWithoutFolders) {
  severities({"CC4102=error", "CC4101=remark", "CC3005=warning", "CC3005=warning"});
  waive({"CC4106 /home/u/build/ext.so: in-house", "CC4003 libfoo.so.1: loaded by the application",
         "CC4106 a.whl!pkg/x.so: y"});
  declaration.assumeForwardCompatibility.value = true;
  EXPECT_THAT(policy::recordedOverrides(declaration),
              ElementsAre("CC3005=warning", "CC4003 libfoo.so.1: loaded by the application",
                          "CC4101=remark", "CC4106 ext.so: in-house", "CC4106 x.so: y",
                          "assume-forward-compatibility"));
}

namespace {

/// The judgements that compile and link use, under the declaration.
struct Assuming : BinaryJudging {
  Declaration declaration;

  Assuming() { declaration.assumeForwardCompatibility.value = true; }

  Target targetOf(std::vector<const char *> runtime) {
    for (const char *text : runtime)
      declaration.runtime.push_back({text, {Origin::Kind::Option, "--cudacc-runtime"}});
    return llvm::cantFail(resolve::resolve(declaration));
  }
  Verdict compiled(const Target &target, const char *crt) {
    CudaVersion line = target.line;
    Toolkit toolkit;
    toolkit.nvcc = "/opt/cuda/bin/nvcc";
    toolkit.components = {
        {"nvcc", toolkit.nvcc, line, line.str() + ".88", "its text"},
        {"crt", "/opt/cuda/include/crt", *CudaVersion::parse(crt), crt, "RECORD"}};
    auto around = [] { return std::vector<core::FoundToolkit>{}; };
    auto findings = policy::judgeCompile(target, &toolkit, {}, around);
    return {policy::applyOverrides(declaration, {}, std::move(findings)).findings};
  }
  Verdict linked(const Target &target, const BinaryFacts &facts) {
    judge(target, facts);
    return {policy::applyOverrides(declaration, {}, findings).findings};
  }
};

const Finding *finding(const Verdict &verdict, Code code) {
  for (const Finding &each : verdict.findings)
    if (each.code == code)
      return &each;
  return nullptr;
}

} // namespace

TEST_F(Assuming, aDriverTooOldIsANote) { // V-MD-06
  Target target = targetOf({"cuda==13.0", "driver>=535.104"});
  Verdict verdict = compiled(target, "13.0");
  EXPECT_EQ(verdict.outcome(), Outcome::Accept);
  ASSERT_TRUE(finding(verdict, Code::DriverMajor));
  EXPECT_EQ(finding(verdict, Code::DriverMajor)->severity, remark);
  EXPECT_THAT(finding(verdict, Code::DriverMajor)->facts.back().text,
              HasSubstr("forward compatibility is assumed"));
  BinaryFacts file = extension({import("libcudart.so.13", "cudaMalloc")});
  verdict = linked(target, file);
  EXPECT_EQ(verdict.outcome(), Outcome::Accept);
  ASSERT_TRUE(finding(verdict, Code::DriverMajor));
  EXPECT_EQ(finding(verdict, Code::DriverMajor)->severity, remark);
  declaration.assumeForwardCompatibility.value = false;
  EXPECT_EQ(compiled(target, "13.0").outcome(), Outcome::Reject);
  EXPECT_EQ(linked(target, file).outcome(), Outcome::Reject);
}

TEST_F(Assuming, aStaticCudartInside) { // V-MD-06
  Target target = targetOf({"cuda==13.0", "driver>=535.104"});
  BinaryFacts file = extension({});
  file.staticCudart = true;
  DeviceUnit unit;
  unit.images = {
      {ImageKind::Cubin, Compression::None, HasCode::Yes, false, *Arch::parse("sm_80"), {}},
      {ImageKind::Ptx, Compression::None, HasCode::No, false, *Arch::parse("sm_80"), {9, 0}}};
  file.device.units = {unit};
  EXPECT_EQ(linked(target, file).outcome(), Outcome::Accept);
  declaration.assumeForwardCompatibility.value = false;
  EXPECT_EQ(linked(target, file).outcome(), Outcome::Reject);
}

// PTX is E_PTX_NEWER, not E_DRIVER_*: the table of MD relaxes only the driver's rules.
TEST_F(Assuming, otherRulesAboutTheDriverStay) { // MD-2
  Target target = targetOf({"cuda==13.0", "driver>=535.104"});
  BinaryFacts file = extension({});
  DeviceUnit unit;
  unit.images = {
      {ImageKind::Ptx, Compression::None, HasCode::No, false, *Arch::parse("sm_80"), {9, 0}}};
  file.device.units = {unit};
  Verdict verdict = linked(target, file);
  ASSERT_TRUE(finding(verdict, Code::PtxNewer));
  EXPECT_EQ(verdict.outcome(), Outcome::Reject);
}

TEST_F(Assuming, whatDoesNotBelongTogetherIsRefused) { // V-MD-07
  Target target = targetOf({"cuda==13.0", "driver>=535.104"});
  Verdict verdict = compiled(target, "13.2");
  EXPECT_EQ(verdict.outcome(), Outcome::Reject);
  ASSERT_TRUE(finding(verdict, Code::Group));
  EXPECT_EQ(finding(verdict, Code::Group)->severity, error);
}

TEST_F(Assuming, anUnknownDriverStaysUnknown) { // MD-3
  declaration.waive.clear();
  EXPECT_EQ(Verdict{policy::applyOverrides(declaration, {}, {found(Code::DriverNewMajor)}).findings}
                .outcome(),
            Outcome::Unknown);
}

// MS-3: on findings about the driver and no others.
TEST_F(Assuming, theHintStandsOnDriverFindingsOnly) { // MS-3
  declaration.assumeForwardCompatibility.value = false;
  Verdict verdict = compiled(targetOf({"cuda==13.0", "driver>=535.104"}), "13.2");
  unsigned hints = 0;
  for (const Finding &each : verdict.findings)
    for (const std::string &fix : each.fixes)
      if (llvm::StringRef(fix).contains("assume-forward-compatibility")) {
        ++hints;
        EXPECT_EQ(each.code, Code::DriverMajor);
        EXPECT_THAT(fix, HasSubstr("belong together is still checked"));
      }
  EXPECT_EQ(hints, 1u);
}

TEST(Modes, offReportsNothingAndWarnRefusesOnlyWrongUsage) {
  std::vector<Finding> findings = {found(Code::Floor), found(Code::StaticCudart),
                                   found(Code::Usage)};
  EXPECT_THAT(policy::applyMode(Enforce::Off, findings), IsEmpty());
  auto severities = [&](Enforce mode) {
    std::vector<Severity> all;
    for (const Finding &each : policy::applyMode(mode, findings))
      all.push_back(each.severity);
    return all;
  };
  EXPECT_THAT(severities(Enforce::Warn), ElementsAre(warning, remark, error));
  EXPECT_THAT(severities(Enforce::Toolkit), ElementsAre(error, remark, error));
}
