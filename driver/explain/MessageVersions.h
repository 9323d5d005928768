// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/explain/MessagePlaceholders.h"

namespace cudacc::explain {

/// What a CUDA, PTX or driver version, an architecture, a name that ends in one or a development
/// name means: MessageValues for placeholders that no runtime is asked about.
std::string versionValue(const MessagePlaceholder &placeholder, llvm::StringRef key);

/// `nvidia-cuda-runtime-cu12 or nvidia-cuda-runtime`: \p texts without repetitions.
std::string eachOf(llvm::ArrayRef<std::string> texts, llvm::StringRef last = " or ");
/// CUDA majors the tables know, ascending.
llvm::SmallVector<unsigned, 4> knownMajors();

} // namespace cudacc::explain
