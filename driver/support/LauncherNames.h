#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::support {

/// Programs that stand in front of compilers: caches and compile farms. They are known by the name
/// of their file.
inline bool isLauncherName(llvm::StringRef name) {
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc";
}

} // namespace cudacc::support
