// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/versions/Format.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::policy {

/// What a file needs of CPython if it claims to work with every version from one on: its name ends
/// in `.abi3.so`, or its wheel's tag has `abi3` and its own name is not for a single version.
struct PythonAbi {
  /// X of 3.X in the wheel's tag, and the tag (`cp39-abi3`); std::nullopt if the file is in no
  /// wheel.
  std::optional<unsigned> stated;
  std::string tag;
  /// X of the first 3.X whose stable ABI has every import that any stable ABI has; 2, the first, if
  /// there are none.
  unsigned least = 2;
  struct Name {
    llvm::StringRef symbol;
    /// X of 3.X; 0 if in no version's stable ABI.
    unsigned since = 0;
    /// `PyType_GetName, since 3.11`.
    std::string text() const;
  };
  /// Imports that are not in the stable ABI of `stated`. Weak imports are omitted.
  std::vector<Name> beyond;

  /// `3.9`.
  std::string leastText() const { return fmt::format("3.{}", least); }
};
/// std::nullopt if the file makes no such claim or imports nothing from CPython. Its path may be
/// `dist/x-1.0-cp39-abi3-linux_x86_64.whl!pkg/ext.abi3.so`. The strings live as long as the facts.
std::optional<PythonAbi> pythonAbiOf(const core::BinaryFacts &file);

/// Whether the name is that of a function of torch's stable C interface: `aoti_torch_...`,
/// `torch_...`.
bool isTorchShim(llvm::StringRef symbol);
/// Whether a mangled name, in any scope, mentions a type of torch:
/// `_Z16THPVariable_WrapN2at6TensorE`.
bool mentionsTorch(llvm::StringRef symbol);
/// Whether the file imports symbols of torch beyond that interface: in torch's namespaces, or
/// mentioning its types.
bool usesUnstableTorch(const core::BinaryFacts &file);
/// Whether the file imports functions of that interface and nothing else of torch.
bool usesStableTorchOnly(const core::BinaryFacts &file);

/// The first release since which every release in the table exports everything, as torch promises
/// for its stable ABI (`2.10.0`). Empty if the newest lacks something or none was read.
std::string stableFloorOf(const versions::TorchRange &range);
/// `torch's stable ABI alone, torch >= 2.10.0`; \p floor may be empty.
std::string stableTorchText(llvm::StringRef floor);

} // namespace cudacc::policy
