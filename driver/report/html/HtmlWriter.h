// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <string>

namespace cudacc::report {

/// Escapes \p text for element content and quoted attributes, so that none of it is markup. It is
/// made printable first (Layout.h), which removes control characters and bidirectional overrides.
std::string escapedHtml(llvm::StringRef text);

/// Writes properly nested elements. Tags, classes and attribute names are literals of this program;
/// all other text is escaped.
class HtmlWriter {
public:
  struct Attribute {
    llvm::StringLiteral name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  /// An open element; the destructor closes it.
  class Element {
  public:
    Element(HtmlWriter &html, llvm::StringLiteral tag) : html(html), tag(tag) {}
    Element(const Element &) = delete;
    Element &operator=(const Element &) = delete;
    ~Element() { html.close(tag); }

  private:
    HtmlWriter &html;
    llvm::StringLiteral tag;
  };

  [[nodiscard]] Element element(llvm::StringLiteral tag, Attributes attributes = {});
  /// Writes an element that contains only text. An empty \p cls writes no class.
  void leaf(llvm::StringLiteral tag, llvm::StringRef text, llvm::StringLiteral cls = "");
  /// Void elements (`meta`).
  void single(llvm::StringLiteral tag, Attributes attributes);
  void text(llvm::StringRef text) { out += escapedHtml(text); }
  /// Writes trusted text without escaping: the stylesheet.
  void ours(llvm::StringRef text) { out += text; }
  std::string take() { return std::move(out); }

private:
  std::string out;

  void open(llvm::StringLiteral tag, Attributes attributes);
  void close(llvm::StringLiteral tag);
};

} // namespace cudacc::report
