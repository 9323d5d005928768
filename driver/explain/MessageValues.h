// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/explain/MessagePlaceholders.h"
#include "driver/explain/MessageTorch.h"

namespace cudacc::explain {

/// What a declared runtime has to say about a message.
/// Gone: the name is in no newer version.
enum class RuntimeSays : uint8_t { Nothing, Has, Lacks, Gone };

/// The library that exports a name, and from which version on.
struct SymbolFloor {
  /// The soname is empty where no table has the name.
  core::LibraryFloor floor;
  unsigned major = 0;
  /// Libraries of several majors have it, each from a version of its own, and nothing says which is
  /// meant.
  bool ambiguous = false;
};

/// The meaning of what a message says, by the tables. Nothing is guessed: what no table tells is
/// the empty text.
class MessageValues {
public:
  /// \p runtime: null where none is declared. Both are referred to.
  MessageValues(llvm::ArrayRef<MessagePlaceholder> placeholders, const core::Target *runtime,
                policy::AskTorch torchTable);

  /// `{symbol}`, `{symbol.since}`; keys as in tables::placeholderKinds.
  std::string value(llvm::StringRef placeholder, llvm::StringRef key) const;
  /// \p text with its placeholders filled; nothing where one has no meaning, or where its condition
  /// does not hold.
  std::optional<std::string> filled(llvm::StringRef text) const;

private:
  const MessagePlaceholder *find(llvm::StringRef name) const;
  std::string symbolValue(const MessagePlaceholder &placeholder, llvm::StringRef key) const;
  std::string libraryValue(const MessagePlaceholder &placeholder, llvm::StringRef key) const;
  /// Since when the message's symbol is in no version any more: of the runtime's major, of the
  /// library's that is named, or of the newest; empty: it is.
  std::string gone() const;
  RuntimeSays ask() const;
  /// Whether the runtime of that requirement has what the message is about.
  bool isHadBy(llvm::StringRef requirement) const;
  /// `torch`, which loads the libraries of the wheel and may be imported first; empty: the runtime
  /// has no torch, or torch does not.
  std::string frameworkLoading(llvm::StringRef dist) const;

  llvm::ArrayRef<MessagePlaceholder> placeholders;
  const core::Target *runtime;
  MessageTorch torch;
  RuntimeSays says = RuntimeSays::Nothing;
  /// Of the message's symbol, of which there is one; looked up when it is first asked for.
  mutable std::optional<SymbolFloor> floorKept;
};

} // namespace cudacc::explain
