// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// What the Python code of a package opens before one of its files is loaded.
struct Preload {
  /// In order: a library of the environment by its name (`libcublas.so.12`), or a file below
  /// site-packages (`librmm/lib64/librmm.so`); `*` stands for any characters. What is not there is
  /// left out.
  llvm::SmallVector<llvm::StringRef, 4> opens;
  /// With RTLD_GLOBAL.
  bool isGlobal = false;
  /// Only where the file cannot be loaded otherwise.
  bool isFallback = false;
  /// Where it was read.
  llvm::StringRef source;
  Confidence confidence = Confidence::Verified;
};

/// For \p path, below site-packages, of the distribution \p package; a version that is not known
/// counts as the newest. In the order of the data.
llvm::SmallVector<Preload, 2> preloadsOf(llvm::StringRef package,
                                         const std::optional<versions::Version> &version,
                                         llvm::StringRef path);
/// For every file of a distribution that requires \p package.
llvm::SmallVector<Preload, 2> preloadsFor(llvm::StringRef package,
                                          const std::optional<versions::Version> &version);

/// For any file of \p package.
llvm::SmallVector<Preload, 2> allPreloadsOf(llvm::StringRef package,
                                            const std::optional<versions::Version> &version);

/// \p text has the form of \p pattern, in which `*` stands for any characters, none included.
bool matchesPattern(llvm::StringRef pattern, llvm::StringRef text);

} // namespace cudacc::tables
