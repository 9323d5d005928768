#include "driver/facts/Messages.h"
#include "driver/facts/Tables.h"

namespace cudacc::facts {

using llvm::StringRef;

static StringRef cut(StringRef &text, char separator) {
  auto [front, rest] = text.split(separator);
  text = rest;
  return front;
}

static Message::Texts items(StringRef text) {
  Message::Texts all;
  while (!text.empty())
    all.push_back(cut(text, tables::ItemEnd));
  return all;
}

std::vector<Message> messages() {
  std::vector<Message> all;
  for (StringRef rest = tables::messageTexts(); !rest.empty();) {
    StringRef row = cut(rest, tables::RowEnd);
    Message &message = all.emplace_back();
    message.id = cut(row, tables::FieldEnd);
    message.family = cut(row, tables::FieldEnd);
    message.source = cut(row, tables::FieldEnd);
    for (Message::Texts *list :
         {&message.patterns, &message.what, &message.facts, &message.causes, &message.fixes})
      *list = items(cut(row, tables::FieldEnd));
  }
  return all;
}

} // namespace cudacc::facts
