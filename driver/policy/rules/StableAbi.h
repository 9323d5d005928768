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

/// What a file asks of CPython that says of itself that it is for every version from one on: its
/// name ends in `.abi3.so`, or its wheel's tag has `abi3` and its own name no single version.
struct PythonAbi {
  /// 3.X of the wheel's tag, and the tag (`cp39-abi3`); nothing: the file lies in no wheel.
  std::optional<unsigned> stated;
  std::string tag;
  /// 3.X that has in its stable ABI all that is imported and is in one; 2: the first there was.
  unsigned least = 2;
  struct Name {
    llvm::StringRef symbol;
    /// 3.X; 0: in no version's stable ABI.
    unsigned since = 0;
    /// `PyType_GetName, since 3.11`.
    std::string text() const;
  };
  /// What `stated` has not in its stable ABI. Weak names are left out.
  std::vector<Name> beyond;

  /// `3.9`.
  std::string leastText() const { return fmt::format("3.{}", least); }
};
/// Nothing: the file does not say so, or imports nothing of CPython's. Its path may be
/// `dist/x-1.0-cp39-abi3-linux_x86_64.whl!pkg/ext.abi3.so`. Texts live as long as the facts.
std::optional<PythonAbi> pythonAbiOf(const core::BinaryFacts &file);

/// A function of torch's stable C interface, by its name: `aoti_torch_...`, `torch_...`.
bool isTorchShim(llvm::StringRef symbol);
/// A mangled name of whatever scope that has a type of torch's: `_Z16THPVariable_WrapN2at6TensorE`.
bool mentionsTorch(llvm::StringRef symbol);
/// The file imports something of torch's own that is no such function: a name in one of its
/// namespaces, or one that mentions its types.
bool usesUnstableTorch(const core::BinaryFacts &file);
/// The file imports of torch's such functions and nothing else.
bool usesStableTorchOnly(const core::BinaryFacts &file);

/// The first release from which on all that were read have everything, as torch promises of its
/// stable ABI (`2.10.0`); empty: the newest lacks something, or nothing was read.
std::string stableFloorOf(const versions::TorchRange &range);
/// `torch's stable ABI alone, torch >= 2.10.0`; \p floor may be empty.
std::string stableTorchText(llvm::StringRef floor);

} // namespace cudacc::policy
