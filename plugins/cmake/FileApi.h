// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// Names of the empty files in `.cmake/api/v1/query/client-cuda-cc` that request a description of
/// the build from the next CMake run.
llvm::ArrayRef<llvm::StringRef> queries();
/// Their directory, relative to the build directory.
extern const llvm::StringLiteral queryFolder;

/// Calls \p work for every index below \p count, on as many threads as the caller provides.
using ForEach = llvm::function_ref<void(size_t count, llvm::function_ref<void(size_t index)> work)>;

/// Reads CMake's reply (codemodel 2.x, toolchains 1.x, cmakeFiles 1.x of CMake 3.21 to 4.x) in \p
/// build, whichever client requested it, into targets, toolchains, `newer` and `system`. Returns
/// false if there is no reply. Errors: BrokenDescription with the file's name for values of the
/// wrong type, unknown major versions, more than 64 levels and files beyond 64 MiB. Unknown keys
/// are ignored.
llvm::Expected<bool> readFileApi(core::Files &files, llvm::StringRef build,
                                 audit::BuildModel &model, ForEach forEach);

} // namespace cudacc::cmake
