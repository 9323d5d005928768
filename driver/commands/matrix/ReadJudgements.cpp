// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/support/Json.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;
using support::Value;

static Severity severityOf(StringRef word) {
  for (Severity each : {Severity::Remark, Severity::Warning})
    if (word == str(each))
      return each;
  return Severity::Error;
}

static std::optional<Finding> readFinding(const Value &row) {
  auto code = parseCode(row.textAt("code"));
  if (!code)
    return std::nullopt;
  Finding finding;
  finding.code = *code;
  finding.severity = severityOf(row.textAt("severity"));
  finding.message = row.textAt("message").str();
  for (const Value &fact : row.listAt("facts"))
    finding.addFact(fact.textAt("label"), fact.textAt("text").str());
  for (const Value &fix : row.listAt("fixes"))
    finding.addFix(fix.text);
  finding.library = row.textAt("library").str();
  finding.symbol = row.textAt("symbol").str();
  finding.origin = row.textAt("origin").str();
  return finding;
}

static LibraryFloor readFloor(const Value &row) {
  LibraryFloor floor;
  floor.soname = row.textAt("soname").str();
  floor.dist = row.textAt("dist").str();
  floor.requirement = row.textAt("requirement").str();
  floor.least = versions::Version::parse(row.textAt("version")).value_or(versions::Version());
  auto line = [&](llvm::StringRef key) {
    return versions::CudaVersion::parse(row.textAt(key)).value_or(versions::CudaVersion());
  };
  floor.cuda = line("cuda");
  floor.serves = line("serves");
  return floor;
}

std::optional<std::vector<Judgement>> readJudgements(StringRef json) {
  support::TextError error;
  auto document = support::readJson(json, error);
  if (!document || !document->find("files"))
    return std::nullopt;
  std::vector<Judgement> judgements;
  for (const Value &row : document->listAt("files")) {
    Judgement &judgement = judgements.emplace_back();
    judgement.path = row.textAt("path").str();
    judgement.runtime = row.textAt("runtime").str();
    judgement.line =
        versions::CudaVersion::parse(row.textAt("line")).value_or(versions::CudaVersion());
    for (const Value &each : row.listAt("findings")) {
      auto finding = readFinding(each);
      if (!finding)
        return std::nullopt;
      judgement.verdict.add(std::move(*finding));
    }
    for (const Value &each : row.listAt("libraries"))
      judgement.floor.push_back(readFloor(each));
    for (const Value &each : row.listAt("excluded_by"))
      judgement.excludedBy.push_back(each.text);
    // What this reads decides as what was written.
    if (row.textAt("verdict") != str(judgement.verdict.outcome()))
      return std::nullopt;
  }
  return judgements;
}

} // namespace cudacc::commands
