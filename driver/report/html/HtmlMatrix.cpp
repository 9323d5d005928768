// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

namespace cudacc::report {

using core::Judgement;
using core::Outcome;

namespace {

constexpr size_t librariesShown = 16, matrixRowsShown = 80;

/// Collects rows and merges adjacent ones with equal content.
struct Releases {
  std::vector<MatrixRow> rows;
  /// Of the last row: `torch`, `2.5.1`. The version is empty for other kinds of runtimes.
  llvm::StringRef name;
  std::string first;
  /// The CUDA line of its first runtime.
  std::string firstLine;

  void add(const Judgement &judgement, MatrixRow row);
};

} // namespace

void Releases::add(const Judgement &judgement, MatrixRow row) {
  auto [name, version] = llvm::StringRef(judgement.runtime).split("==");
  bool joins = !rows.empty() && !version.empty() && name == this->name &&
               rows.back().saysSameAs(row, name == "cuda");
  if (joins) {
    rows.back().label = fmt::format("{} {} to {}", name, first, version);
    rows.back().line =
        row.line == firstLine ? row.line : fmt::format("{} to {}", firstLine, row.line);
    return;
  }
  this->name = name;
  first = version.str();
  firstLine = row.line;
  row.label = version.empty() ? judgement.runtime : fmt::format("{} {}", name, version);
  rows.push_back(std::move(row));
}

bool MatrixRow::saysSameAs(const MatrixRow &other, bool anyLine) const {
  if (outcome != other.outcome || reason != other.reason || cells.size() != other.cells.size() ||
      (!anyLine && line != other.line))
    return false;
  for (size_t i = 0; i != cells.size(); ++i)
    if (cells[i].outcome != other.cells[i].outcome || cells[i].text != other.cells[i].text)
      return false;
  return true;
}

/// The version that the process loaded, or else the one in the runtime.
static std::string versionOf(const HtmlReport &report, const HtmlFile &file,
                             const Judgement &judgement, llvm::StringRef soname) {
  if (file.process) {
    for (const core::LoadedCopy &copy : file.process->loaded)
      if (copy.name == soname)
        return copy.version;
    return {};
  }
  return report.has ? report.has(judgement.runtime, soname) : "";
}

/// The verdict on one library. Not checked if the runtime is not accepted, but no finding is about
/// the library and its version is not known.
static MatrixCell libraryCell(const HtmlReport &report, const HtmlFile &file,
                              const Judgement &judgement, llvm::StringRef soname) {
  MatrixCell cell;
  cell.text = versionOf(report, file, judgement, soname);
  core::Verdict about;
  for (const core::Finding &finding : judgement.verdict.findings)
    if (finding.library == soname && finding.severity == core::Severity::Error)
      about.add(finding);
  bool accepted = judgement.verdict.outcome() == Outcome::Accept;
  if (about.findings.empty() && cell.text.empty() && !accepted)
    return cell;
  cell.outcome = about.outcome();
  if (const core::Finding *finding = decisive(about))
    cell.why = finding->message;
  return cell;
}

static MatrixRow rowOf(const Judgement &judgement) {
  MatrixRow row;
  row.line = judgement.line.known() ? judgement.line.str() : "";
  row.outcome = judgement.verdict.outcome();
  if (const core::Finding *finding = decisive(judgement.verdict))
    row.reason = messageOf(*finding).str();
  return row;
}

static std::vector<MatrixColumn> columnsOf(llvm::ArrayRef<core::LibraryFloor> floors) {
  std::vector<MatrixColumn> columns;
  for (const core::LibraryFloor *floor : newestFirst(floors)) {
    if (columns.size() == librariesShown)
      break;
    std::string least = "version unknown";
    if (floor->known())
      least = "needs " + (lineOf(*floor).known() ? fmt::format("CUDA {}", lineOf(*floor))
                                                 : floor->least.str());
    columns.push_back({floor->soname, std::move(least)});
  }
  return columns;
}

/// Adds libraries from which the file imports no names, but without which it does not load.
static void addOthers(const core::Verdict &verdict, std::vector<MatrixColumn> &columns) {
  for (const core::Finding &finding : verdict.findings) {
    bool isKnown = llvm::any_of(
        columns, [&](const MatrixColumn &each) { return each.title == finding.library; });
    if (finding.severity == core::Severity::Error && !finding.library.empty() && !isKnown &&
        columns.size() < librariesShown)
      columns.push_back({finding.library, "needed"});
  }
}

void htmlRuntimes(HtmlWriter &html, const RuntimeTable &table) {
  std::vector<std::string> head = {"runtime", "CUDA", "verdict"};
  for (const MatrixColumn &column : table.columns)
    head.push_back(fmt::format("{} {}", column.title, column.below));
  head.push_back("first missing name");
  HtmlRows rows;
  for (const MatrixRow &row : llvm::ArrayRef(table.rows).take_front(matrixRowsShown)) {
    auto &cells = rows.emplace_back();
    cells = {{row.label}, {row.line.empty() ? "none" : row.line}, {"", row.outcome}};
    for (const MatrixCell &cell : row.cells) {
      llvm::StringRef missing = cell.outcome ? "none" : "not checked";
      cells.push_back({cell.text.empty() ? missing.str() : cell.text, cell.outcome});
      cells.back().why = cell.why;
    }
    cells.push_back({row.reason});
  }
  htmlTable(html, table.caption, head, rows);
  htmlMore(html, table.rows.size(), matrixRowsShown);
  if (!table.key.empty())
    html.leaf("p", table.key, "note");
}

void htmlMatrix(HtmlWriter &html, const HtmlReport &report, const HtmlFile &file,
                llvm::StringLiteral level) {
  llvm::ArrayRef<core::LibraryFloor> floors = file.judgement.floor;
  for (const Judgement &each : judgementsOf(report, file))
    if (floors.empty())
      floors = each.floor;
  RuntimeTable table;
  table.columns = columnsOf(floors);
  addOthers(file.judgement.verdict, table.columns);
  if (table.columns.empty() && file.count < 2)
    return;
  Releases releases;
  for (size_t i = file.first; i != file.first + file.count; ++i) {
    const Judgement &judgement = i == file.shown ? file.judgement : report.judgements[i];
    MatrixRow row = rowOf(judgement);
    for (const MatrixColumn &column : table.columns)
      row.cells.push_back(libraryCell(report, file, judgement, column.title));
    releases.add(judgement, std::move(row));
  }
  table.rows = std::move(releases.rows);
  if (table.rows.size() == 1 && !report.torch.empty())
    table.rows[0].label = "torch " + report.torch;
  table.caption = "Runtimes and what the file needs";
  HtmlSection section(html, level, file.count > 1 ? "Runtimes" : "Versions");
  table.key =
      "A number is the version that the runtime has; none: it has none, or it is not known.";
  htmlRuntimes(html, table);
}

void htmlCounts(HtmlWriter &html, const HtmlReport &report) {
  std::vector<const Judgement *> worst;
  std::vector<std::array<size_t, 3>> numbers;
  for (const Judgement &judgement : report.judgements) {
    auto same = llvm::find_if(
        worst, [&](const Judgement *each) { return each->runtime == judgement.runtime; });
    size_t at = same - worst.begin();
    if (same == worst.end()) {
      worst.push_back(&judgement);
      numbers.push_back({});
    }
    unsigned bad = badness(judgement.verdict.outcome());
    ++numbers[at][bad];
    if (bad > badness(worst[at]->verdict.outcome()))
      worst[at] = &judgement;
  }
  bool oneFile = report.files.size() == 1 && report.files[0].count == report.judgements.size();
  if (worst.size() < 2 || oneFile)
    return;
  RuntimeTable table;
  table.columns = {{"rejected", "files"}, {"unknown", "files"}, {"accepted", "files"}};
  static constexpr Outcome outcomes[] = {Outcome::Reject, Outcome::Unknown, Outcome::Accept};
  Releases releases;
  for (size_t i = 0; i != worst.size(); ++i) {
    MatrixRow row = rowOf(*worst[i]);
    if (!row.reason.empty())
      row.reason += fmt::format(" ({})", subject(*worst[i]));
    for (Outcome outcome : outcomes) {
      MatrixCell &cell = row.cells.emplace_back();
      size_t number = numbers[i][badness(outcome)];
      cell.text = fmt::format("{}", number);
      if (number)
        cell.outcome = outcome;
    }
    releases.add(*worst[i], std::move(row));
  }
  table.rows = std::move(releases.rows);
  table.caption = "Runtimes and the number of accepted files";
  HtmlSection section(html, "h2", "Runtimes");
  htmlRuntimes(html, table);
}

} // namespace cudacc::report
