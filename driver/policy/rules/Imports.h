// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// What a file imports from one of NVIDIA's libraries. The strings live as long as the file's
/// facts.
struct LibraryImports {
  std::string soname;
  /// Why an import is attributed to the library.
  enum class Because : uint8_t {
    /// Its version need names the library, or a version of it in the CUDA major exports the name.
    Exported,
    /// Only versions of another CUDA major export the name.
    OtherMajor,
    /// The name has the library's prefix; no version of any major exports it.
    Fashion,
  };
  struct Name {
    llvm::StringRef symbol;
    /// Version node; empty if the import has none.
    llvm::StringRef node;
    Because because = Because::Exported;
  };
  /// In the order of the file; weak imports are omitted (SY-5).
  std::vector<Name> names;
  /// The file NEEDs the library or has a version need on it. False: attributed by symbol names
  /// only; such a file relies on others to load the library.
  bool named = true;
};

/// A symbol of the C++ runtime. Any library written in C++ may export such symbols, including weak
/// ones that the compiler generated (libcufile exports constructors of std::stringstream), so they
/// identify no library.
bool isOfCxxRuntime(llvm::StringRef symbol);

/// The imports grouped by library, ascending by SONAME. An import with a version need belongs to
/// the library that it names. Others belong, in this order, to a NEEDED library of NVIDIA's that
/// exports the name in some version of the CUDA major; to any other library of NVIDIA's that does;
/// to a NEEDED library that exported it in another major, or whose prefix it has. The rest is not
/// NVIDIA's and is omitted, as are names that compilers generate (tables::generatedName). If
/// several libraries that are not NEEDED export the name, one of \p target is chosen (null: the
/// newest).
std::vector<LibraryImports> importsByLibrary(const core::BinaryFacts &facts, unsigned major,
                                             const core::Target *target = nullptr);

} // namespace cudacc::policy
