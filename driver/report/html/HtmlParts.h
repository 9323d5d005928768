// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/html/Html.h"
#include "driver/report/html/HtmlWriter.h"

/// The parts of the page.
namespace cudacc::report {

/// What stands in a cell of a table.
struct HtmlCell {
  std::string text;
  /// In front of the text, by colour and word.
  std::optional<core::Outcome> verdict = std::nullopt;
  /// A path or a name, to be copied.
  bool isCode = false;
  /// Number of the file on this page that it leads to; 0: none.
  size_t file = 0;
};

using HtmlRows = std::vector<std::vector<HtmlCell>>;

/// A section with its heading (`h2`, `h3`), which ends with the value.
class HtmlSection {
public:
  HtmlSection(HtmlWriter &html, llvm::StringLiteral level, llvm::StringRef title)
      : section(html.element("section")) {
    html.leaf(level, title);
  }

private:
  HtmlWriter::Element section;
};

/// The word of a verdict in its colour.
void htmlVerdict(HtmlWriter &html, core::Outcome outcome);
/// A table in a box of its own that scrolls where it is wider than the page; nothing without rows.
void htmlTable(HtmlWriter &html, llvm::StringRef caption, llvm::ArrayRef<std::string> head,
               const HtmlRows &rows, llvm::StringLiteral cls = "");
/// Labels and what stands behind them; a label that is repeated is left out.
void htmlFacts(HtmlWriter &html, llvm::ArrayRef<core::Fact> facts);
/// What is wrong, with its facts.
void htmlFinding(HtmlWriter &html, const core::Finding &finding);
/// Lines for a shell, to be copied.
void htmlCommands(HtmlWriter &html, llvm::ArrayRef<std::string> commands);
/// How many rows are not shown, where any is not.
void htmlMore(HtmlWriter &html, size_t all, size_t shown);

/// Runtimes against the libraries the file needs, as a picture and, for narrow screens and for
/// readers that see none, as a table.
void htmlMatrix(HtmlWriter &html, const HtmlReport &report, const HtmlFile &file,
                llvm::StringLiteral level);
/// How many files of which verdict, by runtime.
void htmlCounts(HtmlWriter &html, const HtmlReport &report);

/// Fixes, best first.
void htmlRemedies(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
void htmlFindings(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
/// The search as the loader walks it.
void htmlLoader(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
void htmlSymbols(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
void htmlDevice(HtmlWriter &html, const core::DeviceCode &device, llvm::StringLiteral level);
void htmlManifest(HtmlWriter &html, const core::Manifest &manifest, llvm::StringLiteral level);

/// Its judgements.
inline llvm::ArrayRef<core::Judgement> judgementsOf(const HtmlReport &report,
                                                    const HtmlFile &file) {
  return report.judgements.slice(file.first, file.count);
}

llvm::StringRef htmlStyle();

} // namespace cudacc::report
