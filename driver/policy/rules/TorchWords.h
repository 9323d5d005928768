// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/policy/rules/TorchImports.h"

namespace cudacc::policy {

/// Why a file cannot be loaded with a given torch.
struct TorchCause {
  /// The symbols that the file imports and that torch lacks.
  std::vector<llvm::StringRef> names;
  /// `2.10.0`; empty if the release is not known.
  std::string torch;
  /// The C++ string ABI that this torch was built with, if the missing symbols are of the other
  /// one.
  StringAbi abi = StringAbi::None;
  /// Null if not available.
  const tables::TorchNames *table = nullptr;
  uint16_t machine = 0;
  /// The releases that export everything that the file imports; std::nullopt if none, or not known.
  std::optional<versions::TorchRange> range;
  /// The file is being linked, so it can still be built differently.
  bool atLink = false;
};

/// CC4129, a symbol that torch lacks, or CC4130, strings of the other ABI.
core::Finding torchFinding(const TorchCause &cause);

/// Fixes, best first.
std::vector<std::string> torchFixes(const TorchCause &cause);

/// Adds facts that name the first few of them and say how many follow.
void addNames(llvm::ArrayRef<llvm::StringRef> names, core::Finding &finding);

} // namespace cudacc::policy
