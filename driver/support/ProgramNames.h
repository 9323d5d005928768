// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::support {

/// Programs that stand in front of compilers: caches and compile farms. They are known by the name
/// of their file.
inline bool isLauncherName(llvm::StringRef name) {
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc";
}

/// The program itself and those it is called for another machine; \p name without folder.
inline bool isOurName(llvm::StringRef name) {
  return name == "cuda-cc" || name.starts_with("cuda-cc-");
}

} // namespace cudacc::support
