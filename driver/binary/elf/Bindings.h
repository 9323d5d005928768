// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Exports.h"
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
  /// Bound on the first call, unless everything is bound at once (RTLD_NOW, LD_BIND_NOW).
  bool isLazy = false;
};

/// Those of \p wanted that the file's relocations name, each once, in the order in which the loader
/// binds them: DT_RELA, then DT_JMPREL. A symbol without a relocation is never bound.
llvm::Expected<std::vector<Binding>> bindingOrder(core::ReadableFile &file, llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> wanted);

/// All entries of verneed, in the order in which the loader checks them.
llvm::Expected<std::vector<core::VersionNeed>> versionNeeds(core::ReadableFile &file,
                                                            llvm::StringRef path);

} // namespace cudacc::binary
