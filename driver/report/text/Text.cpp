// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Text.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

/// Wider labels do not shift the texts of other facts to the right.
static constexpr unsigned widestLabel = 24;

/// The longest prefix of \p message that ends before a space and fits. Empty if no word does.
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
  std::string message = printable(messageOf(finding));
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
  std::vector<std::vector<std::string>> rows;
  for (const core::Fact &fact : facts) {
    rows.push_back(factRow(fact));
    unsigned label = columns(rows.back()[0]);
    if (label <= widestLabel)
      width = std::max(width, label);
  }
  for (const std::vector<std::string> &row : rows) {
    std::string label = padded(row[0], width) + (width ? " " : "");
    out += fmt::format(
        "  {}{}\n", label,
        wrapped(row[1], indent + (width ? columns(label) : 0), indent + (width ? width + 1 : 0)));
  }
}

std::string text(llvm::ArrayRef<core::Finding> findings, Style style) {
  std::string out;
  for (const core::Finding &finding : findings) {
    appendHead(out, finding, style);
    appendFacts(out, finding.facts);
    out +=
        fixLines(std::vector<llvm::StringRef>(finding.fixes.begin(), finding.fixes.end()), style);
  }
  return out;
}

} // namespace cudacc::report
