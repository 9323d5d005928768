// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/explain/ExplanationReport.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using llvm::json::Object;
using namespace report;

static llvm::json::Value factJson(const core::Fact &fact) {
  return Object{{"label", fixed(fact.label)}, {"text", fixed(fact.text)}};
}

static llvm::json::Value messageJson(const explain::Explanation &message) {
  Object values;
  for (const auto &[name, value] : message.values)
    values[key(name)] = fixed(value);
  return Object{{"id", message.id},
                {"family", message.family},
                {"message", fixed(message.message)},
                {"line", int64_t(message.line)},
                {"count", int64_t(message.count)},
                {"what", fixed(message.what)},
                {"values", std::move(values)},
                {"facts", array(message.facts, factJson)},
                {"causes", strings(message.causes)},
                {"fixes", strings(message.fixes)},
                {"source", fixed(message.source)}};
}

llvm::json::Value explanationJson(const explain::Explained &explained,
                                  llvm::ArrayRef<std::string> next) {
  Object out{{"schema", 1}, {"messages", array(explained.messages, messageJson)}};
  put(out, "runtime", explained.runtime);
  if (explained.more)
    out["more"] = int64_t(explained.more);
  if (explained.messages.empty())
    out["next"] = strings(next);
  return out;
}

/// Appends a label and a text, wrapped to the column after the label.
static void append(std::string &out, llvm::StringRef label, unsigned width, llvm::StringRef text,
                   Paint paint, Style style) {
  constexpr unsigned indent = 2;
  unsigned column = indent + width + 1;
  std::string head = padded(printable(label) + ":", width);
  unsigned begins = std::max<unsigned>(column, indent + columns(head) + 1);
  out += fmt::format("{:{}}{} {}\n", "", indent, painted(head, paint, style),
                     wrapped(printable(text), begins, column));
}

static std::string placeOf(const explain::Explanation &message) {
  std::string times = message.count > 1 ? fmt::format(", {} times", message.count) : "";
  return fmt::format("line {}{}: {}", message.line, times, message.message);
}

/// An earlier message with the same explanation, null if there is none: a link without a library
/// names dozens of functions.
static const explain::Explanation *alike(llvm::ArrayRef<explain::Explanation> earlier,
                                         const explain::Explanation &message) {
  for (const explain::Explanation &each : earlier)
    if (each.id == message.id && each.causes == message.causes && each.fixes == message.fixes)
      return &each;
  return nullptr;
}

static void append(std::string &out, const explain::Explanation &message, bool places,
                   Style style) {
  unsigned width = columns("cause:");
  for (const core::Fact &fact : message.facts)
    width = std::max(width, columns(fact.label) + 1);
  if (places)
    append(out, "text", width, placeOf(message), Paint::Dim, style);
  for (const core::Fact &fact : message.facts)
    append(out, fact.label, width, fact.text, Paint::Plain, style);
  for (const std::string &cause : message.causes)
    append(out, "cause", width, cause, Paint::Plain, style);
  for (const std::string &fix : message.fixes)
    out += fmt::format("  {} {}\n", painted(padded("fix:", width), Paint::Fix, style),
                       fixText(fix, 2 + width + 1));
}

std::string explanationText(const explain::Explained &explained, bool places,
                            llvm::ArrayRef<std::string> next, Style style) {
  std::string out;
  if (explained.messages.empty()) {
    out = "nothing in this text is a message that cuda-cc knows\n";
    for (const std::string &each : next)
      append(out, "next", columns("next:"), each, Paint::Fix, style);
    return out;
  }
  for (const explain::Explanation &message : explained.messages) {
    const auto *earlier = alike(llvm::ArrayRef(explained.messages.data(), &message), message);
    if (!out.empty())
      out += "\n";
    out += painted(wrapped(printable(message.what), 0, 2), Paint::Error, style) + "\n";
    if (earlier)
      append(out, "text", columns("text:"),
             fmt::format("{}; see line {}", placeOf(message), earlier->line), Paint::Dim, style);
    else
      append(out, message, places || explained.messages.size() > 1, style);
  }
  if (explained.more)
    out += fmt::format("\n{} further messages are left out\n", explained.more);
  return out;
}

} // namespace cudacc::commands
