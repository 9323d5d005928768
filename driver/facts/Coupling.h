#pragma once

#include "driver/core/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::facts {

enum class Reach : uint8_t {
  /// DT_NEEDED.
  Needed,
  /// Imports its symbols without DT_NEEDED.
  Symbol,
  /// Holds its soname as text; that it is opened by dlopen is inferred.
  Dlopen,
};

struct Need {
  llvm::StringRef soname;
  Reach reach = Reach::Needed;
};

/// The NVIDIA libraries that a library of this version needs by itself, in the order it names them.
/// They are coupled by minor: an older copy of theirs may lack what it imports (cuSPARSE and
/// cuSOLVER to nvJitLink, cuBLAS to cuBLASLt). A version between two opened ones counts as the
/// older of them, one before the first opened as unknown: empty.
llvm::SmallVector<Need, 4> needsOf(llvm::StringRef soname, llvm::StringRef dist,
                                   const core::Version &version);

} // namespace cudacc::facts
