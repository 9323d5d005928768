// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/html/HtmlParts.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace report;

static constexpr size_t copiesListed = 300;

static std::string driverSummary(const probe::RunningDriver &driver) {
  if (driver.isStub)
    return fmt::format("none: {} is the stub for linking", driver.path);
  if (driver.path.empty())
    return "none";
  std::string out = driver.release.empty() ? "of unknown release" : driver.release;
  return driver.cuda.known() ? fmt::format("{} (CUDA {})", out, driver.cuda) : out;
}

static void facts(HtmlWriter &html, const DoctorReport &report) {
  std::vector<core::Fact> facts;
  facts.push_back({"environment", report.prefix.empty() ? "none" : report.prefix});
  if (!report.why.empty())
    facts.push_back({"named by", report.why});
  facts.push_back({"python", report.python.empty() ? "not found" : report.python});
  facts.push_back({"torch", report.torch.empty() ? "none" : report.torch});
  facts.push_back({"CUDA line", report.line.known() ? report.line.str() : "unknown"});
  facts.push_back({"driver", driverSummary(report.driver)});
  if (!report.driver.path.empty())
    facts.push_back({"its library", report.driver.path});
  if (!report.driver.kernel.empty())
    facts.push_back({"kernel module", report.driver.kernel});
  if (!report.before.empty())
    facts.push_back({"imported first", llvm::join(report.before, ", ")});
  for (const std::string &element : report.libraryPath)
    facts.push_back({"LD_LIBRARY_PATH", element});
  if (report.libraryPath.empty())
    facts.push_back({"LD_LIBRARY_PATH", "not set"});
  htmlFacts(html, facts);
}

static void copies(HtmlWriter &html, const DoctorReport &report) {
  HtmlRows rows;
  for (const policy::FoundCopy &copy : report.copies)
    if (rows.size() < copiesListed)
      rows.push_back({{copy.soname, std::nullopt, true},
                      {copy.version.empty() ? "unknown" : copy.version},
                      {copy.cuda.known() ? copy.cuda.str() : "own numbers"},
                      {copy.dist.empty() ? "no wheel" : copy.dist},
                      {copy.where},
                      {copy.path, std::nullopt, true}});
  if (rows.empty())
    return;
  auto details = html.element("details");
  html.leaf("summary", fmt::format("{} copies of CUDA libraries", report.copies.size()));
  htmlTable(html, "Copies that an import could find",
            {"library", "version", "CUDA", "wheel", "where", "file"}, rows);
  htmlMore(html, report.copies.size(), copiesListed);
}

void environmentHtml(HtmlWriter &html, const DoctorReport &report) {
  HtmlSection section(html, "h2", "Environment");
  facts(html, report);
  for (const core::Finding &problem : report.problems)
    htmlFinding(html, problem);
  HtmlRows toolkits;
  for (const core::FoundToolkit &toolkit : report.toolkits)
    toolkits.push_back({{toolkit.cuda.known() ? toolkit.cuda.str() : "unknown"},
                        {toolkit.root, std::nullopt, true}});
  htmlTable(html, "Toolkits that could compile here", {"CUDA", "folder"}, toolkits);
  copies(html, report);
}

std::string environmentTitle(const DoctorReport &report) {
  std::string out = report.prefix.empty() ? "no Python environment" : report.prefix;
  if (!report.torch.empty())
    out += ": torch " + report.torch;
  return report.line.known() ? fmt::format("{}, CUDA {}", out, report.line) : out;
}

HtmlProcess processOf(const Diagnosis &diagnosis) {
  HtmlProcess process{diagnosis.predicted, diagnosis.loaded, {}};
  for (const policy::Remedy &remedy : diagnosis.remedies)
    process.remedies.push_back({remedy.text, remedy.commands, remedy.price, remedy.after});
  return process;
}

} // namespace cudacc::commands
