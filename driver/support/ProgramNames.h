// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::support {

/// Whether \p name is a compiler cache or a compile farm client. They are recognised by file name.
inline bool isLauncherName(llvm::StringRef name) {
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc";
}

/// cuda-cc itself and its cross versions `cuda-cc-...`. \p name has no folder.
inline bool isOurName(llvm::StringRef name) {
  return name == "cuda-cc" || name.starts_with("cuda-cc-");
}

} // namespace cudacc::support
