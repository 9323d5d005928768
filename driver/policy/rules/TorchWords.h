// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/policy/rules/TorchImports.h"

namespace cudacc::policy {

/// Why a file cannot be loaded into a process of some torch.
struct TorchCause {
  /// What that torch lacks, as the file imports it.
  std::vector<llvm::StringRef> names;
  /// `2.10.0`; empty: some torch, of unknown release.
  std::string torch;
  /// The C++ ABI of strings that this torch was built with, where the names are of the other one.
  StringAbi abi = StringAbi::None;
  /// Null: not to be had.
  const tables::TorchNames *table = nullptr;
  uint16_t machine = 0;
  /// The releases that export all that the file imports; nothing: none, or not known.
  std::optional<versions::TorchRange> range;
  /// What is built can still be built in another way.
  bool atLink = false;
};

/// CC4129, a name that torch lacks, or CC4130, strings of the other ABI.
core::Finding torchFinding(const TorchCause &cause);

/// What to do about it, best first.
std::vector<std::string> torchFixes(const TorchCause &cause);

/// The facts that name the first of them and say how many more there are.
void addNames(llvm::ArrayRef<llvm::StringRef> names, core::Finding &finding);

} // namespace cudacc::policy
