#include "driver/report/text/Text.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

/// Labels wider than this do not push the texts of the other facts to the right.
static constexpr unsigned widestLabel = 24;

static Paint paintOf(core::Severity severity) {
  switch (severity) {
  case core::Severity::Error:
    return Paint::Error;
  case core::Severity::Warning:
    return Paint::Warning;
  case core::Severity::Remark:
    break;
  }
  return Paint::Remark;
}

/// The longest beginning of \p message that ends before a space and fits; empty when no word does.
static llvm::StringRef beginning(llvm::StringRef message, unsigned room) {
  size_t best = 0;
  for (size_t space = message.find(' '); space != llvm::StringRef::npos;
       space = message.find(' ', space + 1)) {
    if (columns(message.take_front(space)) > room)
      break;
    best = space;
  }
  return message.take_front(best);
}

static void appendHead(std::string &out, const core::Finding &finding, Style style) {
  static constexpr llvm::StringLiteral program = "cuda-cc: ", cut = " ...";
  std::string word = core::str(finding.severity) + std::string(":");
  Paint paint = paintOf(finding.severity);
  std::string code = fmt::format("[{}]", core::str(finding.code));
  std::string message = printable(finding.message.empty() ? core::info(finding.code).title
                                                          : llvm::StringRef(finding.message));
  llvm::StringRef first = message, rest;
  unsigned taken = program.size() + word.size() + 1 + 1 + code.size();
  if (taken + columns(message) > firstLineColumns) {
    first = beginning(message, firstLineColumns - taken - cut.size());
    rest = llvm::StringRef(message).drop_front(first.size()).ltrim(' ');
  }
  out += program;
  out += painted(word, paint, style);
  out += ' ';
  if (!first.empty()) {
    out += first;
    out += rest.empty() ? "" : cut;
    out += ' ';
  }
  out += painted(code, Paint::Dim, style) + "\n";
  if (!rest.empty())
    out += fmt::format("  {}\n", wrapped(rest, indent, indent));
}

static void appendFacts(std::string &out, llvm::ArrayRef<core::Fact> facts) {
  unsigned width = 0;
  std::vector<std::string> labels;
  for (const core::Fact &fact : facts) {
    labels.push_back(fact.label.empty() ? "" : printable(fact.label) + ":");
    unsigned label = columns(labels.back());
    if (label <= widestLabel)
      width = std::max(width, label);
  }
  for (size_t i = 0; i < facts.size(); ++i) {
    std::string label = padded(labels[i], width);
    std::string text = facts[i].text.empty() ? "unknown" : printable(facts[i].text);
    unsigned column = indent + (width ? columns(label) + 1 : 0);
    out += fmt::format("  {}{}{}\n", label, width ? " " : "",
                       wrapped(text, column, indent + (width ? width + 1 : 0)));
  }
}

static void appendFixes(std::string &out, llvm::ArrayRef<std::string> fixes, Style style) {
  static constexpr llvm::StringLiteral label = "fix:";
  constexpr unsigned column = indent + label.size() + 1;
  for (size_t i = 0; i < fixes.size(); ++i) {
    std::string text = printable(fixes[i]) + (i + 1 < fixes.size() ? ", or" : "");
    out +=
        fmt::format("  {} {}\n", painted(label, Paint::Fix, style), wrapped(text, column, column));
  }
}

std::string text(llvm::ArrayRef<core::Finding> findings, Style style) {
  std::string out;
  for (const core::Finding &finding : findings) {
    appendHead(out, finding, style);
    appendFacts(out, finding.facts);
    appendFixes(out, finding.fixes, style);
  }
  return out;
}

} // namespace cudacc::report
