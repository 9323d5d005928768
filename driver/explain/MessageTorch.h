// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/rules/TorchImports.h"
#include <optional>

namespace cudacc::explain {

/// What a symbol of torch in a message means, according to the table of torch's exports.
class MessageTorch {
public:
  /// \p runtime: null if none is declared. \p ask: null if there is no table.
  MessageTorch(const core::Target *runtime, policy::AskTorch ask);

  /// Keys as in tables::placeholderKinds; empty if nothing is known.
  std::string value(llvm::StringRef symbol, llvm::StringRef key) const;
  /// Whether the runtime's torch exports the symbol; Unknown if no runtime is declared.
  versions::Exported runtimeHas(llvm::StringRef symbol) const;

private:
  const core::Target *runtime;
  policy::AskTorch ask;
  uint16_t machine;

  const tables::TorchNames *table() const;
  /// The runtime's torch; std::nullopt if it has none, or a range of releases.
  std::optional<policy::RuntimeTorch> torch() const;
  std::string abiValue(llvm::StringRef symbol, llvm::StringRef key) const;
  std::string tableValue(const tables::TorchNames &names, llvm::StringRef symbol,
                         llvm::StringRef key) const;
};

} // namespace cudacc::explain
