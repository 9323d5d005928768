// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/tables/lookup/MessagePattern.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

/// The placeholders of a message that all of its patterns have.
using Placeholders = std::map<std::string, const PlaceholderKind *>;

static MessagePieces split(const Row &row, StringRef text) {
  for (char c : text)
    row.require(c >= ' ' && c != 0x7f, "\"{}\" has a control character", text);
  auto pieces = splitMessage(text);
  row.require(pieces.has_value(), "\"{}\" has a brace without its other", text);
  return *pieces;
}

/// Whether a scan can find the literal: it needs a few characters in a row other than space, which
/// also matches a newline.
static bool anchors(StringRef literal) {
  return llvm::any_of(llvm::split(literal, ' '),
                      [](StringRef word) { return word.size() >= anchorSize; });
}

/// Returns a pattern's placeholders. A pattern needs a literal to be found by, or must be a single
/// placeholder: a name that identifies the message.
static Placeholders placeholdersOf(const Row &row, StringRef pattern) {
  Placeholders placeholders;
  bool found = false, wasPlaceholder = false;
  MessagePieces pieces = split(row, pattern);
  for (const MessagePiece &piece : pieces) {
    row.require(!piece.placeholder || !wasPlaceholder, "\"{}\": nothing parts two placeholders",
                pattern);
    wasPlaceholder = piece.placeholder;
    if (!piece.placeholder) {
      found |= anchors(piece.text);
      continue;
    }
    const PlaceholderKind *kind = placeholderKind(piece.type);
    row.require(kind, "\"{}\" is not a type of a placeholder", piece.type);
    row.require(piece.key.empty(), "\"{}\" asks something of a placeholder", pattern);
    row.require(placeholders.try_emplace(piece.text.str(), kind).second,
                "\"{}\" has a placeholder twice", pattern);
  }
  row.require(found || (pieces.size() == 1 && wasPlaceholder),
              "\"{}\" has no literal to be found by", pattern);
  return placeholders;
}

static void checkText(const Row &row, StringRef text, const Placeholders &placeholders) {
  StringRef said = text;
  MessageCondition condition = takeCondition(said);
  row.require(condition.word.empty() || condition.word == "has" || condition.word == "lacks" ||
                  condition.word == "gone",
              "[{}] is not a condition", condition.word);
  for (const MessagePiece &piece : split(row, said)) {
    if (!piece.placeholder)
      continue;
    auto it = placeholders.find(piece.text.str());
    row.require(it != placeholders.end(), "no pattern has a placeholder \"{}\"", piece.text);
    row.require(piece.key.empty() ||
                    llvm::is_contained(llvm::split(it->second->keys, ' '), piece.key),
                "a placeholder of type {} has no \"{}\"", it->second->name, piece.key);
  }
}

/// Checks the last `what`, which must always be usable: its placeholders need no key and occur in
/// every pattern.
static void checkVerdict(const Row &row, const Message &message) {
  row.require(!message.what.empty(), "nothing is said to have happened");
  for (const MessagePiece &piece : split(row, message.what.back()))
    for (StringRef pattern : message.patterns)
      row.require(!piece.placeholder ||
                      (piece.key.empty() && placeholdersOf(row, pattern).count(piece.text.str())),
                  "\"{}\" cannot be said of \"{}\"", message.what.back(), pattern);
}

/// Adds patterns for an error number in the forms that programs print.
static void addNumber(Message::Texts &patterns, StringRef number, Model &model) {
  for (const char *before : {"CUDA error ", "CUDA error: ", "CUDA error code ", "cudaError_t ",
                             "cudaGetDeviceCount returned ", "CUDA driver error: ", "CUDA_ERROR ",
                             "CUDA initialization failure with error: "})
    patterns.push_back(model.keep(fmt::format("{}{}", before, number)));
}

static Message::Texts textsOf(const Row &row, StringRef key) {
  auto texts = row.texts(key);
  return {texts.begin(), texts.end()};
}

void readMessages(Input &input, Model &model) {
  llvm::StringSet<> ids;
  for (const Row &row : input.rows("messages")) {
    Message message;
    message.id = row.text("id");
    row.require(ids.insert(message.id).second, "{} appears twice", message.id);
    message.family = row.text("family");
    message.source = row.text("source");
    row.confidence();
    message.patterns = textsOf(row, "patterns");
    llvm::append_range(message.patterns, row.texts("names"));
    for (StringRef number : row.texts("numbers"))
      addNumber(message.patterns, number, model);
    row.require(!message.patterns.empty(), "no pattern");
    // Types may differ between patterns; a key must be valid for one of them.
    Placeholders placeholders;
    for (StringRef pattern : message.patterns)
      for (const auto &[name, kind] : placeholdersOf(row, pattern))
        placeholders.try_emplace(name, kind);
    message.what = textsOf(row, "what");
    message.facts = textsOf(row, "facts");
    message.causes = textsOf(row, "causes");
    message.fixes = textsOf(row, "fixes");
    row.require(!message.causes.empty() && !message.fixes.empty(), "no cause, or no fix");
    checkVerdict(row, message);
    for (const auto *list : {&message.what, &message.facts, &message.causes, &message.fixes})
      for (StringRef text : *list)
        checkText(row, text, placeholders);
    for (StringRef fact : message.facts)
      row.require(fact.contains(": "), "\"{}\" has no label", fact);
    model.messages.push_back(std::move(message));
  }
}

} // namespace cudacc::tables::generate
