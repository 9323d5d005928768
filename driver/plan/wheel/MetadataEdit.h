// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::plan {

/// METADATA with further fields `Requires-Dist: REQUIREMENT` and `Provides-Extra: EXTRA`, each
/// behind the last one of its name, else at the end of the headers. Every other byte stays; line
/// ends are those of the file.
std::string addRequirements(llvm::StringRef metadata, llvm::ArrayRef<std::string> requirements,
                            llvm::ArrayRef<std::string> extras);

} // namespace cudacc::plan
