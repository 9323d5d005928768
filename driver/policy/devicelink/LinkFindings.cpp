// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/devicelink/LinkCase.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using State = NvJitLinkFacts::State;

std::string nvJitLinkName(const NvJitLinkFacts &nvJitLink) {
  return nvJitLink.version.known() ? fmt::format("nvJitLink {}", nvJitLink.version) : "nvJitLink";
}

std::string driverName(const DriverFacts &driver) {
  return driver.cuda.known() ? fmt::format("driver CUDA {}", driver.cuda)
                             : fmt::format("driver {}", driver.release);
}

static std::string placeOf(const NvJitLinkFacts &nvJitLink) {
  return nvJitLink.origin.empty() ? nvJitLink.path : nvJitLink.origin;
}

/// `12.8, nvidia-nvjitlink-cu12 12.8.93 in /venv`.
static std::string nvJitLinkText(const NvJitLinkFacts &nvJitLink) {
  if (nvJitLink.state == State::Absent)
    return nvJitLink.reason.empty() ? "none found" : "none found: " + nvJitLink.reason;
  std::string text;
  if (nvJitLink.version.known())
    text = nvJitLink.version.str();
  else if (nvJitLink.state == State::TooOld)
    text = "older than 12.3";
  support::appendItem(text, placeOf(nvJitLink));
  if (!nvJitLink.reason.empty())
    support::appendItem(text, nvJitLink.reason, ": ");
  return text;
}

/// `CUDA 13.0, release 580.65.06, declared`.
static std::string driverText(const DriverFacts &driver) {
  if (!isKnown(driver))
    return driver.state == DriverFacts::State::Absent ? "none found" : "not known";
  std::string text = driver.cuda.known() ? fmt::format("CUDA {}", driver.cuda)
                                         : std::string("older than every known CUDA version");
  if (!driver.release.empty())
    text += ", release " + driver.release;
  return text + (driver.declared ? ", declared" : "");
}

/// `a.ptx, PTX ISA 8.5 of CUDA 12.6 (.version 8.5)`.
static std::string inputText(const LinkImage &input) {
  std::string text = fmt::format("{}, {}", input.name, wordOf(input.kind));
  if (input.isa.known())
    text += fmt::format(" ISA {}", input.isa);
  if (input.producer.known())
    text += fmt::format(" of CUDA {}", input.producer);
  return input.evidence.empty() ? text : fmt::format("{} ({})", text, input.evidence);
}

std::string needText(const LinkQuestion &question) {
  const LinkImage *lto = nullptr;
  size_t count = 0;
  for (const LinkImage &input : question.inputs)
    if (input.kind == Artifact::LtoIr) {
      lto = lto ? lto : &input;
      ++count;
    }
  if (count > 1)
    return fmt::format("{} and {} other{} are LTO-IR", lto->name, count - 1, count > 2 ? "s" : "");
  if (lto)
    return fmt::format("{} is LTO-IR", lto->name);
  if (question.emitsLtoIr)
    return "output of LTO-IR was asked for";
  if (question.emitsPtx)
    return "output of PTX was asked for";
  return question.needsNvJitLink ? "link-time optimisation was asked for" : "";
}

std::vector<std::string> factReasons(const LinkQuestion &question) {
  std::vector<std::string> reasons;
  if (std::string need = needText(question); !need.empty())
    reasons.push_back(std::move(need));
  reasons.push_back("nvJitLink: " + nvJitLinkText(question.nvJitLink));
  reasons.push_back("driver: " + driverText(question.driver));
  for (const LinkImage &input : question.inputs)
    if (!input.producer.known() && !input.isa.known())
      reasons.push_back(
          fmt::format("{}: its version is not known and was not compared", input.name));
  return reasons;
}

Finding linkFinding(Code code, const LinkQuestion &question, std::string message) {
  Finding finding = makeFinding(code, std::move(message));
  if (std::string need = needText(question); !need.empty())
    finding.addFact("needs nvJitLink", std::move(need));
  finding.addFact("nvJitLink", nvJitLinkText(question.nvJitLink));
  finding.addFact("driver", driverText(question.driver));
  if (question.nvJitLink.version.known())
    finding.library = fmt::format("libnvJitLink.so.{}", question.nvJitLink.version.major);
  finding.origin = question.nvJitLink.origin;
  return finding;
}

/// \p one and \p many: what is said of one input, and of several: "is newer than".
static Finding aboutInputs(Code code, const LinkQuestion &question, Misfits::Inputs inputs,
                           const std::string &one, const std::string &many) {
  // The newest is what a linker has to reach.
  llvm::stable_sort(inputs, [](const LinkImage *left, const LinkImage *right) {
    return std::pair(left->producer, left->isa) > std::pair(right->producer, right->isa);
  });
  Finding finding =
      linkFinding(code, question,
                  inputs.size() == 1 ? fmt::format("{} {}", inputs.front()->name, one)
                                     : fmt::format("{} inputs {}", inputs.size(), many));
  std::vector<Fact> facts;
  constexpr size_t most = 3;
  for (const LinkImage *input : llvm::ArrayRef(inputs).take_front(most))
    facts.push_back({"input", inputText(*input)});
  if (inputs.size() > most)
    facts.push_back({"input", fmt::format("and {} more", inputs.size() - most)});
  finding.facts.insert(finding.facts.begin(), facts.begin(), facts.end());
  return finding;
}

std::vector<Finding> inputFindings(const LinkQuestion &question, const Misfits &misfits,
                                   const std::string &linker) {
  std::vector<Finding> findings;
  auto add = [&](Code code, const Misfits::Inputs &inputs, std::string what, const char *because) {
    if (inputs.empty())
      return;
    Finding finding = aboutInputs(code, question, inputs, fmt::format("is {} {}", what, linker),
                                  fmt::format("are {} {}", what, linker));
    finding.addFact("because", because);
    findings.push_back(std::move(finding));
  };
  add(Code::InputMajor, misfits.otherMajor, "LTO-IR of another major than",
      "LTO-IR is taken by a linker of its major; that of 12 was measured to link in 13");
  add(Code::InputNewer, misfits.newer, "newer than",
      "a linker takes code of its own release or an older one, PTX by its ISA");
  add(Code::UnknownRelease, misfits.unrelated, "PTX that may be newer than",
      "no table relates that ISA to the linker");
  add(Code::LtoIrOlderMajor, misfits.unpromised, "LTO-IR of an older major than",
      "measured to link; NVIDIA promises it inside a major only");
  return findings;
}

std::optional<Finding> unusableFinding(const LinkQuestion &question) {
  const NvJitLinkFacts &nvJitLink = question.nvJitLink;
  if (nvJitLink.state == State::Absent || isUsable(nvJitLink) ||
      question.forced == LinkBackend::Driver)
    return std::nullopt;
  if (nvJitLink.state == State::Conflict)
    return linkFinding(Code::EvidenceConflict, question,
                       "nvJitLink reports another major than its file name");
  bool failed = nvJitLink.state == State::Failed;
  Finding finding =
      linkFinding(failed ? Code::ToolkitVersionUnknown : Code::Floor, question,
                  failed ? "the version of nvJitLink cannot be determined; it is not used"
                         : "nvJitLink is older than 12.3 and not used");
  finding.severity = Severity::Warning;
  return finding;
}

} // namespace cudacc::policy
