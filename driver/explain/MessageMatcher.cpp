// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/MessageMatcher.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::explain {

using llvm::StringRef;
using tables::PlaceholderType;

/// Characters of a placeholder. Enough for a path or a mangled name; longer text is no message.
static constexpr size_t longestPlaceholder = 400;

/// The group with its first character dropped and the lower case of \p c appended.
static uint32_t shifted(uint32_t group, char c) {
  static_assert(tables::anchorSize == sizeof group);
  return group << 8 | static_cast<unsigned char>(llvm::toLower(c));
}

size_t MessageMatcher::bucketOf(uint32_t group) { return (group * 2654435761u) >> 20; }

static uint32_t groupAt(StringRef text) {
  uint32_t group = 0;
  for (char c : text.take_front(tables::anchorSize))
    group = shifted(group, c);
  return group;
}

MessageMatcher::MessageMatcher(llvm::ArrayRef<tables::Message> messages) {
  heads.fill(none);
  for (auto [index, message] : llvm::enumerate(messages))
    for (StringRef text : message.patterns) {
      Pattern pattern;
      pattern.message = index;
      auto pieces = tables::splitMessage(text).value_or(tables::MessagePieces());
      for (const tables::MessagePiece &piece : pieces) {
        const tables::PlaceholderKind *kind =
            piece.placeholder ? tables::placeholderKind(piece.type) : nullptr;
        pattern.pieces.push_back({piece, kind ? kind->type : PlaceholderType::Word});
      }
      if (pattern.pieces.size() == 1 && pattern.pieces[0].form.placeholder)
        names.push_back(std::move(pattern));
      else
        chooseAnchor(pattern);
    }
}

/// Chooses the group of characters that the fewest other patterns use as their anchor.
void MessageMatcher::chooseAnchor(Pattern &pattern) {
  unsigned best = ~0u;
  size_t bucket = 0;
  for (auto [index, piece] : llvm::enumerate(pattern.pieces)) {
    StringRef text = piece.form.text;
    if (piece.form.placeholder || text.size() < tables::anchorSize)
      continue;
    for (size_t at = 0; at + tables::anchorSize <= text.size(); ++at) {
      if (text.substr(at, tables::anchorSize).contains(' '))
        continue;
      size_t here = bucketOf(groupAt(text.drop_front(at)));
      if (counts[here] >= best)
        continue;
      best = counts[here], bucket = here;
      pattern.anchor = index, pattern.offset = at;
    }
  }
  if (best == ~0u)
    return;
  ++counts[bucket];
  pattern.next = heads[bucket];
  heads[bucket] = uint16_t(patterns.size());
  patterns.push_back(std::move(pattern));
}

static bool same(char wanted, char c) {
  if (wanted == c)
    return true;
  return wanted == ' ' ? c == '\n' : llvm::toLower(wanted) == llvm::toLower(c);
}

static bool startsWith(StringRef text, StringRef literal) {
  if (text.size() < literal.size())
    return false;
  for (size_t i = 0; i < literal.size(); ++i)
    if (!same(literal[i], text[i]))
      return false;
  return true;
}

/// Drops punctuation that ends a sentence and cannot end a version or a file name.
static StringRef trimmed(PlaceholderType type, StringRef value) {
  if (type == PlaceholderType::Word)
    return value.rtrim(".,;:'\")]");
  if (type == PlaceholderType::Cudnn)
    return value.rtrim("., (");
  return type == PlaceholderType::Line ? value.rtrim(" .") : value.rtrim(".-+");
}

/// The value of the placeholder at the beginning of \p text, which \p next must follow; \p next is
/// empty at the end of a pattern.
static std::optional<StringRef> placeholderAt(PlaceholderType type, StringRef text,
                                              StringRef next) {
  size_t end = 0;
  for (; end < text.size() && end <= longestPlaceholder && holds(type, text[end]); ++end) {
    if (isShort(type) && end && !next.empty() && startsWith(text.drop_front(end), next))
      return text.take_front(end);
    if (type == PlaceholderType::Line && text.substr(end).starts_with(". "))
      break;
  }
  if (end > longestPlaceholder)
    return std::nullopt;
  StringRef value = text.take_front(end);
  if (!next.empty() && startsWith(text.drop_front(end), next))
    return value;
  if (isShort(type) && !next.empty())
    return std::nullopt;
  return trimmed(type, value);
}

bool MessageMatcher::fits(PlaceholderType type, StringRef value) const {
  constexpr size_t most = 4096;
  if (answers.size() >= most)
    answers.clear();
  std::string key(1, char('A' + unsigned(type)));
  key.append(value);
  auto [it, isNew] = answers.try_emplace(key);
  if (isNew)
    it->second = accepts(type, value);
  return it->second;
}

bool MessageMatcher::forward(const Pattern &pattern, size_t piece, StringRef text, size_t &at,
                             std::vector<MessagePlaceholder> &placeholders) const {
  for (; piece < pattern.pieces.size(); ++piece) {
    const Piece &each = pattern.pieces[piece];
    if (!each.form.placeholder) {
      if (!startsWith(text.drop_front(at), each.form.text))
        return false;
      at += each.form.text.size();
      continue;
    }
    StringRef next =
        piece + 1 < pattern.pieces.size() ? pattern.pieces[piece + 1].form.text : StringRef();
    auto value = placeholderAt(each.type, text.drop_front(at), next);
    if (!value || value->empty() || !fits(each.type, *value))
      return false;
    placeholders.push_back({each.form.text, each.type, value->str()});
    at += value->size();
  }
  return true;
}

static bool endsWith(StringRef text, StringRef literal) {
  return text.size() >= literal.size() && startsWith(text.take_back(literal.size()), literal);
}

/// The beginning of the placeholder that ends at \p end: after \p previous; if that is empty, as
/// far as the characters allow, but not beyond an opening quote or bracket. \p end if there is
/// none.
static size_t beginOf(PlaceholderType type, StringRef text, size_t end, StringRef previous) {
  size_t begin = end;
  while (begin > 0 && holds(type, text[begin - 1])) {
    if (end - begin == longestPlaceholder)
      return end;
    if (previous.empty() && type == PlaceholderType::Word &&
        StringRef("'\"([").contains(text[begin - 1]))
      return begin;
    --begin;
    if (!previous.empty() && endsWith(text.take_front(begin), previous))
      return begin;
  }
  return previous.empty() ? begin : end;
}

bool MessageMatcher::backward(const Pattern &pattern, StringRef text, size_t &at,
                              std::vector<MessagePlaceholder> &placeholders) const {
  for (size_t piece = pattern.anchor; piece-- > 0;) {
    const Piece &each = pattern.pieces[piece];
    StringRef form = each.form.text;
    if (!each.form.placeholder) {
      if (at < form.size() || !startsWith(text.substr(at - form.size()), form))
        return false;
      at -= form.size();
      continue;
    }
    StringRef previous = piece ? pattern.pieces[piece - 1].form.text : StringRef();
    size_t begin = beginOf(each.type, text, at, previous);
    StringRef value = text.slice(begin, at);
    if (value.empty() || !fits(each.type, value))
      return false;
    placeholders.insert(placeholders.begin(), {form, each.type, value.str()});
    at = begin;
  }
  return true;
}

static bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether neither end of a match is within a word: 20 does not match in 209, nor `Foo` in
/// `FooBar`.
static bool whole(StringRef text, size_t begin, size_t end) {
  bool joinsFront = begin > 0 && isNameCharacter(text[begin]) && isNameCharacter(text[begin - 1]);
  bool joinsBack =
      end < text.size() && isNameCharacter(text[end]) && isNameCharacter(text[end - 1]);
  return !joinsFront && !joinsBack;
}

std::optional<MessageMatch> MessageMatcher::match(const Pattern &pattern, StringRef text,
                                                  size_t at) const {
  if (at < pattern.offset)
    return std::nullopt;
  MessageMatch match;
  match.message = pattern.message;
  match.begin = match.end = at - pattern.offset;
  // Compare the literal first: most anchors occur in other words too.
  if (!startsWith(text.drop_front(match.begin), pattern.pieces[pattern.anchor].form.text))
    return std::nullopt;
  std::vector<MessagePlaceholder> before;
  if (!backward(pattern, text, match.begin, before) ||
      !forward(pattern, pattern.anchor, text, match.end, match.placeholders) ||
      !whole(text, match.begin, match.end))
    return std::nullopt;
  match.placeholders.insert(match.placeholders.begin(), before.begin(), before.end());
  return match;
}

void MessageMatcher::scan(StringRef text, size_t from, size_t to, Found found) const {
  to = std::min(to, text.size() < tables::anchorSize ? 0 : text.size() - tables::anchorSize + 1);
  if (from >= to)
    return;
  uint32_t group = groupAt(text.drop_front(from)) >> 8;
  for (size_t at = from; at < to; ++at) {
    group = shifted(group, text.data()[at + tables::anchorSize - 1]);
    for (uint16_t next = heads[bucketOf(group)]; next != none; next = patterns[next].next)
      if (auto match = this->match(patterns[next], text, at))
        found(std::move(*match));
  }
}

std::optional<MessageMatch> MessageMatcher::named(StringRef word) const {
  for (const Pattern &pattern : names) {
    const Piece &piece = pattern.pieces[0];
    if (!llvm::all_of(word, [&](char c) { return holds(piece.type, c); }) ||
        !fits(piece.type, word))
      continue;
    MessageMatch match{pattern.message, 0, word.size(), {}};
    match.placeholders.push_back({piece.form.text, piece.type, word.str()});
    return match;
  }
  return std::nullopt;
}

} // namespace cudacc::explain
