// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/devicelink/ChooseLinker.h"
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/policy/devicelink/LinkCase.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

bool isUsable(const NvJitLinkFacts &nvJitLink) {
  return nvJitLink.state == NvJitLinkFacts::State::Known && nvJitLink.version >= CudaVersion{12, 3};
}

bool needsNvJitLink(const LinkQuestion &question) {
  return question.needsNvJitLink || question.emitsLtoIr ||
         llvm::any_of(question.inputs,
                      [](const LinkImage &input) { return input.kind == Artifact::LtoIr; });
}

namespace {

/// A row of a matrix: the linker, or the code with which the link is refused.
struct Row {
  const char *name;
  std::optional<LinkBackend> backend;
  Code refusal;
  const char *because;
};

constexpr auto NvJitLink = LinkBackend::NvJitLink;
constexpr auto Driver = LinkBackend::Driver;

/// Matrix A, for inputs that fit.
Row rowOfDirection(const LinkQuestion &question) {
  bool needs = needsNvJitLink(question);
  if (!isUsable(question.nvJitLink))
    return needs ? Row{"A2", {}, Code::LtoNeedsNvJitLink, "only nvJitLink links this"}
                 : Row{"A1", Driver, {}, "the driver links what does not need nvJitLink"};
  if (!isKnown(question.driver))
    return {"A3", NvJitLink, {}, "without a driver that is known nvJitLink links"};
  unsigned linker = question.nvJitLink.version.major, driver = question.driver.cuda.major;
  if (driver == linker)
    return {"A4", NvJitLink, {}, "nvJitLink and the driver are of one CUDA major"};
  if (driver > linker)
    return {"A5", NvJitLink, {}, "a newer driver loads what an older nvJitLink emits"};
  if (!needs)
    return {"A6", Driver, {}, "an older driver may not load what nvJitLink emits"};
  return {"A7", {}, Code::LtoDriverOlder, "an older driver may not load what nvJitLink emits"};
}

/// Matrix B.
Row rowOf1911(const LinkQuestion &question) {
  bool needs = needsNvJitLink(question);
  if (!isUsable(question.nvJitLink))
    return needs ? Row{"B2", {}, Code::LtoNeedsNvJitLink, "only nvJitLink links this"}
                 : Row{"B1", Driver, {}, "the driver links what does not need nvJitLink"};
  if (!isKnown(question.driver))
    return {"B6", NvJitLink, {}, "without a driver that is known nvJitLink links"};
  if (question.driver.cuda.major == question.nvJitLink.version.major)
    return {"B3", NvJitLink, {}, "nvJitLink and the driver are of one CUDA major"};
  if (!needs)
    return {"B4", Driver, {}, "nvJitLink and the driver are of different CUDA majors"};
  return {
      "B5", {}, Code::LtoMajorMismatch, "nvJitLink and the driver are of different CUDA majors"};
}

/// LD-11.
Row rowOfForced(const LinkQuestion &question) {
  bool possible =
      *question.forced == NvJitLink ? isUsable(question.nvJitLink) : !needsNvJitLink(question);
  if (!possible)
    return {"forced", {}, Code::LtoNeedsNvJitLink, "--backend names a linker that cannot be used"};
  return {"forced", question.forced, {}, "--backend names the linker"};
}

Finding refusalOf(const LinkQuestion &question, const Row &row) {
  std::string message;
  if (row.refusal == Code::LtoDriverOlder)
    message =
        fmt::format("the driver may not load what {} links", nvJitLinkName(question.nvJitLink));
  else if (row.refusal == Code::LtoMajorMismatch)
    message = "LTO needs matching major versions of nvJitLink and driver";
  else if (question.forced == Driver)
    message = "the driver's linker cannot do this link";
  else
    message = "nvJitLink is not available, and the link needs it";
  Finding finding = linkFinding(row.refusal, question, std::move(message));
  finding.addFact("because", row.because);
  return finding;
}

struct Decision {
  const LinkQuestion &question;
  LinkChoice choice = {};

  void add(std::vector<Finding> findings) {
    for (Finding &finding : findings)
      choice.findings.push_back(std::move(finding));
  }

  void take(const Row &row) {
    choice.row = row.name;
    choice.backend = row.backend;
    choice.reasons.push_back(row.because);
    if (!row.backend)
      choice.findings.push_back(refusalOf(question, row));
  }

  /// What LI-1 to LI-3 find about the linker that was chosen, if its release is known.
  std::vector<Finding> inputsOfChosen() const {
    if (choice.backend == NvJitLink)
      return inputFindings(question, misfitsOf(question.inputs, question.nvJitLink.version),
                           nvJitLinkName(question.nvJitLink));
    if (choice.backend == Driver && isKnown(question.driver))
      return inputFindings(question, misfitsOf(question.inputs, question.driver.cuda),
                           driverName(question.driver));
    return {};
  }

  void byDirection() {
    Misfits misfits;
    if (isUsable(question.nvJitLink))
      misfits = misfitsOf(question.inputs, question.nvJitLink.version);
    if (misfits.allTaken()) {
      take(rowOfDirection(question));
      add(inputsOfChosen());
      return;
    }
    choice.row = "inputs";
    auto findings = inputFindings(question, misfits, nvJitLinkName(question.nvJitLink));
    for (const Finding &finding : findings)
      choice.reasons.push_back(finding.message);
    // LI-5: a newer nvJitLink is the fix where the driver is unknown.
    if (needsNvJitLink(question) || !isKnown(question.driver)) {
      add(std::move(findings));
      return;
    }
    choice.reasons.push_back("the driver links what does not need nvJitLink");
    choice.backend = Driver;
    add(inputsOfChosen());
  }

  void by1911() {
    take(rowOf1911(question));
    auto findings = inputsOfChosen();
    for (Finding &finding : findings)
      finding.severity = Severity::Remark; // LI-6
    add(std::move(findings));
  }

  void byUser() {
    take(rowOfForced(question));
    add(inputsOfChosen());
  }

  /// LD-9 and PB-6.
  void judgeOptions() {
    if (choice.backend == Driver && !question.onlyNvJitLink.empty())
      choice.findings.push_back(linkFinding(
          Code::Usage, question,
          fmt::format("the driver's linker has no {}", llvm::join(question.onlyNvJitLink, ", "))));
    if (choice.backend == Driver && !question.ignoredByDriver.empty()) {
      Finding finding = linkFinding(Code::Usage, question,
                                    fmt::format("the driver's linker ignores {}",
                                                llvm::join(question.ignoredByDriver, ", ")));
      finding.severity = Severity::Remark;
      choice.findings.push_back(std::move(finding));
    }
    if (choice.backend == NvJitLink && question.emitsLtoIr &&
        question.nvJitLink.version < CudaVersion{13, 4})
      choice.findings.push_back(linkFinding(Code::LtoNeedsNvJitLink, question,
                                            "LTO-IR output needs nvJitLink 13.4 or newer"));
  }
};

} // namespace

LinkChoice decideLinker(const LinkQuestion &question) {
  Decision decision{question};
  decision.choice.reasons = factReasons(question);
  if (auto finding = unusableFinding(question))
    decision.choice.findings.push_back(std::move(*finding));
  if (question.forced)
    decision.byUser();
  else if (question.policy == LinkPolicy::CudaCore1911)
    decision.by1911();
  else
    decision.byDirection();
  decision.judgeOptions();
  if (!areAccepted(decision.choice.findings))
    decision.choice.backend.reset();
  return std::move(decision.choice);
}

LinkChoice chooseLinker(const LinkQuestion &question) {
  LinkChoice choice = decideLinker(question);
  addLinkFixes(question, choice);
  return choice;
}

static std::vector<Code> errorsOf(const LinkChoice &choice) {
  std::vector<Code> codes;
  for (const Finding &finding : choice.findings)
    if (finding.severity == Severity::Error)
      codes.push_back(finding.code);
  return codes;
}

/// `takes nvJitLink`, `refuses the link (CC5003)`.
static std::string resultOf(const LinkChoice &choice) {
  if (choice.backend)
    return *choice.backend == LinkBackend::NvJitLink ? "takes nvJitLink" : "takes the driver";
  return fmt::format("refuses the link ({})", str(errorsOf(choice).front()));
}

/// By the row of matrix A.
static llvm::StringRef why(const LinkChoice &aware) {
  if (aware.row == "A5")
    return "a newer driver loads what an older nvJitLink emits";
  if (aware.row == "A7")
    return "an older driver may not load what a newer nvJitLink emits";
  return "it compares the versions of the inputs with the linker's";
}

LinkComparison comparePolicies(const LinkQuestion &question) {
  LinkQuestion other = question;
  LinkComparison both;
  other.policy = LinkPolicy::DirectionAware;
  both.directionAware = chooseLinker(other);
  other.policy = LinkPolicy::CudaCore1911;
  both.cudaCore1911 = chooseLinker(other);
  if (both.directionAware.backend != both.cudaCore1911.backend ||
      errorsOf(both.directionAware) != errorsOf(both.cudaCore1911))
    both.difference = fmt::format(
        "direction-aware {}: {}; cuda-core-1911 {}: it compares majors for equality",
        resultOf(both.directionAware), why(both.directionAware), resultOf(both.cudaCore1911));
  return both;
}

} // namespace cudacc::policy
