// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/LinkQuestions.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using policy::chooseLinker;
using policy::LinkQuestion;
using policy::NvJitLinkFacts;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A vector of linker.json under a policy: the inputs are of unknown version.
void runMatrix(const Object &vector, LinkPolicy policy, const char *column) {
  LinkQuestion question;
  question.policy = policy;
  if (auto major = vector.getString("driver"))
    question.driver = deployment((*major + ".0").str());
  question.nvJitLink = nvJitLinkOf(text(vector, "nvjitlink"));
  question.inputs = {linkInput("cubin -"), linkInput("ptx -"), linkInput("library -")};
  if (*vector.getBoolean("ltoir"))
    question.inputs.push_back(linkInput("ltoir -"));
  question.needsNvJitLink = *vector.getBoolean("asked");
  auto expected = strings(vector.get(column));
  auto choice = chooseLinker(question);
  EXPECT_EQ(choice.row, expected[0]);
  EXPECT_EQ(resultOf(choice), expected[1]) << saying(choice.findings);
  EXPECT_THAT(choice.reasons, testing::Not(IsEmpty()));
}

LinkQuestion under1911(LinkQuestion question) {
  question.policy = LinkPolicy::CudaCore1911;
  return question;
}

LinkQuestion forced(LinkBackend backend, LinkQuestion question) {
  question.forced = backend;
  return question;
}

LinkQuestion asked(LinkQuestion question) {
  question.needsNvJitLink = true;
  return question;
}

std::string result(const LinkQuestion &question) { return resultOf(chooseLinker(question)); }

NvJitLinkFacts unusable(NvJitLinkFacts::State state, const char *reason) {
  NvJitLinkFacts facts;
  facts.state = state;
  facts.path = "/venv/libnvJitLink.so.12";
  facts.reason = reason;
  return facts;
}

} // namespace

TEST(ChooseLinker, matrixByDirection_V_LD) { // LD-1, LD-6
  expectIds("linker", "V-LD-");
  for (const Object &vector : vectors("linker")) {
    SCOPED_TRACE(text(vector, "id"));
    runMatrix(vector, LinkPolicy::DirectionAware, "direction-aware");
  }
}

TEST(ChooseLinker, matrixByEqualMajors_V_LD) { // LD-7
  for (const Object &vector : vectors("linker")) {
    SCOPED_TRACE(text(vector, "id"));
    runMatrix(vector, LinkPolicy::CudaCore1911, "cuda-core-1911");
  }
}

TEST(ChooseLinker, versionsOfInputs_V_LI) {
  expectIds("link_inputs", "V-LI-");
  for (const Object &vector : vectors("link_inputs")) {
    SCOPED_TRACE(text(vector, "id"));
    LinkQuestion question;
    question.driver = deployment(text(vector, "driver"));
    question.nvJitLink = nvJitLinkOf(text(vector, "nvjitlink"));
    question.needsNvJitLink = *vector.getBoolean("asked");
    for (const llvm::json::Value &each : *vector.getArray("inputs")) {
      const Object &object = *each.getAsObject();
      policy::LinkImage &added = question.inputs.emplace_back(linkInput(text(object, "kind")));
      added.producer = line(text(object, "producer"));
      added.isa = line(text(object, "isa"));
    }
    auto choice = chooseLinker(question);
    EXPECT_EQ(resultOf(choice), text(vector, "result")) << saying(choice.findings);
    EXPECT_EQ(notesOf(choice, Severity::Warning), strings(vector.get("notes")));
  }
}

TEST(ChooseLinker, equalMajorsTurnFindingsAboutInputsIntoRemarks) { // LI-6
  // V-LI-12: the matrix alone takes nvJitLink.
  auto choice =
      chooseLinker(under1911(linkQuestion("13.0", "13.0", {"library 13.1", "ltoir 13.0"})));
  EXPECT_EQ(resultOf(choice), "nvjitlink");
  EXPECT_THAT(notesOf(choice, Severity::Remark), ElementsAre("E_INPUT_NEWER"));
  // V-LI-03: nor is the missing promise a warning.
  choice = chooseLinker(under1911(linkQuestion("13.0", "13.0", {"ltoir 12.9"})));
  EXPECT_THAT(notesOf(choice, Severity::Remark), ElementsAre("N_PIPE_MAJOR_UNPROMISED"));
  EXPECT_THAT(notesOf(choice, Severity::Warning), IsEmpty());
  // V-LI-19: the driver.
  choice = chooseLinker(under1911(linkQuestion("12.9", "13.0", {"cubin 13.0"})));
  EXPECT_EQ(resultOf(choice), "driver");
  EXPECT_THAT(notesOf(choice, Severity::Remark), ElementsAre("E_INPUT_NEWER"));
  choice = chooseLinker(under1911(linkQuestion("13.0", "13.0", {"ltoir 13.0"})));
  EXPECT_THAT(choice.findings, IsEmpty());
}

TEST(ChooseLinker, aReasonNamesTheInputThatDecides) {
  auto choice = chooseLinker(linkQuestion("13.0", "12.8", {"cubin 12.9"}));
  EXPECT_EQ(resultOf(choice), "driver");
  EXPECT_EQ(choice.row, "inputs");
  EXPECT_THAT(choice.reasons, Contains("cubin.o is newer than nvJitLink 12.8"));
}

TEST(ChooseLinker, everyMisfitIsReported) { // LI-3, LI-1
  auto choice =
      chooseLinker(linkQuestion("13.0", "12.8", {"ltoir 11.8", "cubin 12.9", "object 12.9"}));
  EXPECT_EQ(resultOf(choice), "E_INPUT_MAJOR E_INPUT_NEWER");
  EXPECT_EQ(choice.row, "inputs");
  EXPECT_THAT(saying(choice.findings), HasSubstr("2 inputs are newer than nvJitLink 12.8"));
}

TEST(ChooseLinker, manyInputsAreCountedAndTheNewestNamed) {
  LinkQuestion many = linkQuestion("12.4", "", {});
  for (unsigned i = 0; i < 200; ++i) {
    many.inputs.push_back(linkInput("object 12.5"));
    many.inputs.back().name = std::to_string(i) + ".o";
  }
  many.inputs[150].producer = {12, 9};
  auto choice = chooseLinker(many);
  ASSERT_EQ(choice.findings.size(), 1u);
  auto &facts = choice.findings[0].facts;
  EXPECT_EQ(facts[0].text, "150.o, a cubin of CUDA 12.9 (record)");
  EXPECT_EQ(facts[3].text, "and 197 more");
  EXPECT_THAT(choice.findings[0].fixes,
              Contains("compile these 200 inputs with a CUDA 12 toolkit <= 12.4"));
}

TEST(ChooseLinker, anInputOfUnknownVersionIsNamedAndBlocksNothing) { // LI-4
  auto choice = chooseLinker(linkQuestion("12.4", "12.4", {"object -", "ltoir -"}));
  EXPECT_EQ(resultOf(choice), "nvjitlink");
  EXPECT_THAT(choice.reasons, Contains("object.o: its version is not known and was not compared"));
}

TEST(ChooseLinker, ptxIsJudgedByItsIsaWithoutProducer) { // PL-4
  EXPECT_EQ(result(linkQuestion("", "12.5", {"ptx - 8.5"})), "nvjitlink");
  EXPECT_EQ(result(linkQuestion("", "12.4", {"ptx - 8.5"})), "E_INPUT_NEWER");
  EXPECT_EQ(result(linkQuestion("12.4", "", {"ptx - 8.5"})), "E_INPUT_NEWER");
  EXPECT_EQ(result(linkQuestion("12.4", "", {"ptx - 8.4"})), "driver");
}

TEST(ChooseLinker, ptxOfAnUnknownIsaIsNotGuessed) { // LI-4
  EXPECT_EQ(result(linkQuestion("", "14.0", {"ptx - 99.0"})), "CC2007");
  EXPECT_EQ(result(linkQuestion("14.0", "", {"ptx - 99.0"})), "CC2007");
  // A linker translates what a compiler of its own release writes.
  EXPECT_EQ(result(linkQuestion("", "14.0", {"ptx 14.0 99.0"})), "nvjitlink");
}

TEST(ChooseLinker, aDriverOlderThanTheTablesIsOlderThanAnything) {
  LinkQuestion old = linkQuestion("", "12.9", {"cubin 12.4"});
  old.driver.state = policy::DriverFacts::State::Known;
  old.driver.release = "390.46";
  EXPECT_EQ(result(old), "E_INPUT_NEWER");
  EXPECT_EQ(result(asked(old)), "E_LTO_DRIVER_OLDER");
  old.inputs = {linkInput("cubin -")};
  EXPECT_EQ(result(old), "driver");
  old.nvJitLink = {};
  old.inputs = {linkInput("ptx 12.4")};
  EXPECT_EQ(result(old), "E_INPUT_NEWER");
}

TEST(ChooseLinker, anAbsentDriverIsUnknown) { // LD-5
  LinkQuestion container = linkQuestion("", "12.9", {"ltoir 12.9"});
  container.driver.state = policy::DriverFacts::State::Absent;
  EXPECT_EQ(chooseLinker(container).row, "A3");
  container.nvJitLink = {};
  EXPECT_EQ(result(container), "E_LTO_NEEDS_NVJITLINK");
}

TEST(ChooseLinker, refusalsOfEqualMajorsQuoteUpstream) {
  auto choice = chooseLinker(under1911(linkQuestion("13.0", "", {"ltoir -"})));
  EXPECT_THAT(saying(choice.findings), HasSubstr("nvJitLink is not available"));
  choice = chooseLinker(under1911(linkQuestion("13.0", "12.9", {"ltoir -"})));
  EXPECT_THAT(saying(choice.findings), HasSubstr("matching major versions"));
  choice = chooseLinker(linkQuestion("12.8", "13.0", {"ltoir 13.0"}));
  EXPECT_THAT(saying(choice.findings), HasSubstr("may not load what nvJitLink 13.0 links"));
}

TEST(ChooseLinker, anNvJitLinkBelowTheFirstUsableOneIsAbsentWithOneWarning) { // V-PB-02, LD-3
  for (auto policy : {LinkPolicy::DirectionAware, LinkPolicy::CudaCore1911}) {
    LinkQuestion old = linkQuestion("12.4", "", {"cubin 12.4"});
    old.policy = policy;
    old.nvJitLink = unusable(NvJitLinkFacts::State::TooOld, "");
    auto choice = chooseLinker(old);
    EXPECT_EQ(resultOf(choice), "driver");
    EXPECT_THAT(notesOf(choice, Severity::Warning), ElementsAre("E_FLOOR"));
    EXPECT_THAT(saying(choice.findings), HasSubstr("older than 12.3"));
    EXPECT_EQ(result(asked(old)), "E_LTO_NEEDS_NVJITLINK");
  }
  // V-PB-03.
  auto choice = chooseLinker(linkQuestion("12.4", "12.3", {"cubin 12.3"}));
  EXPECT_EQ(resultOf(choice), "nvjitlink");
  EXPECT_THAT(choice.findings, IsEmpty());
}

TEST(ChooseLinker, anAbsentNvJitLinkIsReportedOnlyIfItIsNeeded) { // V-PB-01
  auto choice = chooseLinker(linkQuestion("12.4", "", {"cubin 12.4"}));
  EXPECT_THAT(choice.findings, IsEmpty());
  EXPECT_EQ(result(asked(linkQuestion("12.4", "", {"cubin 12.4"}))), "E_LTO_NEEDS_NVJITLINK");
}

TEST(ChooseLinker, theReasonOfAFailedNvJitLinkIsKept) { // V-PB-04
  LinkQuestion failed = linkQuestion("12.4", "", {"cubin 12.4"});
  failed.nvJitLink = unusable(NvJitLinkFacts::State::Failed, "nvJitLinkVersion: result 6");
  auto choice = chooseLinker(failed);
  EXPECT_EQ(resultOf(choice), "driver");
  EXPECT_THAT(notesOf(choice, Severity::Warning), ElementsAre("U_NO_METADATA"));
  EXPECT_THAT(saying(choice.findings), HasSubstr("nvJitLinkVersion: result 6"));
  failed.inputs.push_back(linkInput("ltoir 12.4"));
  choice = chooseLinker(failed);
  EXPECT_EQ(resultOf(choice), "E_LTO_NEEDS_NVJITLINK");
  EXPECT_THAT(saying(choice.findings), HasSubstr("nvJitLinkVersion: result 6"));
}

TEST(ChooseLinker, anNvJitLinkThatContradictsItsNameIsUnknown) { // V-PB-05, PB-3
  LinkQuestion conflict = linkQuestion("12.4", "", {"cubin 12.4"});
  conflict.nvJitLink = unusable(NvJitLinkFacts::State::Conflict, "it reports 13.0");
  auto choice = chooseLinker(conflict);
  EXPECT_EQ(resultOf(choice), "U_CONFLICT");
  EXPECT_THAT(saying(choice.findings),
              AllOf(HasSubstr("it reports 13.0"), HasSubstr("link with --backend driver"),
                    HasSubstr("--force-reinstall")));
  EXPECT_EQ(result(forced(LinkBackend::Driver, conflict)), "driver");
  EXPECT_EQ(result(asked(conflict)), "U_CONFLICT E_LTO_NEEDS_NVJITLINK");
}

TEST(ChooseLinker, ltoIrOutputNeedsANewEnoughNvJitLink) { // PB-6
  for (auto policy : {LinkPolicy::DirectionAware, LinkPolicy::CudaCore1911}) {
    LinkQuestion emitting = linkQuestion("13.0", "13.3", {"ltoir 13.0"});
    emitting.policy = policy;
    emitting.emitsLtoIr = true;
    auto choice = chooseLinker(emitting);
    EXPECT_EQ(resultOf(choice), "E_LTO_NEEDS_NVJITLINK");
    EXPECT_THAT(saying(choice.findings), HasSubstr("13.4 or newer"));
    EXPECT_THAT(fixesOf(choice), Contains("pip install 'nvidia-nvjitlink>=13.4,<14'"));
    emitting.nvJitLink = nvJitLinkOf("13.4");
    EXPECT_EQ(result(emitting), "nvjitlink");
    emitting.nvJitLink = {};
    EXPECT_EQ(result(emitting), "E_LTO_NEEDS_NVJITLINK");
  }
}

TEST(ChooseLinker, optionsOfNvJitLinkAreAUsageErrorOnTheDriver) { // LD-9
  LinkQuestion timed = linkQuestion("13.0", "", {"cubin 12.9"});
  timed.onlyNvJitLink = {"--time", "--split-compile 4"};
  auto choice = chooseLinker(timed);
  EXPECT_EQ(resultOf(choice), "E_USAGE");
  EXPECT_EQ(choice.findings[0].message, "the driver's linker has no --time, --split-compile 4");
  EXPECT_THAT(fixesOf(choice), Contains("link without --time, --split-compile 4"));
  timed.nvJitLink = nvJitLinkOf("12.9");
  EXPECT_EQ(result(timed), "nvjitlink");
  timed.forced = LinkBackend::Driver;
  EXPECT_EQ(result(timed), "E_USAGE");
}

TEST(ChooseLinker, optionsThatTheDriverIgnoresAreRemarked) { // LD-9
  LinkQuestion pruned = linkQuestion("13.0", "", {"cubin 12.9"});
  pruned.ignoredByDriver = {"--kernels-used k"};
  auto choice = chooseLinker(pruned);
  EXPECT_EQ(resultOf(choice), "driver");
  EXPECT_THAT(notesOf(choice, Severity::Remark), ElementsAre("E_USAGE"));
  EXPECT_THAT(saying(choice.findings), HasSubstr("ignores --kernels-used k"));
  pruned.nvJitLink = nvJitLinkOf("12.9");
  EXPECT_THAT(chooseLinker(pruned).findings, IsEmpty());
}

TEST(ChooseLinker, aForcedNvJitLinkHasToBeThere) { // LD-11
  LinkQuestion wanted = forced(LinkBackend::NvJitLink, linkQuestion("12.4", "", {"cubin 12.4"}));
  auto choice = chooseLinker(wanted);
  EXPECT_EQ(resultOf(choice), "E_LTO_NEEDS_NVJITLINK");
  EXPECT_EQ(choice.row, "forced");
  EXPECT_THAT(fixesOf(choice), AllOf(Contains("link without --backend nvjitlink"),
                                     Contains("pip install 'nvidia-nvjitlink-cu12>=12.4,<13'")));
  wanted.nvJitLink = nvJitLinkOf("12.2");
  EXPECT_EQ(result(wanted), "E_LTO_NEEDS_NVJITLINK");
  wanted.nvJitLink = nvJitLinkOf("12.4");
  EXPECT_EQ(result(wanted), "nvjitlink");
  // Where the matrix would take the driver, or refuse.
  wanted.nvJitLink = nvJitLinkOf("13.0");
  EXPECT_EQ(result(wanted), "nvjitlink");
  EXPECT_EQ(result(asked(wanted)), "nvjitlink");
}

TEST(ChooseLinker, aForcedDriverLinksNoLto) { // LD-4, LD-11
  LinkQuestion wanted = forced(LinkBackend::Driver, linkQuestion("13.0", "12.9", {"cubin 12.9"}));
  EXPECT_EQ(result(wanted), "driver");
  auto choice = chooseLinker(asked(wanted));
  EXPECT_EQ(resultOf(choice), "E_LTO_NEEDS_NVJITLINK");
  EXPECT_EQ(choice.findings[0].message, "the driver's linker cannot do this link");
  EXPECT_THAT(fixesOf(choice), Contains("link without --backend driver"));
  wanted.inputs.push_back(linkInput("ltoir 12.9"));
  EXPECT_EQ(result(wanted), "E_LTO_NEEDS_NVJITLINK");
}

TEST(ChooseLinker, aForcedLinkerIsStillComparedWithTheInputs) { // LD-11
  for (auto policy : {LinkPolicy::DirectionAware, LinkPolicy::CudaCore1911}) {
    LinkQuestion wanted = linkQuestion("13.0", "12.8", {"cubin 12.9"});
    wanted.policy = policy;
    EXPECT_EQ(result(forced(LinkBackend::NvJitLink, wanted)), "E_INPUT_NEWER");
    EXPECT_EQ(result(forced(LinkBackend::Driver, wanted)), "driver");
    wanted.inputs = {linkInput("ltoir 13.0")};
    EXPECT_EQ(result(forced(LinkBackend::NvJitLink, wanted)), "E_INPUT_MAJOR");
    wanted.inputs = {linkInput("cubin 13.1")};
    EXPECT_EQ(result(forced(LinkBackend::Driver, wanted)), "E_INPUT_NEWER");
  }
}

TEST(ChooseLinker, aFindingNamesInputProducerLinkerAndDriver) {
  LinkQuestion newer = linkQuestion("12.8", "12.8", {"ltoir 12.9"});
  newer.inputs[0].evidence = "record of nvcc 12.9.86";
  newer.driver = deployment("12.8", "570.26");
  newer.driver.declared = true;
  auto choice = chooseLinker(newer);
  ASSERT_EQ(choice.findings.size(), 1u);
  const Finding &finding = choice.findings[0];
  EXPECT_EQ(finding.message, "ltoir.o is newer than nvJitLink 12.8");
  EXPECT_EQ(finding.library, "libnvJitLink.so.12");
  EXPECT_THAT(saying(finding),
              AllOf(HasSubstr("input: ltoir.o, LTO-IR of CUDA 12.9 (record of nvcc 12.9.86)"),
                    HasSubstr("nvJitLink: 12.8, nvidia-nvjitlink 12.8 in /venv"),
                    HasSubstr("driver: CUDA 12.8, release 570.26, declared"),
                    HasSubstr("needs nvJitLink: ltoir.o is LTO-IR")));
}

namespace {

/// What is said of a link with LTO: `LABEL: TEXT`, a fact a line.
std::string factsOf(LinkQuestion question) {
  question.needsNvJitLink = true;
  std::string text;
  auto choice = chooseLinker(question);
  for (const Fact &fact : choice.findings.back().facts)
    text += fmt::format("{}: {}\n", fact.label, fact.text);
  return text;
}

LinkQuestion withNvJitLink(NvJitLinkFacts facts) {
  LinkQuestion question = linkQuestion("12.4", "", {"cubin 12.4"});
  question.nvJitLink = std::move(facts);
  return question;
}

} // namespace

TEST(LinkFacts, sayWhichNvJitLinkThereIs) {
  EXPECT_THAT(factsOf(withNvJitLink({})), HasSubstr("\nnvJitLink: none found\n"));
  EXPECT_THAT(factsOf(withNvJitLink(unusable(NvJitLinkFacts::State::Absent, "of aarch64"))),
              HasSubstr("\nnvJitLink: none found: of aarch64\n"));
  EXPECT_THAT(factsOf(withNvJitLink(unusable(NvJitLinkFacts::State::TooOld, ""))),
              HasSubstr("\nnvJitLink: older than 12.3, /venv/libnvJitLink.so.12\n"));
  EXPECT_THAT(factsOf(withNvJitLink(unusable(NvJitLinkFacts::State::Failed, "result 6"))),
              HasSubstr("\nnvJitLink: /venv/libnvJitLink.so.12: result 6\n"));
  EXPECT_EQ(chooseLinker(asked(withNvJitLink({}))).findings[0].library, "");
}

TEST(LinkFacts, sayWhichDriverThereIs) {
  LinkQuestion question = withNvJitLink({});
  EXPECT_THAT(factsOf(question), HasSubstr("\ndriver: CUDA 12.4\n"));
  question.driver = deployment("");
  EXPECT_THAT(factsOf(question), HasSubstr("\ndriver: not known\n"));
  question.driver.state = policy::DriverFacts::State::Absent;
  EXPECT_THAT(factsOf(question), HasSubstr("\ndriver: none found\n"));
}

TEST(LinkFacts, sayWhatAnInputIs) {
  auto choice = chooseLinker(
      linkQuestion("", "12.4", {"ptx 12.6 8.5", "ptx 12.5", "ptx - 8.5", "cubin 12.3"}));
  std::vector<std::string> inputs;
  for (const Fact &fact : choice.findings[0].facts)
    if (fact.label == "input")
      inputs.push_back(fact.text);
  EXPECT_THAT(inputs,
              ElementsAre("ptx.o, PTX ISA 8.5 of CUDA 12.6 (record)",
                          "ptx.o, PTX of CUDA 12.5 (record)", "ptx.o, PTX ISA 8.5 (record)"));
}

TEST(LinkFacts, nameInputsOfOneReleaseInTheirOrder) {
  LinkQuestion question = linkQuestion("", "12.4", {"cubin 12.5", "cubin 12.5"});
  question.inputs[0].name = "first.o";
  EXPECT_THAT(factsOf(question), testing::StartsWith("input: first.o, "));
}

TEST(LinkFacts, sayWhatNeedsNvJitLink) {
  auto need = [](LinkQuestion question) {
    auto choice = chooseLinker(question);
    const Fact &first = choice.findings.back().facts.front();
    return fmt::format("{}: {}", first.label, first.text);
  };
  LinkQuestion question = withNvJitLink({});
  EXPECT_EQ(need(asked(question)), "needs nvJitLink: link-time optimisation was asked for");
  question.emitsPtx = true;
  EXPECT_EQ(need(asked(question)), "needs nvJitLink: output of PTX was asked for");
  question.emitsLtoIr = true;
  EXPECT_EQ(need(question), "needs nvJitLink: output of LTO-IR was asked for");
  question.inputs.push_back(linkInput("ltoir 12.4"));
  EXPECT_EQ(need(question), "needs nvJitLink: ltoir.o is LTO-IR");
  question.inputs.push_back(linkInput("ltoir 12.4"));
  EXPECT_EQ(need(question), "needs nvJitLink: ltoir.o and 1 other are LTO-IR");
  question.inputs.push_back(linkInput("ltoir 12.4"));
  EXPECT_EQ(need(question), "needs nvJitLink: ltoir.o and 2 others are LTO-IR");
}

TEST(LinkFacts, areTheFirstReasons) {
  auto choice = chooseLinker(linkQuestion("", "12.4", {"cubin 12.4", "ptx - 8.4", "ptx 12.4"}));
  EXPECT_THAT(choice.reasons,
              ElementsAre("nvJitLink: 12.4, nvidia-nvjitlink 12.4 in /venv", "driver: not known",
                          "without a driver that is known nvJitLink links"));
  choice = chooseLinker(linkQuestion("", "12.4", {"ltoir 12.4"}));
  EXPECT_EQ(choice.reasons.front(), "ltoir.o is LTO-IR");
  choice = chooseLinker(linkQuestion("", "12.9", {"cubin 13.1"}));
  EXPECT_THAT(choice.findings[0].facts[1].label, "nvJitLink");
}
