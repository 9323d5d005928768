// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// What a file imports from one of NVIDIA's libraries. Texts live as long as the file's facts.
struct LibraryImports {
  std::string soname;
  /// Why an import counts as the library's.
  enum class Because : uint8_t {
    /// Its version need says so, or a version of the CUDA major exports the name.
    Exported,
    /// Versions of another CUDA major alone exported it.
    OtherMajor,
    /// The name begins as those of the library do; no version of any major exports it.
    Fashion,
  };
  struct Name {
    llvm::StringRef symbol;
    /// Version node; empty: none.
    llvm::StringRef node;
    Because because = Because::Exported;
  };
  /// In the order of the file, weak ones left out (SY-5).
  std::vector<Name> names;
  /// The file NEEDs the library or has a version need on it. False: known by the names alone; such
  /// a file relies on what others have loaded.
  bool named = true;
};

/// A name of the C++ runtime: any library written in C++ exports such names too, weak ones that its
/// own compiler made (libcufile the constructors of std::stringstream), and nobody means those.
bool isOfCxxRuntime(llvm::StringRef symbol);

/// The imports by library, ascending by SONAME. The version need of an import decides; without one,
/// the NEEDED libraries of NVIDIA's that export the name in some version of the CUDA major, and
/// then every other library of NVIDIA's that does, then the NEEDED one of which another major
/// exported it or in whose fashion the name is. What is left is not NVIDIA's. Where several
/// libraries export such a name, one of \p target is taken (null: the newest).
std::vector<LibraryImports> importsByLibrary(const core::BinaryFacts &facts, unsigned major,
                                             const core::Target *target = nullptr);

} // namespace cudacc::policy
