// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/versions/Machine.h"

namespace cudacc::report {

using namespace core;
using llvm::json::Object;

static llvm::json::Value partJson(const FetchPart &part) {
  bool isWheel = part.source == FetchPart::Source::Wheel;
  Object out{{"part", part.part},
             {"source", isWheel ? "wheel" : "archive"},
             {"name", part.name},
             {"version", part.version}};
  put(out, "machine", part.machine);
  if (const versions::Machine *machine = versions::machineNamed(part.machine))
    out["target"] = machine->targets.front();
  put(out, "path", part.path);
  put(out, "sha256", part.sha256);
  if (part.bytes)
    out["bytes"] = part.bytes;
  if (part.unpacked)
    out["unpacked"] = part.unpacked;
  return out;
}

llvm::json::Value toJson(const FetchPlan &plan) {
  return Object{{"schema", 1},
                {"key", plan.key},
                {"release", plan.release},
                {"machine", plan.machine},
                {"parts", array(plan.parts, partJson)}};
}

llvm::json::Value toJson(const FetchReport &report) {
  Object out{{"schema", 1}};
  put(out, "nvcc", report.nvcc);
  if (!report.plan)
    return out;
  out = std::move(*toJson(*report.plan).getAsObject());
  out["folder"] = fixed(report.folder);
  out["kept"] = report.isKept;
  put(out, "base", report.base);
  out["license"] = Object{
      {"name", report.license}, {"text", report.licenseText}, {"accepted", report.isAccepted}};
  return out;
}

} // namespace cudacc::report
