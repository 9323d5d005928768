// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::cmake {

/// `kernels` for `/b/sub/CMakeFiles/kernels.dir/k.cu.o`: the target that CMake compiles the object
/// for; empty if none.
llvm::StringRef targetOfObject(llvm::StringRef path);

} // namespace cudacc::cmake
