// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/audit/Audit.h"
#include <map>

/// What the rules of an audit share.
namespace cudacc::audit {

/// A target with what the commands say about it.
struct Subject {
  const Target *target = nullptr;
  /// CUDA goes into it.
  bool isCuda = false;
  /// Its link bypasses cuda-cc; index into the report's findings.
  std::optional<size_t> bypassingLink;
};

/// The report while it is made.
class Findings {
public:
  Findings(const BuildModel &model, const Surroundings &around, core::AuditReport &report)
      : model(model), around(around), report(report) {}

  /// A finding about \p target, null: about the build. Where the same target has the same finding
  /// already (another source, another configuration) that one is kept as it is. Its index.
  size_t add(core::Code code, const Target *target, llvm::StringRef step, std::string message,
             Remedy remedy, std::vector<core::Fact> facts = {});
  core::Finding &at(size_t index) { return report.findings[index].finding; }

  const BuildModel &model;
  const Surroundings &around;
  /// Toolchain directory of the build, for fixes.
  std::string directory;

private:
  core::AuditReport &report;
  std::map<std::pair<core::Code, llvm::StringRef>, size_t> known;
};

/// A library of NVIDIA's: `-lcudart`, `/x/libcublas.so.12`.
bool isNvidia(llvm::StringRef linkWord);

/// Rules, by what they look at.
void auditCommands(Findings &out, std::vector<Subject> &subjects);
void auditTree(Findings &out);
void auditArtefacts(Findings &out, std::vector<Subject> &subjects, core::AuditReport &report);
/// \p edits: those of this file.
void auditInstallation(Findings &out, const Target &target, const core::BinaryFacts &facts,
                       llvm::ArrayRef<const PathEdit *> edits);

} // namespace cudacc::audit
