// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cudacc::tables {

/// SONAMEs of NVIDIA libraries of which at least one version read for that CUDA major exports the
/// name, ascending, without variants (libnvrtc.alt.so.12) of those that do: the possible providers
/// of an unversioned import. libcuda.so.1 belongs to every major; major 0 means any. Names that all
/// libraries have (`_init`) are in no table. An empty result proves nothing for libraries whose
/// internal names were left out.
std::vector<llvm::StringRef> sonamesExporting(llvm::StringRef symbol, unsigned major);

/// The replacement for a removed name, according to NVIDIA's headers: cudaDeviceSynchronize for
/// cudaThreadSynchronize. Empty if not known.
llvm::StringRef replacementOf(llvm::StringRef symbol);

/// A name that compilers generate, and what it means if nothing defines it.
struct GeneratedName {
  llvm::StringRef begins, contains;
  /// The name is that of one object file: only a link that the object is in can define it.
  bool ofObject = false;
  /// `relocatable device code without its device link`.
  llvm::StringRef means, because, fix;
  /// A further fix; may be empty.
  llvm::StringRef also;

  static constexpr auto columns = std::tuple(
      &GeneratedName::begins, &GeneratedName::contains, &GeneratedName::ofObject,
      &GeneratedName::means, &GeneratedName::because, &GeneratedName::fix, &GeneratedName::also);
};
/// std::nullopt for other names.
std::optional<GeneratedName> generatedName(llvm::StringRef symbol);

/// The first release of the system library that has a version node: `glibc 2.34` for GLIBC_2.34,
/// `gcc 11.1` for GLIBCXX_3.4.29. Empty if not known.
std::string systemReleaseOf(llvm::StringRef node);

} // namespace cudacc::tables
