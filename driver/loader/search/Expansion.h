// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Loader.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::loader {

/// What an element of a path is expanded with.
struct Tokens {
  /// Directory of the object; empty: not known, and an element with $ORIGIN is not used.
  llvm::StringRef origin;
  llvm::StringRef lib, platform;
  bool secure = false;
  /// Of a program with privileges, what $ORIGIN leads to must lie under one of these.
  llvm::ArrayRef<std::string> trusted;
};

/// Whether the text holds $ORIGIN, $LIB or $PLATFORM, with braces or without.
bool hasTokens(llvm::StringRef text);
/// Empty: the element cannot be used. Other dollar signs stay.
std::string expand(llvm::StringRef text, const Tokens &tokens);

/// One directory of a list.
struct Directory {
  /// Ends with a slash; empty: the working directory.
  std::string prefix;
  /// As it is written.
  std::string element;
};

/// Directories of an RPATH, a RUNPATH or LD_LIBRARY_PATH, each once (LS-15). Beyond MaxDirectories
/// nothing is taken and \p cut is set.
std::vector<Directory> directories(llvm::ArrayRef<std::string> elements, const Tokens &tokens,
                                   bool &cut);

/// Directory of the file \p path as the loader spells it; relative ones lie in \p workingDirectory.
std::string originOf(llvm::StringRef path, llvm::StringRef workingDirectory);
std::string absolute(llvm::StringRef path, llvm::StringRef workingDirectory);
/// Without `.`, `..` and double slashes, links left aside.
std::string normal(llvm::StringRef path);

} // namespace cudacc::loader
