// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Check.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using core::Judgement;
using core::Severity;

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Rows that a table or list shows before the number of remaining ones.
constexpr size_t acceptedShown = 10, rowsShown = 60, detailsShown = 20, floorsShown = 12;

/// A file on one or more runtimes with equal verdicts. Texts are printable.
struct SummaryRow {
  std::string outcome, name, runtimes, reason;
};

/// Formats what is below the line with the verdict. Each fact is printed once.
class Details {
public:
  Details(const Judgement &judgement, Style style) : judgement(judgement), style(style) {}
  std::string body(bool withRemarks, bool withFixes = true);

private:
  const Judgement &judgement;
  Style style;
  std::string out;
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>> factsSaid;

  void finding(const core::Finding &finding);
  void facts(llvm::ArrayRef<core::Fact> facts);
  void floors();
};

} // namespace

std::string checkHead(const Judgement &judgement, Style style) {
  core::Outcome outcome = judgement.verdict.outcome();
  std::string word = core::str(outcome);
  std::string plain = fmt::format("{}: {} on {}", subject(judgement), word, runtime(judgement));
  size_t at = subject(judgement).size() + 2;
  plain = wrapped(plain, 0, indent);
  // A line break may precede the word but not split it.
  at = plain.find(word, at);
  return fmt::format("{}{}{}\n", plain.substr(0, at), painted(word, paintOf(outcome), style),
                     plain.substr(at + word.size()));
}

void Details::finding(const core::Finding &finding) {
  std::string word =
      finding.severity == Severity::Error ? "" : core::str(finding.severity) + std::string(": ");
  std::string code = fmt::format("[{}]", core::str(finding.code));
  std::string message = printable(messageOf(finding));
  std::string plain = wrapped(fmt::format("{}{} {}", word, message, code), indent, deeper);
  Paint paint = paintOf(finding.severity);
  llvm::StringRef rest = llvm::StringRef(plain).drop_front(word.size()).drop_back(code.size());
  out += fmt::format("  {}{}{}\n", painted(word, paint, style), rest,
                     painted(code, Paint::Dim, style));
  facts(finding.facts);
}

void Details::facts(llvm::ArrayRef<core::Fact> facts) {
  Rows rows;
  for (const core::Fact &fact : facts) {
    std::pair<llvm::StringRef, llvm::StringRef> said{fact.label, fact.text};
    if (llvm::is_contained(factsSaid, said))
      continue;
    factsSaid.push_back(said);
    rows.push_back(factRow(fact));
  }
  out += table(rows, deeper);
}

void Details::floors() {
  Rows rows;
  for (const core::LibraryFloor *floor : newestFirst(judgement.floor)) {
    if (rows.size() == floorsShown)
      break;
    rows.push_back({rows.empty() ? "needs" : "", floorText(*floor), printable(floor->requirement)});
  }
  if (judgement.torch.known())
    rows.push_back({rows.empty() ? "needs" : "", "torch " + judgement.torch.text(), ""});
  if (judgement.floor.size() > floorsShown)
    rows.push_back({"", fmt::format("and {} more", judgement.floor.size() - floorsShown)});
  out += table(rows, indent);
}

std::string Details::body(bool withRemarks, bool withFixes) {
  for (Severity severity : {Severity::Error, Severity::Warning, Severity::Remark}) {
    if (severity == Severity::Remark && !withRemarks)
      continue;
    for (const core::Finding &each : judgement.verdict.findings)
      if (each.severity == severity)
        finding(each);
  }
  // For a file that is not accepted, the facts already show what is needed.
  if (judgement.verdict.outcome() == core::Outcome::Accept)
    floors();
  if (withFixes)
    out += fixLines(fixesOf(judgement.verdict), style);
  return std::move(out);
}

/// Whether both have the same file and the same verdict for the same reason: one row for both.
static bool saySame(const Judgement &left, const Judgement &right) {
  const core::Finding *one = decisive(left.verdict), *other = decisive(right.verdict);
  return left.path == right.path && left.verdict.outcome() == right.verdict.outcome() &&
         bool(one) == bool(other) && (!one || one->message == other->message);
}

/// Indices, worst first; otherwise in the given order.
static llvm::SmallVector<size_t> worstFirst(llvm::ArrayRef<Judgement> judgements) {
  llvm::SmallVector<size_t> order(judgements.size());
  for (size_t i = 0; i != order.size(); ++i)
    order[i] = i;
  auto rank = [&](size_t i) {
    const core::Verdict &verdict = judgements[i].verdict;
    bool warns = llvm::any_of(verdict.findings, [](const core::Finding &each) {
      return each.severity == Severity::Warning;
    });
    return badness(verdict.outcome()) * 2 + warns;
  };
  llvm::stable_sort(order, [&](size_t left, size_t right) { return rank(left) > rank(right); });
  return order;
}

static unsigned endOf(const SummaryRow &row, unsigned start, unsigned nameWidth) {
  unsigned name = columns(row.name);
  if (row.runtimes.empty())
    return start + name;
  return start + std::max(name, nameWidth) + 2 + columns(row.runtimes);
}

/// A reason is printed below a name that is too long for both to share a line.
static std::string layOut(llvm::ArrayRef<SummaryRow> rows) {
  constexpr unsigned widestName = 34, lastBeside = 66;
  unsigned start = indent, nameWidth = 0, reasonColumn = 0;
  for (const SummaryRow &row : rows) {
    start = std::max(start, indent + columns(row.outcome) + 2);
    nameWidth = std::max(nameWidth, std::min(columns(row.name), widestName));
  }
  for (const SummaryRow &row : rows)
    if (unsigned end = endOf(row, start, nameWidth); end <= lastBeside)
      reasonColumn = std::max(reasonColumn, end + 2);
  std::string out;
  for (const SummaryRow &row : rows) {
    std::string line = fmt::format("  {}  ", padded(row.outcome, start - indent - 2));
    bool beside = endOf(row, start, nameWidth) <= (row.reason.empty() ? textColumns : lastBeside);
    if (beside) {
      line += padded(row.name, row.runtimes.empty() ? 0 : nameWidth + 2) + row.runtimes;
      line = padded(line, reasonColumn) + wrapped(row.reason, reasonColumn, reasonColumn);
    } else {
      std::string below = row.runtimes.empty() ? "" : "on " + row.runtimes;
      below += (below.empty() || row.reason.empty() ? "" : ": ") + row.reason;
      line += row.name + (below.empty() ? "" : "\n" + std::string(start, ' ')) +
              wrapped(below, start, start);
    }
    out += fmt::format("{}\n", llvm::StringRef(line).rtrim(' '));
  }
  return out;
}

static std::string summaryTable(llvm::ArrayRef<Judgement> judgements, bool severalRuntimes,
                                llvm::ArrayRef<size_t> order, Style style) {
  std::vector<SummaryRow> rows;
  llvm::StringRef folder = commonFolder(judgements);
  size_t accepted = 0, left = 0;
  for (size_t at = 0; at != order.size();) {
    const Judgement &judgement = judgements[order[at]];
    std::string runtimes = printable(judgement.runtime);
    size_t next = at + 1;
    for (; next != order.size() && saySame(judgement, judgements[order[next]]); ++next)
      runtimes += ", " + printable(judgements[order[next]].runtime);
    core::Outcome outcome = judgement.verdict.outcome();
    bool isAccepted = outcome == core::Outcome::Accept;
    bool shown = rows.size() < rowsShown && (!isAccepted || accepted++ < acceptedShown);
    if (shown)
      rows.push_back({core::str(outcome), subject(judgement, folder.size()),
                      severalRuntimes ? std::move(runtimes) : "", reason(judgement)});
    else
      left += next - at;
    at = next;
  }
  std::string out;
  if (!folder.empty())
    out += fmt::format("  in {}\n", printable(folder));
  out += paintedTable(layOut(rows), false, indent, style);
  if (left)
    out += fmt::format("  and {} more\n", left);
  return out;
}

std::string manifestLine(const Manifests &manifests) {
  constexpr size_t shown = 3;
  size_t files = manifests.with + manifests.without.size();
  if (files == 0)
    return {};
  std::string text = fmt::format("manifest: {} of {} {}",
                                 manifests.with ? fmt::format("{}", manifests.with) : "none", files,
                                 files == 1 ? "file that uses CUDA" : "files that use CUDA");
  llvm::ArrayRef<std::string> without = manifests.without;
  if (manifests.with && !without.empty()) {
    text += fmt::format(", not {}", llvm::join(without.take_front(shown), ", "));
    if (without.size() > shown)
      text += fmt::format(" and {} more", without.size() - shown);
  }
  return wrapped(text, 0, indent) + "\n";
}

std::string checkBody(const Judgement &judgement, bool withFixes, Style style) {
  return Details(judgement, style).body(/*withRemarks=*/false, withFixes);
}

static std::string whole(const Judgement &judgement, bool withRemarks, Style style) {
  return checkHead(judgement, style) + Details(judgement, style).body(withRemarks);
}

std::string check(llvm::ArrayRef<Judgement> judgements, Style style) {
  if (judgements.empty())
    return {};
  if (judgements.size() == 1)
    return whole(judgements[0], true, style);
  std::string out = wrapped(headline(judgements), 0, indent) + "\n";
  size_t runtimes = distinct(judgements, &Judgement::runtime);
  llvm::SmallVector<size_t> order = worstFirst(judgements);
  out += summaryTable(judgements, runtimes > 1, order, style);
  size_t shown = 0, left = 0;
  for (size_t i : order) {
    if (judgements[i].verdict.outcome() == core::Outcome::Accept)
      break;
    if (shown == detailsShown) {
      ++left;
      continue;
    }
    ++shown;
    out += "\n" + whole(judgements[i], false, style);
  }
  if (left)
    out += fmt::format("\nand {} more; --format=json has all\n", left);
  return out;
}

} // namespace cudacc::report
