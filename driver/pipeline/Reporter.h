// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/Verdict.h"
#include "driver/pipeline/Call.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <set>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// Prints and logs for one call. A finding is printed once, even if several steps report it.
class Reporter {
public:
  /// \p call and \p target are filled in later and must outlive this.
  Reporter(System &system, const Call &call, const core::Target &target)
      : system(system), call(call), target(target) {}

  /// Prints a value on stdout; returns exit status 0.
  int print(llvm::json::Value value);
  void printDiagnostics(llvm::ArrayRef<core::Finding> findings);
  /// Reports that no store is usable (F21). \p without: what the link lacks; \p refused: why each
  /// place is not used.
  void printNoStore(llvm::StringRef without, std::vector<core::Fact> refused);
  /// Prints a finding that ends the call; returns the exit status.
  int failWith(const core::Finding &finding);
  int failWith(llvm::Error error) { return failWith(core::toFinding(std::move(error))); }
  int reject(const core::Verdict &verdict);
  /// Appends a line to CUDA_CC_LOG's file; \p verdict may be null. \p more: further keys.
  void log(llvm::StringRef what, const core::Verdict *verdict = nullptr,
           llvm::json::Object more = {});

private:
  System &system;
  const Call &call;
  const core::Target &target;
  /// Texts of the findings printed so far.
  std::set<std::string> printed;

  std::vector<core::Finding> withDisable(std::vector<core::Finding> findings) const;
};

/// Success if all that was searched could be determined; \p failure is that of the files.
llvm::Error failedSearch(const std::string &failure);
inline llvm::Error failedSearch(System &system) { return failedSearch(system.files.failure()); }

/// For errors before there is a Call.
int failWith(System &system, llvm::Error error);

} // namespace cudacc::pipeline
