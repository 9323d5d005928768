// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Writer.h"
#include "driver/tables/lookup/MessagePattern.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
static void checkVerdict(const Row &row, const Model::Message &message) {
  row.require(!message.what.empty(), "nothing is said to have happened");
  for (const MessagePiece &piece : split(row, message.what.back()))
    for (const std::string &pattern : message.patterns)
      row.require(!piece.placeholder ||
                      (piece.key.empty() && placeholdersOf(row, pattern).count(piece.text.str())),
                  "\"{}\" cannot be said of \"{}\"", message.what.back(), pattern);
}

/// Adds patterns for an error number in the forms that programs print.
static void addNumber(std::vector<std::string> &patterns, const std::string &number) {
  for (const char *before : {"CUDA error ", "CUDA error: ", "CUDA error code ", "cudaError_t ",
                             "cudaGetDeviceCount returned ", "CUDA driver error: ", "CUDA_ERROR ",
                             "CUDA initialization failure with error: "})
    patterns.push_back(before + number);
}

void readMessages(Input &input, Model &model) {
  std::set<std::string> ids;
  for (const Row &row : input.rows("messages")) {
    Model::Message message;
    message.id = row.text("id").str();
    row.require(ids.insert(message.id).second, "{} appears twice", message.id);
    message.family = row.text("family").str();
    message.source = row.text("source").str();
    row.confidence();
    message.patterns = row.strings("patterns");
    for (StringRef name : row.texts("names"))
      message.patterns.push_back(name.str());
    for (StringRef number : row.texts("numbers"))
      addNumber(message.patterns, number.str());
    row.require(!message.patterns.empty(), "no pattern");
    // Types may differ between patterns; a key must be valid for one of them.
    Placeholders placeholders;
    for (const std::string &pattern : message.patterns)
      for (const auto &[name, kind] : placeholdersOf(row, pattern))
        placeholders.try_emplace(name, kind);
    message.what = row.strings("what");
    message.facts = row.strings("facts");
    message.causes = row.strings("causes");
    message.fixes = row.strings("fixes");
    row.require(!message.causes.empty() && !message.fixes.empty(), "no cause, or no fix");
    checkVerdict(row, message);
    for (const auto *list : {&message.what, &message.facts, &message.causes, &message.fixes})
      for (const std::string &text : *list)
        checkText(row, text, placeholders);
    for (const std::string &fact : message.facts)
      row.require(StringRef(fact).contains(": "), "\"{}\" has no label", fact);
    model.messages.push_back(std::move(message));
  }
}

void Writer::writeMessages() {
  auto end = [](char c) {
    return fmt::format("\\0{}{}\" \"", char('0' + c / 8), char('0' + c % 8));
  };
  std::string fieldEnd = end(rows::FieldEnd), itemEnd = end(rows::ItemEnd);
  auto escaped = [](const std::string &part) {
    std::string out;
    llvm::raw_string_ostream stream(out);
    llvm::printEscapedString(part, stream);
    // LLVM writes a backslash as "\5C" and a quote as "\22".
    for (const auto &[from, to] : {std::pair("\\5C", "\\\\"), std::pair("\\22", "\\\"")})
      for (size_t at = 0; (at = out.find(from, at)) != std::string::npos; at += 2)
        out.replace(at, 3, to);
    return out;
  };
  os << "constexpr char messageTexts[] =\n";
  for (const Model::Message &message : model.messages) {
    os << "    \"";
    for (const std::string *field : {&message.id, &message.family, &message.source})
      os << escaped(*field) << fieldEnd;
    for (const auto *list :
         {&message.patterns, &message.what, &message.facts, &message.causes, &message.fixes}) {
      for (const std::string &item : *list)
        os << escaped(item) << itemEnd;
      os << fieldEnd;
    }
    os << end(rows::RowEnd) << "\"\n";
  }
  os << "    ;\n";
}

} // namespace cudacc::tables::generate
