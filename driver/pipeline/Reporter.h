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

/// What a call prints and logs. A finding is printed once, whichever step has it.
class Reporter {
public:
  /// \p call and \p target are filled while the call goes on, and outlive this.
  Reporter(System &system, const Call &call, const core::Target &target)
      : system(system), call(call), target(target) {}

  /// A value on stdout; exit status 0.
  int print(llvm::json::Value value);
  void printDiagnostics(llvm::ArrayRef<core::Finding> findings);
  /// F21: \p without is what the link has to do without; \p refused: why places are not used.
  void printNoStore(llvm::StringRef without, std::vector<core::Fact> refused);
  /// The call ends here; its exit status.
  int failWith(const core::Finding &finding);
  int failWith(llvm::Error error) { return failWith(core::toFinding(std::move(error))); }
  int reject(const core::Verdict &verdict);
  /// A line in CUDA_CC_LOG's file; \p verdict may be null.
  void log(llvm::StringRef what, const core::Verdict *verdict = nullptr);

private:
  System &system;
  const Call &call;
  const core::Target &target;
  /// Texts of the findings that were printed.
  std::set<std::string> printed;

  std::vector<core::Finding> withDisable(std::vector<core::Finding> findings) const;
};

/// Before a call is known.
int failWith(System &system, llvm::Error error);

} // namespace cudacc::pipeline
