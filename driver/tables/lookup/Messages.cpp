// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Messages.h"
#include "driver/tables/lookup/Tables.h"

namespace cudacc::tables {

using llvm::StringRef;

static StringRef cut(StringRef &text, char separator) {
  auto [front, rest] = text.split(separator);
  text = rest;
  return front;
}

static Message::Texts items(StringRef text) {
  Message::Texts all;
  while (!text.empty())
    all.push_back(cut(text, rows::ItemEnd));
  return all;
}

std::vector<Message> messages() {
  std::vector<Message> all;
  for (StringRef rest = rows::messageTexts(); !rest.empty();) {
    StringRef row = cut(rest, rows::RowEnd);
    Message &message = all.emplace_back();
    message.id = cut(row, rows::FieldEnd);
    message.family = cut(row, rows::FieldEnd);
    message.source = cut(row, rows::FieldEnd);
    for (Message::Texts *list :
         {&message.patterns, &message.what, &message.facts, &message.causes, &message.fixes})
      *list = items(cut(row, rows::FieldEnd));
  }
  return all;
}

} // namespace cudacc::tables
