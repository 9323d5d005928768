// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <string>

namespace cudacc::report {

/// \p text between tags or in the quotes of an attribute: no byte of it is markup. Made printable
/// first (Layout.h), so that neither control characters nor bidirectional overrides pass.
std::string escapedHtml(llvm::StringRef text);

/// Writes elements that are closed in their order. Tags, classes and names of attributes are
/// literals of ours; everything else is escaped.
class HtmlWriter {
public:
  struct Attribute {
    llvm::StringLiteral name;
    std::string value;
  };
  using Attributes = std::initializer_list<Attribute>;

  /// Closed when it goes out of scope.
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
  /// An element of nothing but text; of \p cls, where that is not empty.
  void leaf(llvm::StringLiteral tag, llvm::StringRef text, llvm::StringLiteral cls = "");
  /// One that is never closed (`meta`), and one of a drawing that has nothing in it.
  void single(llvm::StringLiteral tag, Attributes attributes);
  void shape(llvm::StringLiteral tag, Attributes attributes);
  void text(llvm::StringRef text) { out += escapedHtml(text); }
  /// Text of ours, as it is: the stylesheet.
  void ours(llvm::StringRef text) { out += text; }
  std::string take() { return std::move(out); }

private:
  std::string out;

  void open(llvm::StringLiteral tag, Attributes attributes);
  void close(llvm::StringLiteral tag);
};

} // namespace cudacc::report
