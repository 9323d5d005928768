// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace cudacc::tables {

/// A message of a loader, a runtime, a compiler or a build, and what is known of it
/// (messages.json). The texts have placeholders in the form of MessageForm.h.
struct Message {
  using Texts = llvm::SmallVector<llvm::StringRef, 6>;
  llvm::StringRef id, family, source;
  /// Earlier rows and earlier patterns are meant first.
  Texts patterns;
  /// What happened; the first of which every placeholder has a meaning is said, the last can always
  /// be.
  Texts what;
  /// `label: text`.
  Texts facts;
  /// Likeliest, and best, first.
  Texts causes, fixes;
};

/// In the order of the data file.
std::vector<Message> messages();

} // namespace cudacc::tables
