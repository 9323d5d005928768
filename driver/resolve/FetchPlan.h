// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/FetchPlan.h"
#include "driver/core/Target.h"
#include "driver/support/Value.h"
#include "driver/versions/Machine.h"
#include "llvm/Support/Error.h"

namespace cudacc::tables {
struct UserTables;
}

namespace cudacc::resolve {

/// What the user asks for besides the runtime.
struct FetchRequest {
  /// The minor of nvcc, as written (`12.4`). Empty: the newest that the runtime takes.
  std::string nvcc;
  /// Names of parts besides those that every compile needs: `cublas`, or `all`.
  std::vector<std::string> with;
  /// More of them, which are left out where none is known for the toolkit.
  std::vector<std::string> named = {};
  /// What is compiled for; null: the machine on which nvcc runs.
  const versions::Machine *compilesFor = nullptr;
};

/// Decides what a toolkit for \p target is made of: nvcc of the newest minor that the runtime
/// takes, from wheels where they have one (CUDA 13), else from archives; libraries of the runtime's
/// own versions, from wheels where there are any. \p machine: where nvcc runs. \p more: null if
/// there are no further tables. Errors: nothing that can be fetched serves, or the request cannot
/// be understood.
llvm::Expected<core::FetchPlan> planFetch(const core::Target &target, const FetchRequest &request,
                                          const versions::Machine &machine,
                                          const tables::UserTables *more = nullptr);

/// Its key: readable, and another one for other parts.
std::string keyOf(const core::FetchPlan &plan);

/// That a locked plan serves: its nvcc is none that \p target does not take, and what is asked for
/// is in it.
llvm::Error checkLocked(const core::FetchPlan &plan, const core::Target &target,
                        const FetchRequest &request, llvm::StringRef file);

/// A plan as it is kept in a fetched toolkit (`fetched.json`) and in a lock file. Its key is made
/// anew. \p place names the file in errors: BrokenFacts if something in it is not as it is written,
/// such as a path that leads out of the archives.
llvm::Expected<core::FetchPlan> readFetchPlan(const support::Value &value, llvm::StringRef place);

/// The toolkits of a lock file, one for each machine. Every part has a sha256.
llvm::Expected<std::vector<core::FetchPlan>> readFetchLock(llvm::StringRef text,
                                                           llvm::StringRef place);

} // namespace cudacc::resolve
