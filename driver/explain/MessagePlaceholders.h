// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/MessagePattern.h"
#include "driver/versions/CudaVersion.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::explain {

/// What a message had in a placeholder.
struct MessagePlaceholder {
  llvm::StringRef name;
  tables::PlaceholderType type = tables::PlaceholderType::Word;
  std::string value;
};

/// Whether a placeholder of that type may hold the character.
bool holds(tables::PlaceholderType type, char c);
/// It ends where what follows begins, not as far as its characters go.
bool isShort(tables::PlaceholderType type);
/// Whether \p value is what the type says: a name that a CUDA library exports, a CUDA version.
bool accepts(tables::PlaceholderType type, llvm::StringRef value);
/// 12.4 of 12040, as CUDA_VERSION has it, and of 124, as device tools have it (SY-26).
std::optional<versions::CudaVersion> macroOf(llvm::StringRef value);
/// The library, as `-l` takes it, that a header belongs to.
std::optional<llvm::StringRef> libraryWithHeader(llvm::StringRef file);

} // namespace cudacc::explain
