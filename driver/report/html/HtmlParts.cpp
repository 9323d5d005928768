// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

static constexpr size_t longText = 36, longCode = 76;

void htmlVerdict(HtmlWriter &html, core::Outcome outcome) {
  static constexpr llvm::StringLiteral classes[] = {"verdict accept", "verdict reject",
                                                    "verdict unknown"};
  html.leaf("span", core::str(outcome),
            versions::entryOf<core::Outcome::Unknown>(classes, outcome));
}

static void cellOf(HtmlWriter &html, const HtmlCell &cell) {
  // A long cell would otherwise make its row high or the table wide.
  bool isLong = cell.text.size() > (cell.isCode ? longCode : longText);
  auto td = html.element("td", {{"class", isLong ? "long" : ""}, {"title", cell.why}});
  if (cell.verdict)
    htmlVerdict(html, *cell.verdict);
  if (cell.verdict && !cell.text.empty())
    html.text(" ");
  if (cell.file) {
    auto link = html.element("a", {{"href", fmt::format("#file-{}", cell.file)}});
    html.text(cell.text);
  } else if (cell.isCode && !cell.text.empty())
    html.leaf("code", cell.text);
  else
    html.text(cell.text);
}

void htmlTable(HtmlWriter &html, llvm::StringRef caption, llvm::ArrayRef<std::string> head,
               const HtmlRows &rows) {
  if (rows.empty())
    return;
  // A scrolling box must be reachable by keyboard, too.
  auto box = html.element(
      "div",
      {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", caption.str()}});
  auto table = html.element("table");
  html.leaf("caption", caption);
  {
    auto group = html.element("thead");
    auto line = html.element("tr");
    for (const std::string &name : head) {
      auto cell = html.element("th", {{"scope", "col"}});
      html.text(name);
    }
  }
  auto group = html.element("tbody");
  for (const std::vector<HtmlCell> &row : rows) {
    auto line = html.element("tr");
    for (const HtmlCell &cell : row)
      cellOf(html, cell);
  }
}

void htmlFacts(HtmlWriter &html, llvm::ArrayRef<core::Fact> facts) {
  if (facts.empty())
    return;
  auto list = html.element("dl");
  llvm::StringRef before;
  for (const core::Fact &fact : facts) {
    if (fact.label != before || before.empty())
      html.leaf("dt", fact.label);
    html.leaf("dd", fact.text.empty() ? "unknown" : llvm::StringRef(fact.text));
    before = fact.label;
  }
}

void htmlFinding(HtmlWriter &html, const core::Finding &finding) {
  auto box =
      html.element("div", {{"class", std::string("finding ") + core::str(finding.severity)}});
  {
    auto line = html.element("p");
    html.leaf("b", core::str(finding.severity), "severity");
    html.text(": ");
    html.text(messageOf(finding));
    html.text(" ");
    html.leaf("span", core::str(finding.code), "code");
  }
  htmlFacts(html, finding.facts);
}

void htmlCommands(HtmlWriter &html, llvm::ArrayRef<std::string> commands) {
  if (commands.empty())
    return;
  auto block = html.element("pre", {{"tabindex", "0"}});
  auto code = html.element("code");
  for (const std::string &command : commands) {
    html.text(command);
    html.ours("\n");
  }
}

void htmlMore(HtmlWriter &html, size_t all, size_t shown) {
  if (all > shown)
    html.leaf("p", fmt::format("and {} more; --format=json has all", all - shown), "note");
}

} // namespace cudacc::report
