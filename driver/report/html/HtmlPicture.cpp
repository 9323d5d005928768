// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlPicture.h"
#include "driver/report/text/Layout.h"
#include "driver/support/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using State = MatrixCell::State;

namespace {

/// In pixels of the drawing, of which the text has 13 to the em.
constexpr unsigned rowHeight = 34, headHeight = 48, gap = 4, perColumn = 8;
constexpr unsigned lineLeast = 64, verdictWidth = 104, labelLeast = 120, cellLeast = 112;
constexpr unsigned longestLabel = 30;

/// A drawing in progress, with the positions of its columns.
class Drawing {
public:
  Drawing(HtmlWriter &html, const Picture &picture);
  void write();

private:
  HtmlWriter &html;
  const Picture &picture;
  unsigned labelWidth = labelLeast, lineWidth = lineLeast;
  std::vector<unsigned> lefts, widths;
  unsigned width = 0, height = 0;

  void head();
  void row(const MatrixRow &row, unsigned top);
  void text(unsigned x, unsigned y, llvm::StringRef text, llvm::StringLiteral cls);
  void cell(unsigned x, unsigned top, unsigned width, State state, llvm::StringRef text,
            llvm::StringRef title);
};

} // namespace

static std::string number(unsigned value) { return fmt::format("{}", value); }

/// Truncates a long name; a tooltip shows all of it.
static std::string clipped(llvm::StringRef text) {
  std::string whole = printable(text);
  unsigned length = 0;
  for (size_t at = 0; at != whole.size(); ++at)
    // Count only the first byte of a multi-byte character.
    if ((whole[at] & 0xc0) != 0x80 && ++length > longestLabel)
      return whole.substr(0, at) + "...";
  return whole;
}

static unsigned widthOf(llvm::StringRef text) { return columns(clipped(text)) * perColumn; }

static llvm::StringLiteral classOf(State state) {
  static constexpr llvm::StringLiteral words[] = {"none", "accept", "reject", "unknown"};
  return versions::entryOf<State::Unknown>(words, state);
}

static llvm::StringRef signOf(State state) {
  static constexpr llvm::StringLiteral words[] = {"M0 4H8", "m0 4 3 4 7-8", "m0 0 8 8m0-8-8 8",
                                                  "M1 1.5C2-1 7-1 7 2 7 4.500 4 4 4 6M4 8V9"};
  return versions::entryOf<State::Unknown>(words, state);
}

State stateOf(core::Outcome outcome) {
  return outcome == core::Outcome::Accept   ? State::Accept
         : outcome == core::Outcome::Reject ? State::Reject
                                            : State::Unknown;
}

Drawing::Drawing(HtmlWriter &html, const Picture &picture) : html(html), picture(picture) {
  for (const MatrixRow &row : picture.rows) {
    labelWidth = std::max(labelWidth, widthOf(row.label) + 2 * gap);
    lineWidth = std::max(lineWidth, widthOf(row.line) + 2 * gap);
  }
  width = labelWidth + lineWidth + verdictWidth;
  for (size_t i = 0; i != picture.columns.size(); ++i) {
    unsigned wide = std::max(widthOf(picture.columns[i].title), widthOf(picture.columns[i].below));
    for (const MatrixRow &row : picture.rows)
      wide = std::max(wide, widthOf(row.cells[i].text) + 36);
    lefts.push_back(width);
    widths.push_back(std::max(wide + 2 * gap, cellLeast));
    width += widths.back();
  }
  height = headHeight + unsigned(picture.rows.size()) * rowHeight + gap;
}

void Drawing::text(unsigned x, unsigned y, llvm::StringRef text, llvm::StringLiteral cls) {
  std::string shown = clipped(text);
  auto element = html.element("text", {{"x", number(x)}, {"y", number(y)}, {"class", cls.str()}});
  html.text(shown);
  if (shown != text)
    html.leaf("title", text);
}

void Drawing::head() {
  text(gap, headHeight - 14, "runtime", "head");
  text(labelWidth + gap, headHeight - 14, "CUDA", "head");
  text(labelWidth + lineWidth + gap, headHeight - 14, "verdict", "head");
  for (size_t i = 0; i != picture.columns.size(); ++i) {
    text(lefts[i] + gap, headHeight - 30, picture.columns[i].title, "name");
    text(lefts[i] + gap, headHeight - 13, picture.columns[i].below, "head");
  }
}

void Drawing::cell(unsigned x, unsigned top, unsigned width, State state, llvm::StringRef text,
                   llvm::StringRef title) {
  auto group = html.element("g", {{"class", classOf(state).str()}});
  if (!title.empty())
    html.leaf("title", title);
  html.shape("rect", {{"x", number(x + 1)},
                      {"y", number(top + 2)},
                      {"width", number(width - gap)},
                      {"height", number(rowHeight - gap)},
                      {"rx", "4"}});
  html.shape("path",
             {{"d", signOf(state).str()},
              {"transform", fmt::format("translate({} {})", x + 12, top + rowHeight / 2 - 4)}});
  this->text(x + 30, top + rowHeight / 2 + 5, text, "value");
}

void Drawing::row(const MatrixRow &row, unsigned top) {
  unsigned base = top + rowHeight / 2 + 5;
  text(gap, base, row.label, "label");
  text(labelWidth + gap, base, row.line.empty() ? "none" : row.line, "value");
  std::string verdict = core::str(row.outcome);
  cell(labelWidth + lineWidth, top, verdictWidth, stateOf(row.outcome), verdict,
       fmt::format("{}: {}", row.label, row.reason.empty() ? verdict : row.reason));
  for (size_t i = 0; i != row.cells.size(); ++i) {
    const MatrixCell &each = row.cells[i];
    std::string title =
        fmt::format("{} on {}: {}", picture.columns[i].title, row.label,
                    each.state == State::None ? "not judged" : classOf(each.state).str());
    if (!each.why.empty())
      title += ": " + each.why;
    cell(lefts[i], top, widths[i], each.state, each.text.empty() ? "none" : each.text, title);
  }
}

void Drawing::write() {
  auto box = html.element("div", {{"class", "scroll picture"}, {"aria-hidden", "true"}});
  auto svg = html.element("svg", {{"width", number(width)},
                                  {"height", number(height)},
                                  {"viewBox", fmt::format("0 0 {} {}", width, height)}});
  head();
  for (size_t i = 0; i != picture.rows.size(); ++i)
    row(picture.rows[i], headHeight + unsigned(i) * rowHeight);
}

static void table(HtmlWriter &html, const Picture &picture) {
  std::vector<std::string> head = {"runtime", "CUDA", "verdict"};
  for (const MatrixColumn &column : picture.columns)
    head.push_back(fmt::format("{} {}", column.title, column.below));
  head.push_back("first missing name");
  std::vector<std::vector<HtmlCell>> rows;
  for (const MatrixRow &row : picture.rows) {
    auto &cells = rows.emplace_back();
    cells.push_back({row.label});
    cells.push_back({row.line.empty() ? "none" : row.line});
    cells.push_back({"", row.outcome});
    for (const MatrixCell &cell : row.cells) {
      std::string text = cell.text.empty() ? "none" : cell.text;
      // Do not rely on colour alone.
      if (cell.state == State::Reject || cell.state == State::Unknown)
        text = fmt::format("{}, {}", classOf(cell.state), text);
      cells.push_back({text});
    }
    cells.push_back({row.reason});
  }
  htmlTable(html, picture.caption, head, rows, "reading");
}

void draw(HtmlWriter &html, const Picture &picture) {
  Drawing(html, picture).write();
  table(html, picture);
  htmlMore(html, picture.left, 0);
  std::string key = picture.key;
  bool anyNone = llvm::any_of(picture.rows, [](const MatrixRow &row) {
    return llvm::any_of(row.cells, [](const MatrixCell &cell) {
      return cell.state == State::None && cell.text.empty();
    });
  });
  if (anyNone)
    support::appendItem(key, "A dash alone: not checked there.", " ");
  if (!key.empty())
    html.leaf("p", key, "note");
}

} // namespace cudacc::report
