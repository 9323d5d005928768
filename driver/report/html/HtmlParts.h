// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/html/Html.h"
#include "driver/report/html/HtmlWriter.h"

/// The parts of the page.
namespace cudacc::report {

/// Content of a table cell.
struct HtmlCell {
  std::string text;
  /// Shown in front of the text, as a colour and a word.
  std::optional<core::Outcome> verdict = std::nullopt;
  /// A path or a name that readers may want to copy.
  bool isCode = false;
  /// 1-based number of the file on this page that the cell links to; 0 if it is no link.
  size_t file = 0;
  /// Shown where the pointer rests on the cell.
  std::string why = {};
};

using HtmlRows = std::vector<std::vector<HtmlCell>>;

/// A section with a heading (`h2`, `h3`). The destructor closes it.
class HtmlSection {
public:
  HtmlSection(HtmlWriter &html, llvm::StringLiteral level, llvm::StringRef title)
      : section(html.element("section")) {
    html.leaf(level, title);
  }

private:
  HtmlWriter::Element section;
};

/// Writes the word of a verdict in its colour.
void htmlVerdict(HtmlWriter &html, core::Outcome outcome);
/// Writes a table in a box that scrolls if it is wider than the page. Writes nothing without rows.
void htmlTable(HtmlWriter &html, llvm::StringRef caption, llvm::ArrayRef<std::string> head,
               const HtmlRows &rows);
/// Writes labels and texts; a label that repeats the previous one is omitted.
void htmlFacts(HtmlWriter &html, llvm::ArrayRef<core::Fact> facts);
/// Writes the message of a finding and its facts.
void htmlFinding(HtmlWriter &html, const core::Finding &finding);
/// Writes shell commands for copying.
void htmlCommands(HtmlWriter &html, llvm::ArrayRef<std::string> commands);
/// Writes how many rows are not shown, if any.
void htmlMore(HtmlWriter &html, size_t all, size_t shown);

/// What a runtime has of one column.
struct MatrixCell {
  /// std::nullopt: not checked.
  std::optional<core::Outcome> outcome = std::nullopt;
  /// The version in the runtime. Empty if not known.
  std::string text = {};
  std::string why = {};
};

struct MatrixColumn {
  std::string title, below;
};

struct MatrixRow {
  /// `torch 2.5.0 to 2.5.1`.
  std::string label;
  /// `12.4`, `12.4 to 12.9`. Empty if not known.
  std::string line;
  core::Outcome outcome = core::Outcome::Accept;
  std::string reason;
  std::vector<MatrixCell> cells;

  bool saysSameAs(const MatrixRow &other, bool anyLine) const;
};

/// Runtimes against what a file needs, or against builds.
struct RuntimeTable {
  std::string caption, key;
  std::vector<MatrixColumn> columns;
  std::vector<MatrixRow> rows;
};
void htmlRuntimes(HtmlWriter &html, const RuntimeTable &table);

/// Writes runtimes against the libraries that the file needs.
void htmlMatrix(HtmlWriter &html, const HtmlReport &report, const HtmlFile &file,
                llvm::StringLiteral level);
/// Writes the number of files per verdict, by runtime.
void htmlCounts(HtmlWriter &html, const HtmlReport &report);

/// Writes the fixes, best first.
void htmlRemedies(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
void htmlFindings(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
/// Writes the loader's search, step by step.
void htmlLoader(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
void htmlSymbols(HtmlWriter &html, const HtmlFile &file, llvm::StringLiteral level);
void htmlDevice(HtmlWriter &html, const core::DeviceCode &device, llvm::StringLiteral level);
void htmlManifest(HtmlWriter &html, const core::Manifest &manifest, llvm::StringLiteral level);

/// The judgements of \p file.
inline llvm::ArrayRef<core::Judgement> judgementsOf(const HtmlReport &report,
                                                    const HtmlFile &file) {
  return report.judgements.slice(file.first, file.count);
}

llvm::StringRef htmlStyle();

} // namespace cudacc::report
