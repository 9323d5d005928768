// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/versions/EnumWords.h"

namespace cudacc::commands {

using namespace report;
using llvm::json::Array;
using llvm::json::Object;

/// Indexed by Diagnosis::Ends.
static constexpr llvm::StringLiteral endingWords[] = {"loads", "fails", "aborts", "first-call"};

static llvm::json::Value driverJson(const probe::RunningDriver &driver) {
  Object out{{"present", driver.present()}};
  put(out, "path", driver.path);
  put(out, "release", driver.release);
  put(out, "kernel", driver.kernel);
  put(out, "cuda", driver.cuda);
  put(out, "evidence", driver.evidence);
  if (driver.isStub)
    out["stub"] = true;
  return out;
}

static llvm::json::Value copyJson(const policy::FoundCopy &copy) {
  Object out{{"soname", fixed(copy.soname)}, {"path", fixed(copy.path)}, {"where", copy.where}};
  put(out, "dist", copy.dist);
  put(out, "version", copy.version);
  put(out, "cuda", copy.cuda);
  return out;
}

static llvm::json::Value toolkitJson(const core::FoundToolkit &toolkit) {
  Object out{{"root", fixed(toolkit.root)}};
  put(out, "cuda", toolkit.cuda);
  return out;
}

static llvm::json::Value loadedJson(const core::LoadedCopy &copy) {
  Object out{
      {"name", fixed(copy.name)}, {"path", fixed(copy.path)}, {"because", fixed(copy.because)}};
  put(out, "brought_by", copy.broughtBy);
  put(out, "asked_by", copy.askedBy);
  put(out, "version", copy.version);
  put(out, "cuda", copy.cuda);
  return out;
}

static llvm::json::Value remedyJson(const policy::Remedy &remedy) {
  Object out{{"kind", policy::str(remedy.kind)},
             {"text", fixed(remedy.text)},
             {"commands", strings(remedy.commands)},
             {"after", core::str(remedy.after)}};
  put(out, "price", remedy.price);
  return out;
}

static llvm::json::Value environmentJson(const DoctorReport &report) {
  Object out{
      {"driver", driverJson(report.driver)},
      {"toolkits", array(report.toolkits, toolkitJson)},
      {"libraries", array(report.copies, copyJson)},
      {"library_path", strings(report.libraryPath)},
      {"before", strings(report.before)},
      {"problems", array(report.problems, [](const core::Finding &each) { return toJson(each); })}};
  put(out, "prefix", report.prefix);
  put(out, "found_by", report.why);
  put(out, "python", report.python);
  put(out, "torch", report.torch);
  put(out, "cuda", report.line);
  return out;
}

llvm::json::Value doctorJson(const DoctorReport &report) {
  llvm::json::Value document = toJson(judgementsOf(report), {});
  Object &out = *document.getAsObject();
  out["environment"] = environmentJson(report);
  Array &files = *out.getArray("files");
  for (size_t i = 0; i != report.files.size(); ++i) {
    const Diagnosis &diagnosis = report.files[i];
    Object &file = *files[i].getAsObject();
    file["ends"] = versions::entryOf<Diagnosis::Ends::FirstCall>(endingWords, diagnosis.ends);
    put(file, "predicted", diagnosis.predicted);
    file["loaded"] = array(diagnosis.loaded, loadedJson);
    file["remedies"] = array(diagnosis.remedies, remedyJson);
  }
  return document;
}

} // namespace cudacc::commands
