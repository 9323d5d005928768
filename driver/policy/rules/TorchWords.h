// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/LibraryFloor.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/versions/Requirement.h"

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
  /// Those of `range` whose wheels on PyPI bring the CUDA libraries that the file needs, too.
  versions::TorchRange serving;
  /// A build of PyTorch's own index (`2.9.0+cu130`) that does, where none of PyPI does.
  std::string otherBuild;
  /// The distribution that installed the file; empty if none or not known.
  std::string package;
  /// The file is being linked, so it can still be built differently.
  bool atLink = false;
};

/// Sets what the file fits: \p byNames, and of these the releases that bring the libraries of \p
/// floors and that \p declared, the requirements of its package, allow.
void setServing(TorchCause &cause, versions::TorchRange byNames,
                llvm::ArrayRef<core::LibraryFloor> floors,
                llvm::ArrayRef<versions::Requirement> declared);

/// CC4129, a symbol that torch lacks, or CC4130, strings of the other ABI.
core::Finding torchFinding(const TorchCause &cause);

/// "install a release of xformers that is built for torch 2.11".
std::string releaseForTorch(llvm::StringRef package, llvm::StringRef torch);

/// Fixes, best first.
std::vector<std::string> torchFixes(const TorchCause &cause);

/// Adds facts that name the first few of them and say how many follow.
void addNames(llvm::ArrayRef<llvm::StringRef> names, core::Finding &finding);

} // namespace cudacc::policy
