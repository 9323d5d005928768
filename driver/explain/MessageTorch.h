// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/rules/TorchImports.h"
#include <optional>

namespace cudacc::explain {

/// What a name of torch's in a message means, by the table of its exported names.
class MessageTorch {
public:
  /// \p runtime: null where none is declared. \p ask: null where there is no table.
  MessageTorch(const core::Target *runtime, policy::AskTorch ask);

  /// Keys as in tables::placeholderKinds; empty: nothing is known.
  std::string value(llvm::StringRef symbol, llvm::StringRef key) const;
  /// Whether the runtime's torch exports it; Unknown also where none is declared.
  versions::Exported runtimeHas(llvm::StringRef symbol) const;

private:
  const core::Target *runtime;
  policy::AskTorch ask;
  uint16_t machine;

  const tables::TorchNames *table() const;
  /// That of the runtime; nothing: it has none, or a range of them.
  std::optional<policy::RuntimeTorch> torch() const;
  std::string abiValue(llvm::StringRef symbol, llvm::StringRef key) const;
  std::string tableValue(const tables::TorchNames &names, llvm::StringRef symbol,
                         llvm::StringRef key) const;
};

} // namespace cudacc::explain
