// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// Names of the empty files below `.cmake/api/v1/query/client-cuda-cc` that ask CMake to describe a
/// build the next time it configures.
llvm::ArrayRef<llvm::StringRef> queries();
/// Where they lie, below the build directory.
extern const llvm::StringLiteral queryFolder;

/// Calls \p work for every index below \p count, on as many threads as the caller has.
using ForEach = llvm::function_ref<void(size_t count, llvm::function_ref<void(size_t index)> work)>;

/// Reads CMake's reply (codemodel 2.x, toolchains 1.x, cmakeFiles 1.x of CMake 3.21 to 4.x) below
/// \p build into targets, toolchains, `newer` and `system`, whoever asked for it. False: there is
/// no reply. Values of another type than CMake's, unknown major versions, more than 64 levels and
/// files beyond 64 MiB are BrokenDescription with the file's name; unknown keys are passed over.
llvm::Expected<bool> readFileApi(core::Files &files, llvm::StringRef build,
                                 audit::BuildModel &model, ForEach forEach);

} // namespace cudacc::cmake
