// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace cudacc::tables {

/// A message of a loader, a runtime, a compiler or a build system, and its explanation
/// (messages.json). The texts contain placeholders as described in MessagePattern.h.
struct Message {
  using Texts = llvm::SmallVector<llvm::StringRef, 6>;
  llvm::StringRef id, family, source;
  /// If several match, earlier rows and earlier patterns take precedence.
  Texts patterns;
  /// What happened: the first text whose placeholders all have a value is used. The last one can
  /// always be used.
  Texts what;
  /// `label: text`.
  Texts facts;
  /// Most likely cause and best fix first.
  Texts causes, fixes;

  static constexpr auto columns =
      std::tuple(&Message::id, &Message::family, &Message::source, &Message::patterns,
                 &Message::what, &Message::facts, &Message::causes, &Message::fixes);
};

/// In the order of the data file.
std::vector<Message> messages();

} // namespace cudacc::tables
