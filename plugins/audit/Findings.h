// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/audit/Audit.h"
#include <map>

/// Shared by the rules of an audit.
namespace cudacc::audit {

/// A target with what is known about it from its commands.
struct AuditedTarget {
  const BuildTarget *target = nullptr;
  /// CUDA code or a library of NVIDIA's goes into it.
  bool isCuda = false;
  /// Set if its link bypasses cuda-cc: index into the report's findings.
  std::optional<size_t> bypassingLink;
};

/// Adds findings to a report.
class Findings {
public:
  Findings(const BuildModel &model, const AuditContext &around, core::AuditReport &report)
      : model(model), around(around), report(report) {}

  /// Adds a finding about \p target, or about the build if null, and returns its index. If the
  /// target has a finding of this code already (from another source or configuration), that one is
  /// kept unchanged and its index returned.
  size_t add(core::Code code, const BuildTarget *target, llvm::StringRef step, std::string message,
             FixKind remedy, std::vector<core::Fact> facts = {});
  core::Finding &at(size_t index) { return report.findings[index].finding; }

  const BuildModel &model;
  const AuditContext &around;
  /// Toolchain directory of the build, for fixes.
  std::string directory;

private:
  core::AuditReport &report;
  std::map<std::pair<core::Code, llvm::StringRef>, size_t> known;
};

/// Whether the word names a library of NVIDIA's: `-lcudart`, `/x/libcublas.so.12`.
bool isNvidia(llvm::StringRef linkWord);

/// The rules, grouped by what they examine.
void auditCommands(Findings &out, std::vector<AuditedTarget> &subjects);
void auditTree(Findings &out);
void auditArtefacts(Findings &out, std::vector<AuditedTarget> &subjects, core::AuditReport &report);
/// \p edits: those of this file.
void auditInstallation(Findings &out, const BuildTarget &target, const core::BinaryFacts &facts,
                       llvm::ArrayRef<const PathEdit *> edits);

} // namespace cudacc::audit
