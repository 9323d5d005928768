// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "driver/policy/rules/JudgeDependencies.h"
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/support/Demangled.h"
#include "driver/tables/generate/TorchNamesWriter.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Machine.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::tables::TorchNames;
using cudacc::tables::TorchNamesWriter;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

constexpr uint16_t x86 = 62;
enum : uint8_t { C10 = 1, Cpu = 4, Cuda = 8, Python = 64 };

constexpr const char *decref = "_ZNK3c1010TensorImpl15decref_pyobjectEv";
constexpr const char *incref = "_ZNK3c1010TensorImpl15incref_pyobjectEv";
constexpr const char *fromPython = "_Z10THPVariable_WrapN2at10TensorBaseE";
constexpr const char *oldCheck = "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs";
constexpr const char *newCheck = "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_"
                                 "stringIcSt11char_traitsIcESaIcEEE";
constexpr const char *cxxRuntime = "_ZNSt13basic_filebufIcSt11char_traitsIcEEC1EOS2_";
constexpr const char *kernel = "_ZN2at6native6kernelEv";

struct JudgingTorch : BinaryJudging {
  std::string bytes;
  std::optional<TorchNames> names;
  policy::TorchTable table;

  using Rows = std::vector<TorchNamesWriter::Name>;

  static TorchNamesWriter::Name row(const char *text, uint8_t libraries = C10,
                                    bool everyPython = true) {
    return {text, {false, everyPython, libraries}};
  }

  /// Releases up to 2.6.0 have the old strings.
  void SetUp() override {
    TorchNamesWriter writer;
    auto add = [&](const char *release, bool old, Rows rows) {
      rows.push_back(row("_ZNK3c1010TensorImpl3dimEv"));
      rows.push_back(row(old ? oldCheck : newCheck));
      llvm::cantFail(writer.add({release, x86, old, 0, "cp310 cp313"}, rows));
    };
    add("2.5.1", true, {row(kernel, Cuda), row(cxxRuntime, Cpu), row("PyObject_Call", Python)});
    add("2.6.0", true, {row(kernel, Cuda)});
    add("2.7.0", false, {row(kernel, Cuda)});
    add("2.9.1", false, {row(decref), row("some", Python, false)});
    add("2.10.0", false, {row(decref), row(incref), row("some", Python, false)});
    add("2.11.0", false, {row(incref)});
    bytes = llvm::cantFail(writer.bytes());
    names = llvm::cantFail(TorchNames::view(bytes));
    table.names = &*names;
  }

  static BinaryFacts file(std::vector<const char *> symbols,
                          std::vector<std::string> needed = {"libc10.so", "libtorch.so",
                                                             "libstdc++.so.6"}) {
    std::vector<Import> imports;
    for (const char *symbol : symbols)
      imports.push_back({symbol, "", "", false});
    BinaryFacts facts = extension(std::move(imports), std::move(needed));
    facts.machine = x86;
    return facts;
  }

  std::vector<Code> judgeOn(const char *runtime, const BinaryFacts &facts) {
    input.torchTable = &table;
    auto codes = judge(runtime, facts);
    input.torchTable = nullptr;
    return codes;
  }
};

} // namespace

TEST_F(JudgingTorch, theReleasesThatAProcessNeedsAreNamed) {
  BinaryFacts facts = file({decref});
  Target target = targetOf("torch==2.11.0");
  LoadResult load;
  BindingFailure binding;
  binding.importer = facts.path;
  binding.symbol = decref;
  binding.missing = {decref};
  policy::ProcessCase process;
  process.file = &facts;
  process.path = facts.path;
  process.target = &target;
  process.load = &load;
  process.binding = &binding;
  process.torch = "2.11.0";
  process.torchTable = &table;
  findings = policy::judgeProcess(process, {});
  ASSERT_FALSE(findings.empty());
  EXPECT_THAT(fact(findings[0], "file fits"), HasSubstr(">=2.9.1,<2.11"));
}

TEST_F(JudgingTorch, aNameThatTheReleaseLacksIsRefused) {
  BinaryFacts facts = file({decref, "_ZNK3c1010TensorImpl3dimEv"});
  ASSERT_THAT(judgeOn("torch==2.11.0", facts), ElementsAre(Code::TorchLacks));
  const Finding &finding = findings[0];
  EXPECT_EQ(finding.message, "torch 2.11.0 lacks c10::TensorImpl::decref_pyobject");
  EXPECT_EQ(finding.symbol, decref);
  EXPECT_EQ(finding.library, "libc10.so");
  EXPECT_EQ(fact(finding, "symbol"), decref);
  EXPECT_EQ(fact(finding, "name"), "c10::TensorImpl::decref_pyobject() const");
  EXPECT_THAT(fact(finding, "exported by"), HasSubstr("torch >=2.9.1,<2.11"));
  EXPECT_THAT(fact(finding, "file fits"), HasSubstr(">=2.9.1,<2.11"));
  EXPECT_THAT(fact(finding, "runtime"), HasSubstr("torch==2.11.0"));
  EXPECT_THAT(finding.fixes, Contains("pip install 'torch>=2.9.1,<2.11'"));
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("build against torch==2.11.0")));
  EXPECT_EQ(outcome(), Outcome::Reject);
}

TEST_F(JudgingTorch, aReleaseThatHasAllNamesIsAccepted) {
  EXPECT_THAT(judgeOn("torch==2.10.0", file({decref, incref, newCheck})), IsEmpty());
  EXPECT_EQ(outcome(), Outcome::Accept);
}

TEST_F(JudgingTorch, furtherNamesAreCounted) {
  judgeOn("torch==2.7.0", file({incref, decref}));
  ASSERT_NE(find(Code::TorchLacks), nullptr);
  EXPECT_EQ(fact(*find(Code::TorchLacks), "and"), "1 more: c10::TensorImpl::decref_pyobject");
}

// Names are added and removed: the releases that fit both are a range.
TEST_F(JudgingTorch, noReleaseFitsWhatIsOfSeveral) {
  judgeOn("torch==2.11.0", file({kernel, incref}));
  ASSERT_NE(find(Code::TorchLacks), nullptr);
  EXPECT_EQ(fact(*find(Code::TorchLacks), "file fits"), "");
  EXPECT_THAT(find(Code::TorchLacks)->fixes, Not(Contains(HasSubstr("pip install 'torch"))));
}

TEST_F(JudgingTorch, weakNamesMayBeMissing) {
  BinaryFacts facts = file({decref});
  facts.imports[0].weak = true;
  EXPECT_THAT(judgeOn("torch==2.11.0", facts), IsEmpty());
}

TEST_F(JudgingTorch, stringsOfTheOtherAbiAreOneFinding) {
  ASSERT_THAT(judgeOn("torch==2.5.1", file({newCheck})), ElementsAre(Code::TorchStrings));
  const Finding &finding = findings[0];
  EXPECT_EQ(finding.message, "another std::string ABI than torch 2.5.1 has");
  EXPECT_THAT(fact(finding, "file"), HasSubstr("_GLIBCXX_USE_CXX11_ABI=1"));
  EXPECT_THAT(fact(finding, "torch"), HasSubstr("_GLIBCXX_USE_CXX11_ABI=0"));
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=0")));
  ASSERT_THAT(judgeOn("torch==2.7.0", file({oldCheck})), ElementsAre(Code::TorchStrings));
  EXPECT_THAT(findings[0].fixes, Contains(HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=1")));
  EXPECT_THAT(judgeOn("torch==2.5.1", file({oldCheck})), IsEmpty());
  EXPECT_THAT(judgeOn("torch==2.7.0", file({newCheck})), IsEmpty());
}

// Built with the default ABI against 2.10, run with 2.5.1: two causes.
TEST_F(JudgingTorch, namesWithoutStringsAreAnotherCause) {
  EXPECT_THAT(judgeOn("torch==2.5.1", file({newCheck, decref})),
              ElementsAre(Code::TorchStrings, Code::TorchLacks));
  EXPECT_EQ(fact(*find(Code::TorchStrings), "and"), "");
}

TEST_F(JudgingTorch, aReleaseThatWasNotReadIsUnknown) {
  BinaryFacts facts = file({decref});
  ASSERT_THAT(judgeOn("torch==2.8.0", facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("torch 2.8.0 for x86_64 were not read"));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  facts.machine = 183;
  ASSERT_THAT(judgeOn("torch==2.10.0", facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("aarch64"));
}

TEST_F(JudgingTorch, aNameOfSomePythonsIsUnknown) {
  ASSERT_THAT(judgeOn("torch==2.10.0", file({"some"})), ElementsAre(Code::NoExportList));
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("Python"));
  EXPECT_EQ(outcome(), Outcome::Unknown);
}

// 2.6.0 for cu126 has the new strings, PyPI's for cu124 the old ones: the table does not
// distinguish them.
TEST_F(JudgingTorch, anotherCudaLineMayDiffer) {
  EXPECT_THAT(judgeOn("torch==2.6.0+cu126", file({newCheck})), ElementsAre(Code::NoExportList));
  EXPECT_THAT(judgeOn("torch==2.6.0+cu126", file({oldCheck})), ElementsAre(Code::NoExportList));
  EXPECT_THAT(judgeOn("torch==2.6.0+cu126", file({kernel})), ElementsAre(Code::NoExportList));
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("another CUDA line"));
  EXPECT_THAT(judgeOn("torch==2.6.0+cu126", file({decref})), ElementsAre(Code::TorchLacks));
  EXPECT_THAT(judgeOn("torch==2.6.0+cu124", file({newCheck})), ElementsAre(Code::TorchStrings));
  EXPECT_THAT(judgeOn("torch==2.5.1+cu121", file({newCheck})), ElementsAre(Code::TorchStrings));
  EXPECT_THAT(judgeOn("torch==2.5.1+cu121", file({oldCheck})), IsEmpty());
}

TEST_F(JudgingTorch, whatTheNeighboursDefineIsNotTorchs) {
  BinaryFacts facts = file({"_ZN2at6vision3opsEv"});
  EXPECT_THAT(judgeOn("torch==2.10.0", facts), ElementsAre(Code::TorchLacks));
  input.besideTorch = ofOthers;
  others = Exported::Yes;
  EXPECT_THAT(judgeOn("torch==2.10.0", facts), IsEmpty());
  others = Exported::Unknown;
  EXPECT_THAT(judgeOn("torch==2.10.0", facts), IsEmpty());
  EXPECT_THAT(judgeOn("torch==2.11.0", file({decref})), ElementsAre(Code::NoExportList));
}

// A library of the caller that was not read may define the name.
TEST_F(JudgingTorch, anUnreadNeighbourLeavesItOpen) {
  BinaryFacts facts = file({decref}, {"libc10.so", "libmine.so"});
  ASSERT_THAT(judgeOn("torch==2.11.0", facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(fact(findings[0], "because"), HasSubstr("libmine.so"));
  EXPECT_THAT(judgeOn("torch==2.10.0", facts), IsEmpty());
}

TEST_F(JudgingTorch, withoutNeededOnlyKnownNamesCount) {
  EXPECT_THAT(judgeOn("torch==2.11.0", file({decref}, {"libc.so.6"})),
              ElementsAre(Code::TorchLacks));
  EXPECT_THAT(judgeOn("torch==2.11.0", file({"_ZN2at6vision3opsEv"}, {"libc.so.6"})), IsEmpty());
}

// libtorch.so of 2.11.0 imports names of libstdc++ without a version, which libtorch_cpu.so of
// older releases exported as well.
TEST_F(JudgingTorch, namesOfTheCxxRuntimeAreNotTorchs) {
  EXPECT_THAT(judgeOn("torch==2.11.0", file({cxxRuntime, "PyObject_Call"})), IsEmpty());
}

TEST_F(JudgingTorch, aRangeNeedsAllOfItsReleases) {
  ASSERT_THAT(judgeOn("torch>=2.9.1,<2.11", file({incref})), ElementsAre(Code::TorchLacks));
  EXPECT_EQ(findings[0].message.substr(0, 18), "torch 2.9.1 lacks ");
  EXPECT_EQ(fact(findings[0], "lacking"), "torch 2.9.1");
  EXPECT_THAT(judgeOn("torch>=2.9.1,<2.11", file({decref})), IsEmpty());
}

TEST_F(JudgingTorch, withoutTableNothingIsKnown) {
  Finding problem;
  problem.message = "the table of torch's names is missing";
  problem.facts = {{"wanted", "/usr/share/cuda-cc/torch-names.bin"}};
  table = {nullptr, &problem};
  ASSERT_THAT(judgeOn("torch==2.10.0", file({decref})), ElementsAre(Code::NoExportList));
  EXPECT_EQ(outcome(), Outcome::Unknown);
  EXPECT_EQ(fact(findings[0], "wanted"), "/usr/share/cuda-cc/torch-names.bin");
  // A link continues: `check` decides.
  input.atLink = true;
  judgeOn("torch==2.10.0", file({decref}));
  EXPECT_EQ(outcome(), Outcome::Accept);
  ASSERT_NE(find(Code::NoExportList), nullptr);
  EXPECT_EQ(find(Code::NoExportList)->severity, Severity::Warning);
}

TEST_F(JudgingTorch, theFloorOfTheStableAbiIsTheTables) {
  constexpr const char *stable = "aoti_torch_get_data_ptr";
  TorchNamesWriter writer;
  for (const tables::TorchRelease &release : tables::torchReleases()) {
    bool isLater = *Version::parse("2.10.0") <= *Version::parse(release.str());
    llvm::cantFail(writer.add({release.str(), x86, false, 0, "cp313"},
                              {row(isLater ? stable : "aoti_torch_older", Cpu)}));
  }
  bytes = llvm::cantFail(writer.bytes());
  names = llvm::cantFail(TorchNames::view(bytes));
  judgeOn("torch==2.11.0", file({stable}));
  ASSERT_NE(find(Code::StableAbi), nullptr);
  EXPECT_EQ(find(Code::StableAbi)->message, "torch's stable ABI alone, torch >= 2.10.0");
}

// If the runtime is an environment, its files decide; the table is used for the messages only.
TEST_F(JudgingTorch, installedFilesBeatTheTable) {
  Target target = targetOf("torch==2.10.0");
  target.sitePackages = {"/site"};
  auto judgeIn = [&](std::vector<const char *> has, const BinaryFacts &facts) {
    installed["libtorch.so"] = {has.begin(), has.end()};
    input.torchTable = &table;
    input.torchLibraries = {"/site/torch/lib/libtorch.so"};
    auto codes = judge(target, facts);
    input.torchTable = nullptr;
    input.torchLibraries.clear();
    return codes;
  };
  EXPECT_THAT(judgeIn({}, file({decref})), ElementsAre(Code::TorchLacks));
  EXPECT_THAT(fact(findings[0], "exported by"), HasSubstr(">=2.9.1,<2.11"));
  EXPECT_THAT(judgeIn({kernel}, file({kernel})), IsEmpty());
  EXPECT_THAT(judgeIn({oldCheck}, file({newCheck})), ElementsAre(Code::TorchStrings));
  EXPECT_THAT(judgeIn({newCheck}, file({newCheck})), IsEmpty());
  // Without table too.
  table = {};
  EXPECT_THAT(judgeIn({}, file({decref})), ElementsAre(Code::TorchLacks));
  EXPECT_THAT(judgeIn({decref}, file({decref})), IsEmpty());
}

TEST_F(JudgingTorch, whatANameMeansInAMessage) {
  auto explain = [&](const char *text, const char *runtime) {
    auto ask = [this]() -> const policy::TorchTable & { return table; };
    std::optional<Target> target;
    if (runtime)
      target = targetOf(runtime);
    explain::Explainer explainer(target ? &*target : nullptr, ask);
    explainer.add(text);
    explain::Explained found = explainer.finish(true);
    return found.messages.empty() ? explain::Explanation() : found.messages.front();
  };
  if (ownMachine().elf != x86)
    GTEST_SKIP() << "the table of this test is of x86-64";
  auto factOf = [](const explain::Explanation &found, llvm::StringRef label) -> std::string {
    for (const Fact &each : found.facts)
      if (each.label == label)
        return each.text;
    return {};
  };
  explain::Explanation bare = explain(decref, nullptr);
  EXPECT_EQ(bare.id, "torch-symbol");
  EXPECT_EQ(factOf(bare, "name"), "c10::TensorImpl::decref_pyobject() const");
  EXPECT_THAT(factOf(bare, "exported by"), HasSubstr("torch >=2.9.1,<2.11"));
  EXPECT_EQ(factOf(bare, "strings"), "");
  explain::Explanation lacking =
      explain("undefined symbol: _ZNK3c1010TensorImpl15decref_pyobjectEv", "torch==2.11.0");
  EXPECT_THAT(lacking.what, HasSubstr("torch 2.11.0 does not export c10::TensorImpl"));
  explain::Explanation strings = explain(newCheck, "torch==2.5.1");
  EXPECT_THAT(factOf(strings, "strings"),
              HasSubstr("2.5.1 to 2.6.0 are built with _GLIBCXX_USE_CXX11_ABI=0"));
  EXPECT_THAT(strings.fixes.front(), HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=0"));
  // The declared release has it, so the ABI is not mentioned.
  EXPECT_THAT(explain(newCheck, "torch==2.7.0").fixes, Not(Contains(HasSubstr("-D_GLIBCXX"))));
  EXPECT_THAT(factOf(explain("_ZN3c107nowhereEv", nullptr), "exported by"),
              HasSubstr("no release"));
}

TEST_F(JudgingTorch, whatADependencyLacksIsInherited) {
  judgeOn("torch==2.11.0", file({decref}));
  auto inherited = policy::inherited(findings, "libmid.so");
  ASSERT_EQ(inherited.size(), 1u);
  EXPECT_EQ(fact(inherited[0], "needed by"), "libmid.so");
}

TEST_F(JudgingTorch, theRangeOfAFile) {
  auto none = [](llvm::StringRef) { return Exported::No; };
  auto rangeOf = [&](std::vector<const char *> symbols) {
    BinaryFacts facts = file(std::move(symbols));
    return policy::torchRangeOf(policy::torchImports(facts, &*names), *names, x86, none);
  };
  TorchRange range = rangeOf({decref});
  EXPECT_EQ(range.imports, 1u);
  EXPECT_EQ(range.specifier(), ">=2.9.1,<2.11");
  EXPECT_THAT(range.text(), HasSubstr("not known: "));
  EXPECT_FALSE(rangeOf({kernel, incref}).any());
  EXPECT_EQ(rangeOf({kernel, incref}).specifier(), "");
  EXPECT_FALSE(rangeOf({}).known());
  TorchRange both = rangeOf({decref});
  both.meet(rangeOf({incref}));
  EXPECT_EQ(both.specifier(), ">=2.10,<2.11");
  EXPECT_EQ(both.imports, 2u);
  // Releases that were not read are omitted from those that the metadata allows.
  EXPECT_THAT(rangeOf({newCheck}).specifier(), HasSubstr("!=2.8.0"));
}

TEST(Demangling, namesAreReadAndHostileOnesLeftAlone) {
  EXPECT_EQ(support::demangled(decref), "c10::TensorImpl::decref_pyobject() const");
  EXPECT_EQ(support::demangled("cudaMalloc"), "");
  EXPECT_EQ(support::demangled("_ZNotAName"), "");
  // Each level doubles the text: 2^60 characters.
  std::string doubling = "_Z1fI1xE1bIS0_S0_E";
  for (unsigned i = 1; i != 60; ++i) {
    std::string last = "S";
    unsigned digit = i;
    last += digit < 10 ? char('0' + digit) : char('A' + digit - 10);
    doubling += "1bI" + last + "_" + last + "_E";
  }
  EXPECT_EQ(support::demangled(doubling), "");
  EXPECT_EQ(support::demangled("_Z1f" + std::string(1 << 20, 'P') + "i"), "");
  EXPECT_EQ(support::shortName("_ZN2at6native4copyEPNS_6TensorE", 60), "at::native::copy");
  EXPECT_EQ(support::shortName("_ZNK1aclEi", 60), "a::operator()");
  EXPECT_EQ(support::shortName("_ZN3c106detail14torchCheckFailEPKcS2_jRKSs", 20),
            "c10::...rchCheckFail");
  // Parentheses before the name, and nothing else.
  EXPECT_EQ(support::shortName("_Z1fIiEDTplfp_Li1EET_", 60), "decltype(fp + 1) f<int>");
  EXPECT_EQ(support::shortName("_Z1fIiEPFvvET_", 60), "void (*f<int>(int))");
  EXPECT_EQ(support::shortName("_Z1(", 60), "(");
}

TEST(Demangling, theAbiOfStringsIsInTheName) {
  using policy::StringAbi;
  EXPECT_EQ(policy::stringAbiOf(newCheck), StringAbi::New);
  EXPECT_EQ(policy::stringAbiOf(oldCheck), StringAbi::Old);
  EXPECT_EQ(policy::stringAbiOf(decref), StringAbi::None);
  EXPECT_EQ(policy::stringAbiOf("_ZN3c104nameB5cxx11Ev"), StringAbi::New);
  EXPECT_EQ(policy::stringAbiOf("_ZN3c103useERKSt4listIiSaIiEE"), StringAbi::Old);
  EXPECT_EQ(policy::stringAbiOf("_ZN3c1010SsInNameOnlyEv"), StringAbi::None);
}

TEST_F(JudgingTorch, aFileMayUseTorchByItsNamesOrItsLibraries) {
  const std::vector<std::string> libc = {"libc.so.6"};
  EXPECT_TRUE(policy::mayUseTorch(file({}, {"libc10.so"})));
  EXPECT_TRUE(policy::mayUseTorch(file({decref}, libc)));
  EXPECT_FALSE(policy::mayUseTorch(file({"cudaMalloc"}, libc)));
  BinaryFacts facts = file({decref}, libc);
  facts.imports[0].weak = true;
  EXPECT_FALSE(policy::mayUseTorch(facts));
  facts.imports[0] = cudacc::test::import("libmine.so", decref);
  EXPECT_FALSE(policy::mayUseTorch(facts));
}

// Any library may export a name that does not look like torch's.
TEST_F(JudgingTorch, withoutNeededANameHasToLookLikeTorchs) {
  EXPECT_THAT(policy::torchImports(file({"some"}, {"libc.so.6"}), &*names).names, IsEmpty());
  EXPECT_EQ(policy::torchImports(file({"some"}), &*names).names.size(), 1u);
}

TEST_F(JudgingTorch, theReleasesOfARuntime) {
  auto first = [](const char *torch) {
    Target target;
    target.torch = torch;
    auto releases = policy::torchReleasesOf(target);
    return releases.empty() ? "" : releases.front().release;
  };
  EXPECT_EQ(first(""), "");
  EXPECT_EQ(first("no version"), "");
  EXPECT_EQ(first("2.8.0+cu126"), "2.8.0");
  for (const char *torch : {"2.8.0rc1", "2.8.0.post1"})
    EXPECT_EQ(first(torch), torch);
}

TEST_F(JudgingTorch, theStringsOfABuild) {
  using policy::StringAbi;
  auto abiOf = [&](const char *release, bool isOtherLine) {
    return policy::stringAbiOf(*names, {release, isOtherLine, release}, x86);
  };
  EXPECT_EQ(abiOf("2.6.0", false), StringAbi::Old);
  EXPECT_EQ(abiOf("2.6.0", true), StringAbi::None) << "some had the new strings";
  EXPECT_EQ(abiOf("2.5.1", true), StringAbi::Old);
  EXPECT_EQ(abiOf("2.7.0", true), StringAbi::New);
  EXPECT_EQ(abiOf("2.8.0", false), StringAbi::None) << "it was not read";
  EXPECT_THAT(judgeOn("torch==2.7.0+cu128", file({oldCheck})), ElementsAre(Code::TorchStrings));
}

TEST_F(JudgingTorch, theStringsOfInstalledLibraries) {
  using policy::StringAbi;
  auto abiWith = [](const char *only) {
    return policy::stringAbiOf(
        [&](llvm::StringRef symbol) { return symbol == only ? Exported::Yes : Exported::No; });
  };
  EXPECT_EQ(abiWith(oldCheck), StringAbi::Old);
  EXPECT_EQ(abiWith(newCheck), StringAbi::New);
  EXPECT_EQ(abiWith(kernel), StringAbi::None);
}

// A name of the right ABI that no release has.
TEST_F(JudgingTorch, aMissingNameWithTheStringsOfTorchIsAnotherCause) {
  EXPECT_THAT(judgeOn("torch==2.7.0", file({"_ZN3c104nameB5cxx11Ev"})),
              ElementsAre(Code::TorchLacks));
}

TEST_F(JudgingTorch, theRangeIsThatOfOneMachine) {
  constexpr uint16_t arm = 183;
  TorchNamesWriter writer;
  llvm::cantFail(writer.add({"2.9.1", arm, false, 0, "cp310"}, {row(decref)}));
  llvm::cantFail(writer.add({"2.9.1", x86, false, 0, "cp310"}, {row(incref)}));
  std::string both = llvm::cantFail(writer.bytes());
  TorchNames ofBoth = llvm::cantFail(TorchNames::view(both));
  EXPECT_EQ(policy::specifierExporting(ofBoth, decref, x86), "");
  EXPECT_NE(policy::specifierExporting(ofBoth, decref, arm), "");
  auto none = [](llvm::StringRef) { return Exported::No; };
  auto rangeOn = [&](uint16_t machine) {
    return policy::torchRangeOf({{{decref, true, true}}}, ofBoth, machine, none);
  };
  EXPECT_EQ(rangeOn(x86).releases.front().release, "2.9.1");
  EXPECT_THAT(rangeOn(x86).releases, Not(testing::SizeIs(1))) << "newer ones are known";
  EXPECT_THAT(rangeOn(8).releases, IsEmpty());
}

TEST_F(JudgingTorch, onlyWhatIsTorchsNarrowsTheRange) {
  constexpr const char *everywhere = "_ZNK3c1010TensorImpl3dimEv";
  constexpr const char *unknown = "_ZN2at6vision3opsEv";
  auto importsWhere = [&](Exported beside) {
    BinaryFacts facts = file({everywhere, decref, "some", unknown});
    return policy::torchRangeOf(policy::torchImports(facts, &*names), *names, x86,
                                [&](llvm::StringRef) { return beside; })
        .imports;
  };
  EXPECT_EQ(importsWhere(Exported::No), 4u);
  EXPECT_EQ(importsWhere(Exported::Yes), 1u) << "what every release has is not asked for";
  EXPECT_EQ(importsWhere(Exported::Unknown), 2u) << "the known name that looks like torch's";
}

TEST_F(JudgingTorch, aReleaseThatLacksANameIsNotOpenForAnother) {
  auto none = [](llvm::StringRef) { return Exported::No; };
  auto hasOf = [&](std::vector<const char *> symbols, llvm::StringRef release) {
    BinaryFacts facts = file(std::move(symbols));
    TorchRange range =
        policy::torchRangeOf(policy::torchImports(facts, &*names), *names, x86, none);
    for (const TorchRange::Release &each : range.releases)
      if (each.release == release)
        return each.has;
    return Exported::Yes;
  };
  EXPECT_EQ(hasOf({"some"}, "2.9.1"), Exported::Unknown);
  for (auto symbols : {std::vector{"some", incref}, {incref, "some"}})
    EXPECT_EQ(hasOf(symbols, "2.9.1"), Exported::No);
  for (auto symbols : {std::vector{"some", incref}, {incref, "some"}})
    EXPECT_EQ(hasOf(symbols, "2.10.0"), Exported::Unknown);
}

TEST_F(JudgingTorch, eachReleaseThatLacksANameIsListedOnce) {
  judgeOn("torch>=2.9.1,<2.11", file({incref, kernel}));
  EXPECT_EQ(fact(findings.at(0), "lacking"), "torch 2.9.1, 2.10.0");
  judgeOn("torch==2.11.0", file({decref}));
  EXPECT_THAT(labels(findings.at(0)), Not(Contains("lacking"))) << "there is but one";
}

TEST_F(JudgingTorch, anObjectThatTorchLacksANameOfIsWarnedAbout) {
  BinaryFacts facts = file({decref});
  facts.kind = BinaryKind::Relocatable;
  ASSERT_THAT(judgeOn("torch==2.11.0", facts), ElementsAre(Code::TorchLacks));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST_F(JudgingTorch, theReleaseThatWasNotReadIsNamed) {
  ASSERT_THAT(judgeOn("torch>=2.7.0,<2.8", file({newCheck})), ElementsAre(Code::NoExportList));
  EXPECT_EQ(fact(findings[0], "because"), "the names of torch 2.7.1 for x86_64 were not read");
}

TEST_F(JudgingTorch, whatMayDefineANameIsListed) {
  BinaryFacts facts = file({decref}, {"libc10.so", "libc.so.6", "libcudart.so.12", "libmine.so"});
  ASSERT_THAT(judgeOn("torch==2.11.0+cu126", facts), ElementsAre(Code::NoExportList));
  EXPECT_EQ(fact(findings[0], "because"), "not read, and may define it: libmine.so");
  EXPECT_EQ(fact(findings[0], "lacks it"), "torch 2.11.0+cu126");
  facts.needed = {"libc10.so", "libmine.so"};
  ASSERT_THAT(judgeOn("torch==2.8.0", facts), ElementsAre(Code::NoExportList));
  EXPECT_THAT(labels(findings[0]), Not(Contains("lacks it"))) << "2.8.0 was not read";
}

TEST_F(JudgingTorch, inAnEnvironmentTheTableSaysWhichNamesAreTorchs) {
  Target target = targetOf("torch==2.10.0");
  target.sitePackages = {"/site"};
  BinaryFacts facts = file({"_ZN2at6vision3opsEv"}, {"libc10.so", "libmine.so"});
  input.torchLibraries = {"/site/torch/lib/libtorch.so"};
  input.torchTable = &table;
  EXPECT_THAT(judge(target, facts), IsEmpty());
  input.torchTable = nullptr;
  EXPECT_THAT(judge(target, facts), ElementsAre(Code::NoExportList));
}

namespace {
/// A name that torch 2.5.0 to 2.9.1 have, and a file that some of them refuse for another reason.
struct ProvingTorch : JudgingTorch {
  std::vector<std::string> refused;

  void SetUp() override {
    TorchNamesWriter writer;
    for (const char *release :
         {"2.5.0", "2.5.1", "2.6.0", "2.7.0", "2.7.1", "2.8.0", "2.9.0", "2.9.1"})
      llvm::cantFail(writer.add({release, x86, false, 0, "cp310"}, {row(kernel)}));
    llvm::cantFail(writer.add({"2.10.0", x86, false, 0, "cp310"}, {row(decref)}));
    bytes = llvm::cantFail(writer.bytes());
    names = llvm::cantFail(TorchNames::view(bytes));
    table.names = &*names;
  }
  using JudgingTorch::judge;
  std::vector<Finding> judge(const Target &other) override {
    if (!llvm::is_contained(refused, other.torch))
      return {};
    Finding finding;
    finding.severity = Severity::Error;
    return {finding};
  }
  /// What is proposed if those are refused.
  std::string proposed(std::vector<std::string> those) {
    refused = std::move(those);
    judgeOn("torch==2.10.0", file({kernel}));
    std::string fix = findings.at(0).fixes.front();
    return fix.starts_with("pip install 'torch") ? fix.substr(12) : "";
  }
};
} // namespace

TEST_F(ProvingTorch, bothEndsOfWhatIsProposedAcceptTheFile) {
  EXPECT_EQ(proposed({}), "'torch>=2.5,<2.10'");
  EXPECT_EQ(proposed({"2.9.1"}), "'torch>=2.5,<2.9.1'");
  EXPECT_EQ(proposed({"2.9.1", "2.9.0", "2.5.0"}), "'torch>=2.5.1,<2.9'");
  EXPECT_EQ(proposed({"2.6.0"}), "'torch>=2.5,<2.10'") << "it is at neither end";
}

TEST_F(ProvingTorch, afterSixReleasesTheSearchEnds) {
  EXPECT_EQ(proposed({"2.9.1", "2.9.0", "2.8.0", "2.7.1"}), "'torch>=2.5,<2.7.1'");
  EXPECT_EQ(proposed({"2.9.1", "2.9.0", "2.8.0", "2.7.1", "2.7.0"}), "");
}
