// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/explain/Explanation.h"
#include "driver/explain/LogText.h"
#include "driver/explain/MessageMatcher.h"
#include "driver/policy/rules/TorchImports.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::explain {

/// Reads a text of any length, piece by piece, and keeps what is known in it: bounded memory,
/// linear time.
class Explainer {
public:
  /// Distinct messages that are kept.
  static constexpr size_t most = 100;

  /// \p runtime: what the fixes are compared with; null: none is declared. \p torchTable: what
  /// torch exports; null: nothing is said about it. Both are referred to.
  explicit Explainer(const core::Target *runtime = nullptr, policy::AskTorch torchTable = nullptr);

  void add(llvm::StringRef bytes);
  /// What was found; \p byName: where no message was, names that stand for one are looked for (a
  /// symbol or a library, by itself). Nothing is added afterwards.
  Explained finish(bool byName);

private:
  struct LineStart {
    uint64_t at = 0, line = 0;
  };

  void scan(bool toEnd);
  void found(MessageMatch match);
  void chooseExplanation();
  void keep(const MessageMatch &match, llvm::StringRef text, uint64_t line);
  void searchNames();
  uint64_t lineAt(uint64_t at) const;

  const core::Target *runtime;
  policy::AskTorch torchTable;
  std::vector<tables::Message> messages;
  MessageMatcher matcher;
  LogText reader;
  /// A window of the text: where it begins in the whole, and what of it was scanned.
  std::string window;
  uint64_t base = 0;
  size_t scanned = 0;
  std::vector<LineStart> starts;
  /// The last match, until nothing can overlap it any more; its places are those of the whole text.
  std::optional<MessageMatch> pending;
  Explained result;
  llvm::StringMap<size_t> places;
};

} // namespace cudacc::explain
