// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Loader.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::loader {

/// Values for the tokens in an element of a search path.
struct Tokens {
  /// Directory of the object; empty if unknown: elements with $ORIGIN are then not used.
  llvm::StringRef origin;
  llvm::StringRef lib, platform;
  bool secure = false;
  /// Directories one of which must contain the expanded $ORIGIN if the program is `secure`.
  llvm::ArrayRef<std::string> trusted;
};

/// Whether the text contains $ORIGIN, $LIB or $PLATFORM, with or without braces.
bool hasTokens(llvm::StringRef text);
/// Returns an empty string if the element cannot be used. Other dollar signs are kept.
std::string expand(llvm::StringRef text, const Tokens &tokens);

/// One directory of a search list.
struct Directory {
  /// Ends with a slash; empty for the working directory.
  std::string prefix;
  /// As written in the list.
  std::string element;
};

/// The directories of an RPATH, RUNPATH or LD_LIBRARY_PATH, each once (LS-15). Stops after
/// MaxDirectories and sets \p cut.
std::vector<Directory> directories(llvm::ArrayRef<std::string> elements, const Tokens &tokens,
                                   bool &cut);

/// Of these elements the directories that are relative to that of the object, \p origin.
std::vector<Directory> besideOrigin(llvm::ArrayRef<std::string> elements, llvm::StringRef origin);

/// The directory of the file \p path as the loader spells it. Relative paths start at
/// \p workingDirectory.
std::string originOf(llvm::StringRef path, llvm::StringRef workingDirectory);
std::string absolute(llvm::StringRef path, llvm::StringRef workingDirectory);
/// Removes `.`, `..` and double slashes; symbolic links are not resolved.
std::string normal(llvm::StringRef path);

} // namespace cudacc::loader
