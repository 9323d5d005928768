// SPDX-License-Identifier: Apache-2.0
#include "driver/report/sarif/Sarif.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/Pages.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using core::Finding;
using core::Judgement;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static llvm::StringRef level(core::Severity severity) {
  return severity == core::Severity::Remark ? "note" : core::str(severity);
}

/// RFC 3986: percent-encodes each byte that is neither unreserved nor a slash.
static std::string uriOf(llvm::StringRef path) {
  std::string out = path.starts_with("/") ? "file://" : "";
  for (char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c)) {
      out += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    out += {'%', llvm::hexdigit(byte >> 4), llvm::hexdigit(byte & 15)};
  }
  return out;
}

static Value locationOf(llvm::StringRef path) {
  auto [file, member] = path.split(".whl!");
  std::string uri = uriOf(file.size() == path.size() ? path : path.take_front(file.size() + 4));
  Object out{{"physicalLocation", Object{{"artifactLocation", Object{{"uri", std::move(uri)}}}}}};
  if (!member.empty())
    out["logicalLocations"] =
        Array{Object{{"fullyQualifiedName", fixed(member)}, {"kind", "member"}}};
  return out;
}

/// The page without its heading, which is the rule's short description.
static llvm::StringRef bodyOf(llvm::StringRef page) { return page.split('\n').second.ltrim('\n'); }

static Value ruleOf(core::Code code) {
  const core::CodeInfo &info = core::info(code);
  Object out{{"id", core::str(code)},
             {"shortDescription", Object{{"text", info.title}}},
             {"defaultConfiguration", Object{{"level", level(core::severityOf(code))}}}};
  if (llvm::StringRef body = bodyOf(page(code)); !body.empty())
    out["help"] = Object{{"text", body}, {"markdown", body}};
  if (!info.symbols.empty())
    out["properties"] = Object{{"tags", strings(llvm::split(info.symbols, ' '))}};
  return out;
}

/// A finding and its context in the document.
namespace {
struct ResultRow {
  const Finding *finding;
  /// Text about the checked object, in front of the message and after it.
  std::string before, behind;
  Value location;
  Object properties;
};
} // namespace

/// `operator[](int)` would be a link (SARIF 2.1.0, 3.11.6).
static std::string withoutLinks(std::string text) {
  for (size_t at = 0; (at = text.find("](", at)) != text.npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

/// Escaped like the text output: viewers show messages on terminals and in browsers.
static std::string textOf(const Finding &finding, llvm::StringRef before, llvm::StringRef behind) {
  std::string out = fmt::format("{}{}{}", before, printable(messageOf(finding)), behind);
  for (const core::Fact &fact : finding.facts)
    out += fmt::format("\n{}{}", fact.label.empty() ? "" : printable(fact.label) + ": ",
                       fact.text.empty() ? "unknown" : printable(fact.text));
  for (const std::string &fix : finding.fixes)
    out += "\nfix: " + printable(fix);
  return withoutLinks(std::move(out));
}

static Value resultOf(ResultRow &&row, size_t rule) {
  const Finding &finding = *row.finding;
  return Object{{"ruleId", core::str(finding.code)},
                {"ruleIndex", rule},
                {"level", level(finding.severity)},
                {"message", Object{{"text", textOf(finding, row.before, row.behind)}}},
                {"locations", Array{std::move(row.location)}},
                {"properties", std::move(row.properties)}};
}

/// A finding that is no verdict on a file becomes a tool notification (SARIF 2.1.0, 3.20.21).
static Value notificationOf(const Finding &finding) {
  return Object{{"descriptor", Object{{"id", core::str(finding.code)}}},
                {"level", level(finding.severity)},
                {"message", Object{{"text", textOf(finding, "", "")}}}};
}

/// \p codes: those of the rows, which \p rowAt makes.
static RowsDocument document(std::vector<core::Code> codes, llvm::ArrayRef<Finding> problems,
                             llvm::StringRef version, int exit,
                             std::function<ResultRow(size_t)> rowAt) {
  size_t count = codes.size();
  llvm::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  Object driver{{"name", "cuda-cc"}, {"version", version}, {"rules", array(codes, ruleOf)}};
  Object invocation{{"executionSuccessful", true}, {"exitCode", exit}};
  if (!problems.empty())
    invocation["toolExecutionNotifications"] = array(problems, notificationOf);
  Object run{{"tool", Object{{"driver", std::move(driver)}}},
             {"invocations", Array{std::move(invocation)}},
             {"results", nullptr}};
  Object out{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
             {"version", "2.1.0"},
             {"runs", Array{std::move(run)}}};
  return {std::move(out), "results", count, [=](size_t i) {
            ResultRow row = rowAt(i);
            size_t rule = llvm::lower_bound(codes, row.finding->code) - codes.begin();
            return resultOf(std::move(row), rule);
          }};
}

static ResultRow rowOf(const Judgement &judgement, const Finding &finding) {
  Object properties{{"verdict", core::str(judgement.verdict.outcome())}};
  put(properties, "runtime", judgement.runtime);
  put(properties, "library", finding.library);
  put(properties, "symbol", finding.symbol);
  put(properties, "origin", finding.origin);
  std::string on =
      judgement.runtime.empty() ? "" : fmt::format(" (on {})", printable(judgement.runtime));
  return {&finding, "", std::move(on), locationOf(judgement.path), std::move(properties)};
}

RowsDocument sarif(llvm::ArrayRef<Judgement> judgements, llvm::ArrayRef<Finding> problems,
                   llvm::StringRef version, int exit) {
  std::vector<core::Code> codes;
  std::vector<std::pair<const Judgement *, const Finding *>> rows;
  for (const Judgement &judgement : judgements)
    for (const Finding &finding : judgement.verdict.findings) {
      codes.push_back(finding.code);
      rows.emplace_back(&judgement, &finding);
    }
  return document(std::move(codes), problems, version, exit,
                  [=](size_t i) { return rowOf(*rows[i].first, *rows[i].second); });
}

/// A line of the project, or the build directory if none is known.
static Value locationOf(const core::AuditReport &report, const core::AuditFinding &row) {
  Object place{
      {"artifactLocation", Object{{"uri", uriOf(row.file.empty() ? report.build : row.file)}}}};
  if (!row.file.empty() && row.line)
    place["region"] = Object{{"startLine", row.line}};
  return Object{{"physicalLocation", std::move(place)}};
}

static ResultRow rowOf(const core::AuditReport &report, const core::AuditFinding &row) {
  Object properties;
  put(properties, "build", report.build);
  put(properties, "target", row.target);
  put(properties, "step", row.step);
  std::string before = row.target.empty() ? "" : printable(row.target) + ": ";
  return {&row.finding, std::move(before), "", locationOf(report, row), std::move(properties)};
}

RowsDocument sarif(const core::AuditReport &report, llvm::StringRef version, int exit) {
  std::vector<core::Code> codes;
  for (const core::AuditFinding &row : report.findings)
    codes.push_back(row.finding.code);
  return document(std::move(codes), {}, version, exit,
                  [&report](size_t i) { return rowOf(report, report.findings[i]); });
}

} // namespace cudacc::report
