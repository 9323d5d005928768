// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/explain/Explanation.h"
#include "driver/explain/LogText.h"
#include "driver/explain/MessageMatcher.h"
#include "driver/policy/rules/TorchImports.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::explain {

/// Reads a text of any length, piece by piece, and collects the known messages in it, in bounded
/// memory and linear time.
class Explainer {
public:
  /// Most distinct messages that are collected.
  static constexpr size_t most = 100;

  /// \p runtime: fixes are checked against it; null if none is declared. \p torchTable: what torch
  /// exports; null: nothing is said about that. Both must outlive the Explainer.
  explicit Explainer(const core::Target *runtime = nullptr, policy::AskTorch torchTable = nullptr);

  void add(llvm::StringRef bytes);
  /// Returns what was found. \p byName: if there was no message, search for a name that stands for
  /// one (a symbol or a library, by itself). add() must not be called afterwards.
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
  /// A window of the text, its offset in the whole text, and the number of bytes already scanned.
  std::string window;
  uint64_t base = 0;
  size_t scanned = 0;
  std::vector<LineStart> starts;
  /// The last match, until no later match can overlap it; its offsets are those of the whole text.
  std::optional<MessageMatch> pending;
  Explained result;
  llvm::StringMap<size_t> places;
};

} // namespace cudacc::explain
