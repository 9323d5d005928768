// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/MessagePattern.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::explain {

/// The value of a placeholder in a message.
struct MessagePlaceholder {
  llvm::StringRef name;
  tables::PlaceholderType type = tables::PlaceholderType::Word;
  std::string value;
};

/// Whether a placeholder of that type may hold the character.
bool holds(tables::PlaceholderType type, char c);
/// Whether the placeholder ends where the next piece of the pattern begins, instead of extending as
/// far as its characters do.
bool isShort(tables::PlaceholderType type);
/// Whether \p value is valid for the type: a name that a CUDA library exports, a CUDA version.
bool accepts(tables::PlaceholderType type, llvm::StringRef value);
/// 12.4 for 12040, as in CUDA_VERSION, and for 124, as printed by device tools (SY-26);
/// std::nullopt for other text.
std::optional<versions::CudaVersion> macroOf(llvm::StringRef value);
/// 9.10.2 for `9.10.2`, `(9, 10, 2)` and 91002; std::nullopt for other text.
std::optional<versions::Version> cudnnVersionOf(llvm::StringRef value);
/// The library that a header belongs to, as the name for `-l`; std::nullopt if none.
std::optional<llvm::StringRef> libraryWithHeader(llvm::StringRef file);

} // namespace cudacc::explain
