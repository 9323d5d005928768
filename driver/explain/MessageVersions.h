// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/explain/MessagePlaceholders.h"

namespace cudacc::explain {

/// What a CUDA, PTX or driver version, an architecture, a name that ends in a version, or a
/// development name means; for placeholders that do not depend on the runtime. See MessageValues
/// for the others.
std::string versionValue(const MessagePlaceholder &placeholder, llvm::StringRef key);

/// Joins \p texts without duplicates: `nvidia-cuda-runtime-cu12 or nvidia-cuda-runtime`.
std::string eachOf(llvm::ArrayRef<std::string> texts, llvm::StringRef last = " or ");
/// The CUDA majors in the tables, ascending.
llvm::SmallVector<unsigned, 4> knownMajors();

} // namespace cudacc::explain
