// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::binary {

/// A symbol that the loader binds.
struct Binding {
  std::string symbol;
  /// Bound at its first call, where nothing asks for all at once (RTLD_NOW, LD_BIND_NOW).
  bool isLazy = false;
};

/// Those of \p wanted that relocations of the file name, each once, in the order in which the
/// loader binds them: DT_RELA, then DT_JMPREL. A symbol that no relocation names is never bound.
llvm::Expected<std::vector<Binding>> bindingOrder(core::ReadableFile &file, llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> wanted);

/// A version that the file needs of another, as verneed has it.
struct VersionNeed {
  std::string file, node;
  /// VER_FLG_WEAK: its absence is not an error.
  bool isWeak = false;
};
/// In the order in which the loader checks them.
llvm::Expected<std::vector<VersionNeed>> versionNeeds(core::ReadableFile &file,
                                                      llvm::StringRef path);

} // namespace cudacc::binary
