#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace cudacc::cli {

/// Takes the words that begin with --cudacc- out of \p words (argv[0] not included) and returns the
/// rest.
llvm::Expected<std::vector<llvm::StringRef>> takeOwnOptions(llvm::ArrayRef<llvm::StringRef> words,
                                                            core::OwnOptions &own);

} // namespace cudacc::cli
