// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Target.h"
#include "driver/tables/lookup/TorchNames.h"
#include "driver/versions/Exported.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::policy {

/// The table of what torch's own libraries export, or the reason why it is not available.
struct TorchTable {
  const tables::TorchNames *names = nullptr;
  /// Null if there is a table.
  const core::Finding *problem = nullptr;
};
/// Returns the table, opening it on the first call; called only for files that may import from
/// torch.
using AskTorch = llvm::function_ref<const TorchTable &()>;
/// Whether a library of the process other than torch's own defines a name.
using DefinedBeside = llvm::function_ref<versions::Exported(llvm::StringRef symbol)>;

/// Whether the file NEEDs one of torch's own libraries, or imports names that look like torch's.
/// Does not need the table.
bool mayUseTorch(const core::BinaryFacts &file);

/// What a file imports from torch, in the order of the file; weak imports are omitted. The strings
/// live as long as the facts.
struct TorchImports {
  struct Name {
    llvm::StringRef symbol;
    /// Some release in the table exports it, on some machine.
    bool known = false;
    /// tables::isInTorchFashion(): the name looks like torch's. A name that is only `known` may be
    /// another library's as well.
    bool inFashion = false;
  };
  std::vector<Name> names;
};
/// \p table may be null: then no name is `known`.
TorchImports torchImports(const core::BinaryFacts &file, const tables::TorchNames *table);

/// A torch release that the runtime may have.
struct RuntimeTorch {
  std::string release;
  /// A build for another CUDA line than PyPI's wheel, which is the one that the table was read
  /// from.
  bool isOtherLine = false;
  /// For messages: `2.6.0+cu126`.
  std::string shown;
};
/// The releases of Target::torch: one, or all known ones in its range. Empty if there is no torch
/// or the range cannot be parsed.
std::vector<RuntimeTorch> torchReleasesOf(const core::Target &target);

/// Whether that build exports the name. Unknown if it was not read, if other wheels of the release
/// may differ, or if it depends on the Python version.
versions::Exported exportedByTorch(const tables::TorchNames &table, llvm::StringRef symbol,
                                   const RuntimeTorch &release, uint16_t machine);

/// Which C++ ABI of std::string and std::list a name mentions.
enum class StringAbi : uint8_t {
  None,
  /// _GLIBCXX_USE_CXX11_ABI=0: `std::string`.
  Old,
  /// =1, the compilers' default: `std::__cxx11::basic_string`, `[abi:cxx11]`.
  New
};
StringAbi stringAbiOf(llvm::StringRef symbol);
/// The ABI of a build; None if it was not read.
StringAbi stringAbiOf(const tables::TorchNames &table, const RuntimeTorch &release,
                      uint16_t machine);
/// The ABI of installed libraries; None if they export neither variant of the deciding symbol.
StringAbi stringAbiOf(DefinedBeside exported);
/// `_GLIBCXX_USE_CXX11_ABI=0`.
std::string definitionOf(StringAbi abi);

/// The releases that export everything. Names that \p beside finds in another library are not
/// required of torch; names that no release exports count only if no other library may define them.
versions::TorchRange torchRangeOf(const TorchImports &imports, const tables::TorchNames &table,
                                  uint16_t machine, DefinedBeside beside);

/// `>=2.8,<2.12`: the releases of the table that export the name. Empty if none does on that
/// machine.
std::string releasesExporting(const tables::TorchNames &table, llvm::StringRef symbol,
                              uint16_t machine);
/// The same as a version specifier of package metadata.
std::string specifierExporting(const tables::TorchNames &table, llvm::StringRef symbol,
                               uint16_t machine);

} // namespace cudacc::policy
