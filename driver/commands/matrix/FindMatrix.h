// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/matrix/MatrixRequest.h"
#include "driver/commands/toolchain/Fetch.h"
#include "driver/plan/matrix/MatrixJobs.h"

namespace cudacc::commands {

/// A request with what it means on this machine.
struct FoundMatrix {
  MatrixRequest request;
  /// In the order of the request, each once.
  std::vector<Runtime> runtimes;
  /// Its inputs name the same runtimes in the same order.
  plan::MatrixPlan plan;
  /// By root; those of `plan`.
  std::map<std::string, core::Toolkit> toolkits;
  /// Those of `toolkits` that are still to be fetched, by root. Of such a toolkit the version alone
  /// is known.
  std::map<std::string, FetchedToolkit> fetches;
  /// How jobs on other machines get theirs; std::nullopt if nothing is to be fetched.
  std::optional<plan::MatrixJobs::Fetch> jobFetch;
  /// Version of a toolkit that was asked for and is not on this machine.
  std::vector<std::string> missing;
  /// Path of the interpreter, by its text in the request. With uv a version may have none: uv finds
  /// or fetches it.
  std::map<std::string, std::string> pythons;
};

/// Resolves runtimes, finds toolkits and interpreters, and plans. Touches no network and writes
/// nothing. Errors: a runtime that cannot be resolved, a path without toolkit, no toolkit at all,
/// an interpreter that is not there.
llvm::Expected<FoundMatrix> findMatrix(pipeline::System &system,
                                       const core::Declaration &declaration, MatrixRequest request);

/// Fetches the toolkits of the builds \p chosen that are not here yet, and reads them.
llvm::Error fetchToolkits(pipeline::System &system, FoundMatrix &found,
                          llvm::ArrayRef<unsigned> chosen);

} // namespace cudacc::commands
