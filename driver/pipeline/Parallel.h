// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace cudacc::pipeline {

/// Number of threads that `inParallel` uses for \p count items, including the caller's.
unsigned threadsFor(size_t count);

/// Calls \p work for every index below \p count, with the thread's number, on `threadsFor(count)`
/// threads. Returns when all calls are done.
void inParallel(size_t count, llvm::function_ref<void(size_t index, unsigned thread)> work);

} // namespace cudacc::pipeline
