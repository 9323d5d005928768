// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/MessagePattern.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

using llvm::StringRef;

const PlaceholderKind *placeholderKind(StringRef name) {
  const auto *it = llvm::find_if(placeholderKinds,
                                 [&](const PlaceholderKind &kind) { return kind.name == name; });
  return it == std::end(placeholderKinds) ? nullptr : it;
}

const PlaceholderKind &placeholderKind(PlaceholderType type) {
  return *llvm::find_if(placeholderKinds,
                        [&](const PlaceholderKind &kind) { return kind.type == type; });
}

std::optional<MessagePieces> splitMessage(StringRef text) {
  MessagePieces pieces;
  while (!text.empty()) {
    size_t open = text.find('{');
    if (StringRef literal = text.take_front(open); !literal.empty())
      pieces.push_back({literal, false, "", ""});
    if (open == StringRef::npos)
      break;
    size_t close = text.find('}', open);
    if (close == StringRef::npos)
      return std::nullopt;
    StringRef inside = text.slice(open + 1, close);
    auto [named, type] = inside.split(':');
    auto [name, key] = named.split('.');
    pieces.push_back({name, true, type.empty() ? name : type, key});
    text = text.drop_front(close + 1);
  }
  return pieces;
}

MessageCondition takeCondition(StringRef &text) {
  MessageCondition condition;
  if (!text.starts_with("["))
    return condition;
  auto [word, rest] = text.drop_front(1).split("] ");
  condition.negated = word.consume_front("!");
  condition.word = word;
  text = rest;
  return condition;
}

} // namespace cudacc::tables
