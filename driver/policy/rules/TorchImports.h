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

/// The table of what torch's own libraries export, or why there is none.
struct TorchTable {
  const tables::TorchNames *names = nullptr;
  /// Null where there is a table.
  const core::Finding *problem = nullptr;
};
/// Opens the table at the first question: nothing but a file that may import torch's names asks.
using AskTorch = llvm::function_ref<const TorchTable &()>;
/// Whether a library of the process that is none of torch's own defines a name.
using DefinedBeside = llvm::function_ref<versions::Exported(llvm::StringRef symbol)>;

/// The file NEEDs one of torch's own libraries, or imports names in torch's fashion. No table is
/// asked.
bool mayUseTorch(const core::BinaryFacts &file);

/// What a file imports of torch's, in its order, weak names left out. Texts live as long as the
/// facts.
struct TorchImports {
  struct Name {
    llvm::StringRef symbol;
    /// Some release of the table exports it, on some machine.
    bool known = false;
    /// isInTorchFashion: a name that is only known may be another library's as well.
    bool inFashion = false;
  };
  std::vector<Name> names;
};
/// \p table may be null: then no name is known.
TorchImports torchImports(const core::BinaryFacts &file, const tables::TorchNames *table);

/// A release that the runtime may have.
struct RuntimeTorch {
  std::string release;
  /// A build for another CUDA line than that of PyPI's wheel, which is the one that was read.
  bool isOtherLine = false;
  /// As it is shown: `2.6.0+cu126`.
  std::string shown;
};
/// Those of Target::torch: the release, or all known ones of its range. Empty: it has no torch, or
/// the range cannot be understood.
std::vector<RuntimeTorch> torchReleasesOf(const core::Target &target);

/// Whether that build exports the name. Unknown: not read, other wheels of the release may differ,
/// or it depends on the Python.
versions::Exported exportedByTorch(const tables::TorchNames &table, llvm::StringRef symbol,
                                   const RuntimeTorch &release, uint16_t machine);

/// Which C++ ABI of the standard library's strings and lists a name mentions.
enum class StringAbi : uint8_t {
  None,
  /// _GLIBCXX_USE_CXX11_ABI=0: `std::string`.
  Old,
  /// =1, the compilers' default: `std::__cxx11::basic_string`, `[abi:cxx11]`.
  New
};
StringAbi stringAbiOf(llvm::StringRef symbol);
/// That of a build; None: not read.
StringAbi stringAbiOf(const tables::TorchNames &table, const RuntimeTorch &release,
                      uint16_t machine);
/// That of libraries that were read themselves; None: neither spelling of the names that tell it
/// is there.
StringAbi stringAbiOf(DefinedBeside exported);
/// `_GLIBCXX_USE_CXX11_ABI=0`.
std::string definitionOf(StringAbi abi);

/// The releases that export everything. Where \p beside says that something else defines a name it
/// is not asked of torch; names that no release has count only if nothing else may define them.
versions::TorchRange torchRangeOf(const TorchImports &imports, const tables::TorchNames &table,
                                  uint16_t machine, DefinedBeside beside);

/// `>=2.8,<2.12` of one name: the releases of the table that export it; empty: none on that
/// machine.
std::string releasesExporting(const tables::TorchNames &table, llvm::StringRef symbol,
                              uint16_t machine);
/// The same as metadata has it.
std::string specifierExporting(const tables::TorchNames &table, llvm::StringRef symbol,
                               uint16_t machine);

} // namespace cudacc::policy
