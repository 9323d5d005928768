// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Audit.h"

namespace cudacc::report {

using llvm::json::Object;
using llvm::json::Value;

/// The usual keys of a finding, and its place in the project.
static Value rowJson(const core::AuditFinding &row) {
  Value out = toJson(row.finding);
  Object &object = *out.getAsObject();
  put(object, "target", row.target);
  put(object, "step", row.step);
  put(object, "file", row.file);
  if (row.line)
    object["line"] = row.line;
  return out;
}

Value toJson(const core::AuditReport &report) {
  Object out{{"schema", 1},
             {"build", fixed(report.build)},
             {"verdict", core::str(report.verdict().outcome())},
             {"targets", report.targets},
             {"cuda_targets", report.cudaTargets},
             {"artefacts", report.artefacts},
             {"findings", array(report.findings, rowJson)}};
  put(out, "system", report.system);
  put(out, "runtime", report.runtime);
  return out;
}

} // namespace cudacc::report
