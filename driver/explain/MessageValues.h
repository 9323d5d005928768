// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/core/Target.h"
#include "driver/explain/MessagePlaceholders.h"
#include "driver/explain/MessageTorch.h"

namespace cudacc::policy {
struct RuntimeFix;
} // namespace cudacc::policy

namespace cudacc::explain {

/// Both forms of the fix: readers of a message may have built the file or installed it.
std::string textOf(const std::optional<policy::RuntimeFix> &fix);

/// What the declared runtime says about the symbol or library of a message. Gone: no library
/// exports the name any more.
enum class RuntimeSays : uint8_t { Nothing, Has, Lacks, Gone };

/// The library that exports a symbol, and since which version.
struct SymbolFloor {
  /// Its SONAME is empty if no table has the symbol.
  core::LibraryFloor floor;
  unsigned major = 0;
  /// Libraries of several majors export it, each since a version of its own, and nothing says which
  /// is meant.
  bool ambiguous = false;
};

/// What the values of a message mean, according to the tables. Nothing is guessed: empty text if
/// the tables do not say.
class MessageValues {
public:
  /// \p runtime: null if none is declared. \p placeholders and \p runtime must outlive this object.
  MessageValues(llvm::ArrayRef<MessagePlaceholder> placeholders, const core::Target *runtime,
                policy::AskTorch torchTable);

  /// `{symbol}`, `{symbol.since}`; keys as in tables::placeholderKinds.
  std::string value(llvm::StringRef placeholder, llvm::StringRef key) const;
  /// \p text with its placeholders replaced by their values; std::nullopt if one has no value, or
  /// the condition of the text is false.
  std::optional<std::string> filled(llvm::StringRef text) const;

private:
  const MessagePlaceholder *find(llvm::StringRef name) const;
  std::string symbolValue(const MessagePlaceholder &placeholder, llvm::StringRef key) const;
  /// For the keys whose value is a newer version: of the library, of torch, of the runtime.
  std::string newerValue(const SymbolFloor &symbol, bool isOther, llvm::StringRef key) const;
  std::string libraryValue(const MessagePlaceholder &placeholder, llvm::StringRef key) const;
  /// The version since which no library exports the message's symbol any more, within the runtime's
  /// major, that of the named library, or else the newest. Empty if one still does.
  std::string gone() const;
  RuntimeSays ask() const;
  /// Whether the runtime of \p requirement has the message's symbol or library.
  bool isHadBy(llvm::StringRef requirement) const;
  /// `torch` if importing it first loads the libraries of the wheel; empty if the runtime has no
  /// torch, or torch does not load them.
  std::string frameworkLoading(llvm::StringRef dist) const;

  llvm::ArrayRef<MessagePlaceholder> placeholders;
  const core::Target *runtime;
  MessageTorch torch;
  RuntimeSays says = RuntimeSays::Nothing;
  /// For the message's only symbol; computed on first use.
  mutable std::optional<SymbolFloor> floorKept;
};

} // namespace cudacc::explain
