// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/Html.h"
#include "driver/report/html/HtmlParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/Pages.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace cudacc::report {

using core::Judgement;
using core::Outcome;

static constexpr size_t filesShown = 40, fewFiles = 3, rowsListed = 3000;

/// Alternatives in a group count as one file, whichever of them a runtime loads.
static bool sameFile(const Judgement &left, const Judgement &right) {
  return left.path == right.path ||
         (!left.alternatives.empty() && left.alternatives == right.alternatives);
}

/// The index of the worst judgement. A rejection about a symbol is more specific than one about a
/// missing file. Among releases of one name it is the newest, which is closest to those that work.
static size_t mostTelling(llvm::ArrayRef<Judgement> judgements) {
  auto rank = [](const Judgement &judgement) {
    const core::Finding *finding = decisive(judgement.verdict);
    return badness(judgement.verdict.outcome()) * 2 + (finding && !finding->symbol.empty());
  };
  auto name = [](const Judgement &judgement) {
    return llvm::StringRef(judgement.runtime).split("==").first;
  };
  size_t best = 0;
  for (size_t i = 1; i != judgements.size(); ++i) {
    unsigned one = rank(judgements[i]), other = rank(judgements[best]);
    if (one > other || (one == other && name(judgements[i]) == name(judgements[best])))
      best = i;
  }
  return best;
}

static std::vector<HtmlFile> filesOf(llvm::ArrayRef<Judgement> judgements) {
  std::vector<HtmlFile> files;
  for (size_t i = 0; i != judgements.size();) {
    HtmlFile file;
    file.first = i;
    while (i != judgements.size() && sameFile(judgements[file.first], judgements[i]))
      ++i;
    file.count = i - file.first;
    file.shown = file.first + mostTelling(judgements.slice(file.first, file.count));
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<HtmlFile> filesInFull(llvm::ArrayRef<Judgement> judgements) {
  std::vector<HtmlFile> files = filesOf(judgements);
  auto bad = [&](const HtmlFile &file) {
    return badness(judgements[file.shown].verdict.outcome());
  };
  if (files.size() > fewFiles)
    llvm::erase_if(files, [&](const HtmlFile &file) { return bad(file) == 0; });
  llvm::stable_sort(
      files, [&](const HtmlFile &left, const HtmlFile &right) { return bad(left) > bad(right); });
  if (files.size() > filesShown)
    files.resize(filesShown);
  for (HtmlFile &file : files)
    file.judgement = judgements[file.shown];
  return files;
}

namespace {

class HtmlPage {
public:
  explicit HtmlPage(const HtmlReport &report) : report(report) {}
  std::string write();

private:
  const HtmlReport &report;
  HtmlWriter html;

  std::string title() const;
  void head();
  void lead();
  void counted();
  void needs();
  void files();
  void file(const HtmlFile &file, llvm::StringLiteral level);
  void list();
  void codes();
};

} // namespace

std::string HtmlPage::title() const {
  bool isOwn = report.judgements.empty() || report.summary;
  return isOwn ? report.title : headline(report.judgements);
}

void HtmlPage::head() {
  auto head = html.element("head");
  html.single("meta", {{"charset", "utf-8"}});
  html.single("meta", {{"http-equiv", "Content-Security-Policy"},
                       {"content", "default-src 'none'; style-src 'unsafe-inline'; "
                                   "base-uri 'none'; form-action 'none'"}});
  html.single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  html.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  html.leaf("title", title());
  auto style = html.element("style");
  html.ours(htmlStyle());
}

/// Writes the verdict, which comes first.
void HtmlPage::lead() {
  llvm::ArrayRef<Judgement> judgements = report.judgements;
  auto heading = html.element("h1");
  if (judgements.empty() || report.summary)
    return html.text(title());
  if (judgements.size() > 1)
    return counted();
  const Judgement &only = judgements.front();
  html.text(subject(only) + ": ");
  htmlVerdict(html, only.verdict.outcome());
  html.text(" on " + runtime(only));
}

/// Writes `3 files on 2 runtimes:` and the number of files per verdict.
void HtmlPage::counted() {
  llvm::ArrayRef<Judgement> judgements = report.judgements;
  std::string numbers = counts(judgements), all = headline(judgements);
  html.text(llvm::StringRef(all).drop_back(numbers.size()));
  llvm::StringRef left = numbers;
  while (!left.empty()) {
    auto [each, rest] = left.split(", ");
    if (each.ends_with("rejected"))
      html.leaf("span", each, "verdict reject");
    else if (each.ends_with("accepted"))
      html.leaf("span", each, "verdict accept");
    else
      html.leaf("span", each, "verdict unknown");
    html.text(rest.empty() ? "" : " ");
    left = rest;
  }
}

/// Writes what the file needs on every runtime.
void HtmlPage::needs() {
  if (report.files.size() != 1)
    return;
  llvm::ArrayRef<core::LibraryFloor> floors = report.files[0].judgement.floor;
  const versions::TorchRange &torch = report.files[0].judgement.torch;
  bool hasTorch = torch.known() && torch.any();
  if ((floors.empty() && !hasTorch) || filesOf(report.judgements).size() != 1)
    return;
  std::vector<std::string> texts = floorTexts(floors);
  if (hasTorch)
    texts.push_back("torch " + torch.text());
  html.leaf("p", fmt::format("Needs {}.", llvm::join(texts, ", ")), "lead");
}

void HtmlPage::file(const HtmlFile &file, llvm::StringLiteral level) {
  htmlRemedies(html, file, level);
  htmlMatrix(html, report, file, level);
  htmlFindings(html, file, level);
  htmlLoader(html, file, level);
  htmlSymbols(html, file, level);
  if (!file.facts)
    return;
  htmlDevice(html, file.facts->device, level);
  htmlManifest(html, file.facts->manifest, level);
}

void HtmlPage::files() {
  if (report.files.size() == 1 && report.files[0].count == report.judgements.size())
    return file(report.files[0], "h2");
  size_t number = 0;
  for (const HtmlFile &each : report.files) {
    ++number;
    auto article =
        html.element("article", {{"id", fmt::format("file-{}", number)}, {"class", "file"}});
    {
      auto heading = html.element("h2");
      htmlVerdict(html, each.judgement.verdict.outcome());
      html.text(" " + subject(each.judgement));
      html.leaf("span", " on " + runtime(each.judgement), "on");
    }
    // If there are several, all but the worst one are collapsed.
    auto details = html.element("details", {{"open", number == 1 ? "open" : ""}});
    html.leaf("summary", "Details");
    file(each, "h3");
  }
}

/// Writes one row per file, worst first.
void HtmlPage::list() {
  std::vector<HtmlFile> files = filesOf(report.judgements);
  if (files.size() < 2)
    return;
  HtmlSection section(html, "h2", "Files");
  llvm::stable_sort(files, [&](const HtmlFile &left, const HtmlFile &right) {
    return badness(report.judgements[left.shown].verdict.outcome()) >
           badness(report.judgements[right.shown].verdict.outcome());
  });
  llvm::StringRef folder = commonFolder(report.judgements);
  bool severalRuntimes = distinct(report.judgements, &Judgement::runtime) > 1;
  HtmlRows rows;
  for (const HtmlFile &file : files) {
    if (rows.size() == rowsListed)
      break;
    const Judgement &judgement = report.judgements[file.shown];
    Outcome outcome = judgement.verdict.outcome();
    size_t same = llvm::count_if(judgementsOf(report, file), [&](const Judgement &each) {
      return each.verdict.outcome() == outcome;
    });
    auto full =
        llvm::find_if(report.files, [&](const HtmlFile &each) { return each.first == file.first; });
    size_t number = full == report.files.end() ? 0 : full - report.files.begin() + 1;
    std::string on = fmt::format("{} of {}", same, file.count);
    std::vector<HtmlCell> row = {{"", outcome},
                                 {subject(judgement, folder.size()), std::nullopt, true, number}};
    if (severalRuntimes)
      row.push_back({file.count > 1 ? on : runtime(judgement)});
    row.push_back({reason(judgement)});
    rows.push_back(std::move(row));
  }
  std::vector<std::string> head = {"verdict", "file", "because"};
  if (severalRuntimes)
    head.insert(head.begin() + 2, "on");
  if (!folder.empty())
    html.leaf("p", fmt::format("In {}", folder), "note");
  htmlTable(html, "All files", head, rows);
  htmlMore(html, files.size(), rowsListed);
}

/// Writes the documentation pages of the codes on this page.
void HtmlPage::codes() {
  std::set<core::Code> codes;
  for (const HtmlFile &file : report.files)
    for (const core::Finding &finding : file.judgement.verdict.findings)
      if (finding.severity != core::Severity::Remark)
        codes.insert(finding.code);
  if (codes.empty())
    return;
  HtmlSection section(html, "h2", "Codes");
  for (core::Code code : codes) {
    auto details = html.element("details");
    html.leaf("summary", fmt::format("{}: {}", core::str(code), core::info(code).title));
    auto block = html.element("pre", {{"class", "page"}, {"tabindex", "0"}});
    auto [line, rest] = page(code).split('\n');
    for (; !line.empty() || !rest.empty(); std::tie(line, rest) = rest.split('\n')) {
      html.text(line);
      html.ours("\n");
    }
  }
}

std::string HtmlPage::write() {
  html.ours("<!doctype html>\n");
  {
    auto root = html.element("html", {{"lang", "en"}});
    head();
    auto body = html.element("body");
    {
      auto main = html.element("main");
      {
        auto header = html.element("header");
        lead();
        needs();
      }
      if (report.summary)
        report.summary(html);
      else
        htmlCounts(html, report);
      list();
      files();
      if (report.environment)
        report.environment(html);
      codes();
    }
    html.leaf("footer", "cuda-cc " + report.version);
  }
  return html.take();
}

std::string html(const HtmlReport &report) { return HtmlPage(report).write(); }

} // namespace cudacc::report
