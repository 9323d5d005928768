// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/LinkReport.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace report;
using llvm::StringRef;
using llvm::json::Object;

policy::LinkQuestion questionOf(const LinkOutcome &outcome, const ArchLink &link) {
  const LinkRequest &request = outcome.request;
  policy::LinkQuestion question;
  question.inputs = link.inputs;
  question.emitsPtx = request.emit == LinkEmit::Ptx;
  question.emitsLtoIr = request.emit == LinkEmit::LtoIr;
  question.needsNvJitLink = request.lto || question.emitsPtx || question.emitsLtoIr;
  question.onlyNvJitLink = request.onlyNvJitLink;
  question.ignoredByDriver = request.ignoredByDriver;
  question.nvJitLink = outcome.linkers.nvJitLink;
  question.driver = outcome.linkers.driver;
  question.policy = request.policy;
  question.forced = request.backend;
  return question;
}

static StringRef str(policy::LinkBackend backend) {
  return backend == policy::LinkBackend::NvJitLink ? "nvjitlink" : "driver";
}

static StringRef str(policy::LinkPolicy policy) {
  return policy == policy::LinkPolicy::DirectionAware ? "direction-aware" : "cuda-core-1911";
}

static StringRef str(policy::Artifact kind) {
  static constexpr llvm::StringLiteral words[] = {"ltoir", "ptx", "cubin"};
  return versions::entryOf<policy::Artifact::Cubin>(words, kind);
}

std::string logsOf(const ArchLink &link) {
  return report::printableLines(link.result.infoLog) + report::printableLines(link.result.errorLog);
}

static llvm::json::Value inputJson(const policy::LinkImage &input) {
  Object out{{"name", fixed(input.name)}, {"kind", str(input.kind)}};
  put(out, "made_by", input.producer);
  put(out, "ptx", input.isa);
  put(out, "evidence", input.evidence);
  return out;
}

static llvm::json::Value linkJson(const ArchLink &link) {
  const policy::LinkChoice &choice = link.choice;
  Object out{{"arch", link.arch.str()},
             {"lto", link.lto},
             {"row", choice.row},
             {"reasons", strings(choice.reasons)},
             {"inputs", array(link.inputs, inputJson)}};
  if (choice.backend)
    out["backend"] = str(*choice.backend);
  put(out, "linker", link.linker);
  put(out, "info_log", link.result.infoLog);
  put(out, "error_log", link.result.errorLog);
  put(out, "failure", link.result.failure);
  if (link.linker.known())
    out["microseconds"] = int64_t(link.result.microseconds);
  return out;
}

static llvm::json::Value outputJson(const WrittenFile &file) {
  return Object{{"path", fixed(file.path)},
                {"size", int64_t(file.size)},
                {"arch", array(file.archs, [](versions::Arch arch) -> llvm::json::Value {
                   return arch.str();
                 })}};
}

static llvm::json::Value nvJitLinkJson(const policy::NvJitLinkFacts &facts) {
  Object out;
  put(out, "path", facts.path);
  put(out, "version", facts.version);
  put(out, "origin", facts.origin);
  put(out, "problem", facts.reason);
  return out;
}

static llvm::json::Value driverJson(const FoundLinkers &linkers) {
  Object out;
  put(out, "path", linkers.driverLibrary);
  put(out, "cuda", linkers.driver.cuda);
  put(out, "release", linkers.driver.release);
  put(out, "origin", linkers.driverOrigin);
  return out;
}

llvm::json::Value linkJson(const LinkOutcome &outcome) {
  Object out{{"schema", 1},
             {"policy", str(outcome.request.policy)},
             {"emit", str(outcome.request.emit)},
             {"nvjitlink", nvJitLinkJson(outcome.linkers.nvJitLink)},
             {"driver", driverJson(outcome.linkers)},
             {"links", array(outcome.links, [](const ArchLink &each) { return linkJson(each); })},
             {"outputs", array(outcome.outputs, outputJson)},
             {"findings",
              array(outcome.findings, [](const Finding &each) { return report::toJson(each); })}};
  put(out, "printed", outcome.printed);
  if (outcome.openMicroseconds)
    out["open_microseconds"] = int64_t(outcome.openMicroseconds);
  return out;
}

/// `nvjitlink (A5)`, `refused (A7): CC5002`.
static std::string summaryOf(const policy::LinkChoice &choice) {
  if (choice.backend)
    return fmt::format("{} ({})", str(*choice.backend), choice.row);
  std::string codes;
  for (const Finding &finding : choice.findings)
    if (finding.severity == Severity::Error)
      codes += fmt::format("{}{}", codes.empty() ? "" : ", ", core::str(finding.code));
  return fmt::format("refused ({}): {}", choice.row, codes);
}

std::string linkExplanation(const LinkOutcome &outcome) {
  std::string text;
  for (const ArchLink &link : outcome.links) {
    policy::LinkComparison both = policy::comparePolicies(questionOf(outcome, link));
    text += fmt::format("{}\n", link.arch.str());
    for (const policy::LinkImage &input : link.inputs)
      text += fmt::format("  input            {}: {}{}{}\n", report::printable(input.name),
                          str(input.kind), input.evidence.empty() ? "" : ", ",
                          report::printable(input.evidence));
    for (const std::string &reason : both.directionAware.reasons)
      text += fmt::format("  because          {}\n", report::printable(reason));
    text += fmt::format("  direction-aware  {}\n", summaryOf(both.directionAware));
    text += fmt::format("  cuda-core-1911   {}\n", summaryOf(both.cudaCore1911));
    if (!both.difference.empty())
      text += fmt::format("  differ           {}\n", report::printable(both.difference));
  }
  return text;
}

std::string linkTimes(const LinkOutcome &outcome) {
  std::string text = fmt::format("open    {:8.1f} ms\n", double(outcome.openMicroseconds) / 1000);
  for (const ArchLink &link : outcome.links)
    text += fmt::format("link    {:8.1f} ms  {}\n", double(link.result.microseconds) / 1000,
                        link.arch.str());
  return text;
}

} // namespace cudacc::commands
