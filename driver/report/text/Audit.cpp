// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Audit.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using core::AuditFinding;
using core::AuditReport;
using core::Finding;
using core::Severity;

/// Findings of one kind often differ only in their target: print facts for the first `detailed`
/// ones and one line each for the others.
static constexpr size_t detailed = 3, listed = 50;

static bool isUnknown(const Finding &finding) {
  return finding.severity == Severity::Error &&
         core::info(finding.code).codeClass == core::CodeClass::Unknown;
}

static Paint paintOf(const Finding &finding) {
  return isUnknown(finding) ? Paint::Warning : report::paintOf(finding.severity);
}

/// Sort order: errors, unknown, warnings, remarks.
static unsigned rank(const Finding &finding) {
  if (isUnknown(finding))
    return 1;
  return finding.severity == Severity::Error ? 0 : finding.severity == Severity::Warning ? 2 : 3;
}

static std::string head(const AuditReport &report, Style style) {
  core::Outcome outcome = report.verdict().outcome();
  std::string out = fmt::format("{}: {}", printable(report.build),
                                painted(core::str(outcome), report::paintOf(outcome), style));
  if (!report.runtime.empty())
    out += " on " + printable(report.runtime);
  out += fmt::format(" ({}, {} with CUDA, {} read; {})", count(report.targets, "target"),
                     report.cudaTargets, count(report.artefacts, "artefact"),
                     printable(report.system));
  return wrapped(out, 0, indent) + "\n";
}

static std::string line(const AuditFinding &row, Style style) {
  const Finding &finding = row.finding;
  std::string place = printable(row.file);
  if (row.line)
    place += fmt::format(":{}", row.line);
  if (!place.empty())
    place += ": ";
  std::string word = isUnknown(finding) ? "unknown" : core::str(finding.severity);
  std::string message = printable(messageOf(finding));
  if (!row.target.empty())
    message = fmt::format("{}: {}", printable(row.target), message);
  std::string code = fmt::format("[{}]", core::str(finding.code));
  // Editors make a link of everything up to the severity, so do not break the line before it.
  std::string rest = wrapped(fmt::format("{} {}", message, code),
                             unsigned(columns(place) + word.size() + 2), indent);
  llvm::StringRef said = llvm::StringRef(rest).drop_back(code.size());
  return fmt::format("{}{}: {}{}\n", place, painted(word, paintOf(finding), style), said,
                     painted(code, Paint::Dim, style));
}

static std::string facts(const Finding &finding) {
  std::vector<std::vector<std::string>> rows;
  for (const core::Fact &fact : finding.facts)
    rows.push_back(factRow(fact));
  return table(rows, indent);
}

std::string text(const AuditReport &report, Style style) {
  std::vector<const AuditFinding *> rows;
  for (const AuditFinding &row : report.findings)
    rows.push_back(&row);
  // Group findings with the same code and fixes.
  llvm::stable_sort(rows, [](const AuditFinding *a, const AuditFinding *b) {
    unsigned left = rank(a->finding), right = rank(b->finding);
    return left != right ? left < right
                         : std::tie(a->finding.code, a->finding.fixes) <
                               std::tie(b->finding.code, b->finding.fixes);
  });
  std::string out = head(report, style);
  for (size_t i = 0; i != rows.size();) {
    size_t end = i;
    while (end != rows.size() && rows[end]->finding.code == rows[i]->finding.code &&
           rows[end]->finding.fixes == rows[i]->finding.fixes)
      ++end;
    llvm::ArrayRef<const AuditFinding *> group = llvm::ArrayRef(rows).slice(i, end - i);
    for (size_t at = 0; at != std::min(group.size(), listed); ++at)
      out += line(*group[at], style) + (at < detailed ? facts(group[at]->finding) : "");
    if (group.size() > listed)
      out += fmt::format("  and {} targets more\n", group.size() - listed);
    std::vector<llvm::StringRef> fixes;
    for (const std::string &fix : group.back()->finding.fixes)
      if (!llvm::is_contained(fixes, fix))
        fixes.push_back(fix);
    out += fixLines(fixes, style);
    i = end;
  }
  return out;
}

} // namespace cudacc::report
