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

/// A match: the index of the message, and where it begins and ends in the text.
struct MessageMatch {
  size_t message = 0, begin = 0, end = 0;
  std::vector<MessagePlaceholder> placeholders;
};

/// Finds messages in normalized text (LogText). Literals match regardless of case; a blank in a
/// pattern matches a blank or the end of a line. The time is linear in the text: each pattern is
/// found by one group of characters (its anchor), and placeholders are limited in length.
class MessageMatcher {
public:
  explicit MessageMatcher(llvm::ArrayRef<tables::Message> messages);

  /// How many characters a match may extend to both sides of its anchor.
  static constexpr size_t reach = 2048;

  using Found = llvm::function_ref<void(MessageMatch match)>;
  /// Reports matches whose anchor lies from \p from to \p to, in the order of their anchors; they
  /// may overlap. \p text has `reach` more characters on both sides, unless it ends there.
  void scan(llvm::StringRef text, size_t from, size_t to, Found found) const;
  /// A match of \p word alone with the first pattern that is a single placeholder and accepts it;
  /// std::nullopt if there is none.
  std::optional<MessageMatch> named(llvm::StringRef word) const;

private:
  struct Piece {
    tables::MessagePiece form;
    tables::PlaceholderType type{};
  };
  struct Pattern {
    size_t message = 0;
    llvm::SmallVector<Piece, 8> pieces;
    /// The anchor: index of the piece, and the offset of the group of characters in it.
    size_t anchor = 0, offset = 0;
    /// Next pattern in the same bucket.
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
  /// Cached results of accepts(), since logs repeat themselves.
  mutable llvm::StringMap<bool> answers;
};

} // namespace cudacc::explain
