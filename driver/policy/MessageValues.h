#pragma once

#include "driver/core/Target.h"
#include "driver/policy/MessageHoles.h"

namespace cudacc::policy {

/// What a declared runtime has to say about a message.
enum class RuntimeSays : uint8_t { Nothing, Has, Lacks };

/// The meaning of what a message says, by the tables. Nothing is guessed: what no table tells is
/// the empty text.
class MessageValues {
public:
  /// \p runtime: null where none is declared. Both are referred to.
  MessageValues(llvm::ArrayRef<MessageHole> holes, const core::Target *runtime);

  /// `{symbol}`, `{symbol.since}`; keys as in facts::holeKinds.
  std::string value(llvm::StringRef hole, llvm::StringRef key) const;
  /// \p text with its holes filled; nothing where one has no meaning, or where its condition does
  /// not hold.
  std::optional<std::string> filled(llvm::StringRef text) const;

private:
  const MessageHole *find(llvm::StringRef name) const;
  std::string symbolValue(const MessageHole &hole, llvm::StringRef key) const;
  std::string libraryValue(const MessageHole &hole, llvm::StringRef key) const;
  RuntimeSays ask() const;

  llvm::ArrayRef<MessageHole> holes;
  const core::Target *runtime;
  RuntimeSays says = RuntimeSays::Nothing;
};

} // namespace cudacc::policy
