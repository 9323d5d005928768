// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/devicelink/ChooseLinker.h"
#include "tests/unit/policy/GuardVectors.h"

/// Questions about device links, as values.
namespace cudacc::test {

using policy::Artifact;
using policy::LinkBackend;
using policy::LinkPolicy;

/// `12.9`; empty: there is none.
inline policy::NvJitLinkFacts nvJitLinkOf(llvm::StringRef version) {
  policy::NvJitLinkFacts facts;
  if (version.empty())
    return facts;
  facts.state = policy::NvJitLinkFacts::State::Known;
  facts.version = line(version);
  facts.path = "/venv/libnvJitLink.so";
  facts.origin = ("nvidia-nvjitlink " + version + " in /venv").str();
  return facts;
}

/// `12.9`, and a release; empty: not known.
inline policy::DriverFacts deployment(llvm::StringRef cuda, llvm::StringRef release = "") {
  policy::DriverFacts facts;
  if (cuda.empty())
    return facts;
  facts.state = policy::DriverFacts::State::Known;
  facts.cuda = line(cuda);
  facts.release = release.str();
  return facts;
}

/// `object` and `library` are what device-link.md calls the images in them.
inline Artifact artifactOf(llvm::StringRef word) {
  return word == "ltoir" ? Artifact::LtoIr : word == "ptx" ? Artifact::Ptx : Artifact::Cubin;
}

/// `ptx 12.6 8.5` is PTX of 12.6 with ISA 8.5; `-` as version: not known.
inline policy::LinkImage linkInput(llvm::StringRef words) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  words.split(parts, ' ');
  policy::LinkImage made;
  made.kind = artifactOf(parts[0]);
  made.name = (parts[0] + ".o").str();
  if (parts.size() > 1)
    made.producer = line(parts[1]);
  if (parts.size() > 2)
    made.isa = line(parts[2]);
  made.evidence = "record";
  return made;
}

inline policy::LinkQuestion linkQuestion(llvm::StringRef driverCuda, llvm::StringRef linker,
                                         std::initializer_list<const char *> inputs) {
  policy::LinkQuestion question;
  question.driver = deployment(driverCuda);
  question.nvJitLink = nvJitLinkOf(linker);
  for (const char *each : inputs)
    question.inputs.push_back(linkInput(each));
  return question;
}

/// `nvjitlink`, `driver`, or the classes of the errors.
inline std::string resultOf(const policy::LinkChoice &choice) {
  std::vector<std::string> errors;
  for (const core::Finding &finding : choice.findings)
    if (finding.severity == core::Severity::Error)
      errors.push_back(className(finding.code));
  // A link is refused by an error, and only by one.
  EXPECT_NE(choice.backend.has_value(), !errors.empty());
  if (!choice.backend)
    return llvm::join(errors, " ");
  return *choice.backend == LinkBackend::NvJitLink ? "nvjitlink" : "driver";
}

/// The classes of the findings that are no errors.
inline std::vector<std::string> notesOf(const policy::LinkChoice &choice, core::Severity severity) {
  std::vector<std::string> notes;
  for (const core::Finding &finding : choice.findings)
    if (finding.severity == severity)
      notes.push_back(className(finding.code));
  return notes;
}

/// The fixes of all findings.
inline std::vector<std::string> fixesOf(const policy::LinkChoice &choice) {
  std::vector<std::string> fixes;
  for (const core::Finding &finding : choice.findings)
    fixes.insert(fixes.end(), finding.fixes.begin(), finding.fixes.end());
  return fixes;
}

} // namespace cudacc::test
