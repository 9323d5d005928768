// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Audit.h"
#include "driver/report/json/Json.h"
#include "driver/report/sarif/Sarif.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using testing::HasSubstr;
using testing::Not;

namespace {

core::AuditFinding auditRow(core::Code code, std::string target, unsigned line) {
  core::AuditFinding row;
  row.finding.code = code;
  row.finding.severity = core::severityOf(code);
  row.finding.message = "its link is not cuda-cc's";
  row.finding.facts = {{"link", "/usr/bin/c++ -o build/lib" + target + ".so"}};
  row.finding.fixes = {"cmake build -DX=/td/bin/cuda-cc"};
  row.target = std::move(target);
  row.step = "link";
  row.file = line ? "sub/CMakeLists.txt" : "";
  row.line = line;
  return row;
}

core::AuditReport auditReport() {
  core::AuditReport report;
  report.build = "build";
  report.system = "CMake 3.25.1, Ninja";
  report.runtime = "torch==2.5.1";
  report.targets = 12;
  report.cudaTargets = 8;
  report.artefacts = 1;
  return report;
}

size_t timesIn(llvm::StringRef text, llvm::StringRef what) { return text.count(what); }

} // namespace

TEST(AuditText, saysTheVerdictFirst) {
  core::AuditReport report = auditReport();
  EXPECT_EQ(report::text(report), "build: accept on torch==2.5.1 (12 targets, 8 with CUDA, 1 "
                                  "artefact read; CMake 3.25.1, Ninja)\n");
  report.findings.push_back(auditRow(core::Code::NotBuilt, "a", 3));
  EXPECT_THAT(report::text(report), testing::StartsWith("build: unknown on"));
  report.findings.push_back(auditRow(core::Code::OtherBuild, "b", 4));
  EXPECT_THAT(report::text(report), testing::StartsWith("build: unknown on"));
  report.findings.push_back(auditRow(core::Code::LinkRound, "c", 5));
  EXPECT_THAT(report::text(report), testing::StartsWith("build: reject on"));
}

TEST(AuditText, hasALineAsOfACompilerAndErrorsFirst) {
  core::AuditReport report = auditReport();
  report.findings.push_back(auditRow(core::Code::OtherBuild, "outer", 28));
  report.findings.push_back(auditRow(core::Code::LinkRound, "mixed", 9));
  std::string text = report::text(report);
  EXPECT_THAT(text, HasSubstr("\nsub/CMakeLists.txt:9: error: mixed: its link is not cuda-cc's "
                              "[CC6003]\n  link:  /usr/bin/c++ -o build/libmixed.so\n"));
  EXPECT_THAT(text, HasSubstr("\nsub/CMakeLists.txt:28: warning: outer: "));
  EXPECT_LT(text.find("CC6003"), text.find("CC6013"));
}

TEST(AuditText, whatHasOneCureStandsTogetherAndIsCutWhereItIsLong) {
  core::AuditReport report = auditReport();
  for (unsigned i = 0; i != 60; ++i)
    report.findings.push_back(auditRow(core::Code::LinkRound, "t" + std::to_string(i), i + 1));
  std::string text = report::text(report);
  EXPECT_EQ(timesIn(text, "fix: "), 1u);
  EXPECT_EQ(timesIn(text, "  link:"), 3u);
  EXPECT_EQ(timesIn(text, "[CC6003]"), 50u);
  EXPECT_THAT(text, HasSubstr("  and 10 targets more\n"));
}

TEST(AuditText, cannotBeBrokenByNames) {
  core::AuditReport report = auditReport();
  report.build = "b\x1b[2J";
  report.findings.push_back(auditRow(core::Code::LinkRound, "a\nb\x1b[1m", 1));
  report.findings.back().file = "x\x1b.txt";
  EXPECT_THAT(report::text(report), Not(HasSubstr("\x1b")));
  EXPECT_THAT(report::print(report::sarif(report, "1", 3)), Not(HasSubstr("\x1b")));
}

// {"schema":1,"build","findings":[{"code","target","step","file","line","message"}]}
TEST(AuditJson, hasTheKeysThatOthersRelyOn) {
  core::AuditReport report = auditReport();
  report.findings.push_back(auditRow(core::Code::LinkRound, "mixed", 9));
  report.findings.push_back(auditRow(core::Code::LinkDriver, "", 0));
  llvm::json::Value value = report::toJson(report);
  const llvm::json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getInteger("schema"), 1);
  EXPECT_EQ(root.getString("build"), "build");
  EXPECT_EQ(root.getString("verdict"), "reject");
  const llvm::json::Object &first = *(*root.getArray("findings"))[0].getAsObject();
  EXPECT_EQ(first.getString("code"), "CC6003");
  EXPECT_EQ(first.getString("target"), "mixed");
  EXPECT_EQ(first.getString("step"), "link");
  EXPECT_EQ(first.getString("file"), "sub/CMakeLists.txt");
  EXPECT_EQ(first.getInteger("line"), 9);
  EXPECT_EQ(first.getString("message"), "its link is not cuda-cc's");
  const llvm::json::Object &second = *(*root.getArray("findings"))[1].getAsObject();
  for (const char *absent : {"target", "file", "line"})
    EXPECT_FALSE(second.get(absent)) << absent;
}

TEST(AuditSarif, hasAResultAtTheLineOfTheProject) {
  core::AuditReport report = auditReport();
  report.findings.push_back(auditRow(core::Code::LinkRound, "mixed", 9));
  report.findings.push_back(auditRow(core::Code::LinkDriver, "", 0));
  std::string text = report::print(report::sarif(report, "0.3.0", 3));
  for (const char *part : {"\"startLine\": 9", "\"uri\": \"sub/CMakeLists.txt\"",
                           "\"uri\": \"build\"", "mixed: its link is not", "\"exitCode\": 3",
                           "\"ruleId\": \"CC6003\"", "\"target\": \"mixed\""})
    EXPECT_THAT(text, HasSubstr(part));
}

} // namespace cudacc::test
