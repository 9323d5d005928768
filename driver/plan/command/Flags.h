#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/RuntimeFlags.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// The words of a compiler's line for what `flags` holds: `-I` for its folders; its files, those
/// that are only coupled in a bracket that keeps them NEEDED as the link step does (T1).
std::vector<std::string> compileWords(const core::RuntimeFlags &flags);
std::vector<std::string> linkWords(const core::RuntimeFlags &flags);

/// `-Wl,--disable-new-dtags` and `-Wl,-rpath,...`, as the link step writes them without flags of
/// the caller's own; nothing for an empty path where `dtags` is not declared.
std::vector<std::string> searchPathWords(const core::Declaration &declaration,
                                         llvm::ArrayRef<std::string> elements);

} // namespace cudacc::plan
