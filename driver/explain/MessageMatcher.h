// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/explain/MessagePlaceholders.h"
#include "driver/tables/lookup/Messages.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <optional>

namespace cudacc::explain {

/// A message in a text: which, and where it begins and ends.
struct MessageMatch {
  size_t message = 0, begin = 0, end = 0;
  std::vector<MessagePlaceholder> placeholders;
};

/// Finds messages in the text of LogText. Literals match whatever the case; a blank in a pattern is
/// a blank or the end of a line. The time is linear in the text: every pattern is looked for by one
/// group of characters, and a placeholder has an end.
class MessageMatcher {
public:
  explicit MessageMatcher(llvm::ArrayRef<tables::Message> messages);

  /// How far a match may reach from the characters it is found by.
  static constexpr size_t reach = 2048;

  using Found = llvm::function_ref<void(MessageMatch match)>;
  /// Matches that are found by characters from \p from to \p to, in the order of these; they may
  /// overlap. \p text holds `reach` more on both sides, unless it ends there.
  void scan(llvm::StringRef text, size_t from, size_t to, Found found) const;
  /// \p word by itself: the first pattern that is one placeholder and accepts it.
  std::optional<MessageMatch> named(llvm::StringRef word) const;

private:
  struct Piece {
    tables::MessagePiece form;
    tables::PlaceholderType type{};
  };
  struct Pattern {
    size_t message = 0;
    llvm::SmallVector<Piece, 8> pieces;
    /// Piece that it is found by, and where in it the group of characters begins.
    size_t anchor = 0, offset = 0;
    /// Next pattern with the same group.
    uint16_t next = none;
  };
  static constexpr uint16_t none = 0xffff;
  static constexpr size_t buckets = 4096;

  static size_t bucketOf(uint32_t group);
  void chooseAnchor(Pattern &pattern);
  bool forward(const Pattern &pattern, size_t piece, llvm::StringRef text, size_t &at,
               std::vector<MessagePlaceholder> &placeholders) const;
  bool backward(const Pattern &pattern, llvm::StringRef text, size_t &at,
                std::vector<MessagePlaceholder> &placeholders) const;
  bool fits(tables::PlaceholderType type, llvm::StringRef value) const;
  std::optional<MessageMatch> match(const Pattern &pattern, llvm::StringRef text, size_t at) const;

  std::vector<Pattern> patterns, names;
  std::array<uint16_t, buckets> heads{};
  std::array<uint8_t, buckets> counts{};
  /// Answers of the tables: a log repeats itself.
  mutable llvm::StringMap<bool> answers;
};

} // namespace cudacc::explain
