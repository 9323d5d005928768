// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlWriter.h"
#include "driver/report/text/Layout.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::report {

std::string escapedHtml(llvm::StringRef text) {
  std::string out;
  for (char each : printable(text)) {
    switch (each) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += each;
    }
  }
  return out;
}

void HtmlWriter::open(llvm::StringLiteral tag, Attributes attributes) {
  (out += '<') += tag;
  for (const Attribute &each : attributes) {
    if (each.value.empty())
      continue;
    (out += ' ') += each.name;
    (out += "=\"") += escapedHtml(each.value);
    out += '"';
  }
  out += '>';
}

/// Elements after which added white space would be visible.
static bool isInline(llvm::StringRef tag) {
  return llvm::StringSwitch<bool>(tag).Cases("a", "b", "code", "span", true).Default(false);
}

void HtmlWriter::close(llvm::StringLiteral tag) {
  (out += "</") += tag;
  out += isInline(tag) ? ">" : ">\n";
}

HtmlWriter::Element HtmlWriter::element(llvm::StringLiteral tag, Attributes attributes) {
  open(tag, attributes);
  return {*this, tag};
}

void HtmlWriter::leaf(llvm::StringLiteral tag, llvm::StringRef text, llvm::StringLiteral cls) {
  open(tag, {{"class", cls.str()}});
  this->text(text);
  close(tag);
}

void HtmlWriter::single(llvm::StringLiteral tag, Attributes attributes) {
  open(tag, attributes);
  out += '\n';
}

} // namespace cudacc::report
