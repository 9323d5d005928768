// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Repaired.h"
#include "driver/commands/wheel/VariantFiles.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Layout.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace report;
using llvm::json::Object;

static llvm::json::Value libraryJson(const core::LibraryFloor &floor) {
  Object out{{"soname", fixed(floor.soname)}};
  put(out, "distribution", floor.dist);
  if (floor.known())
    out["at_least"] = floor.least.str();
  put(out, "requirement", floor.requirement);
  return out;
}

static llvm::json::Value lineJson(const policy::WheelLine &line) {
  Object out{{"cuda_major", line.major}, {"libraries", array(line.floors, libraryJson)}};
  put(out, "extra", line.extra);
  return out;
}

/// What the wheel was made for, and by what it is brought; common to both documents.
static Object targetJson(const Repaired &repaired) {
  Object out{
      {"schema", 1},
      {"runtimes", strings(repaired.runtimes)},
      {"cuda", array(repaired.cuda, [](auto line) -> llvm::json::Value { return line.str(); })},
      {"lines", array(repaired.lines, lineJson)},
      {"requires", str(repaired.requirements.mode)},
      {"external", strings(repaired.external)}};
  if (repaired.torch.known())
    out["torch"] = repaired.torch.specifier();
  put(out, "torch_build", repaired.torchTag);
  return out;
}

std::string cudaTargetText(const Repaired &repaired) { return report::print(targetJson(repaired)); }

llvm::json::Value repairJson(const Repaired &repaired) {
  Object out = targetJson(repaired);
  out["input"] = fixed(repaired.input);
  out["input_size"] = repaired.inputSize;
  out["output"] = fixed(repaired.output);
  out["output_size"] = repaired.outputSize;
  out["removed"] = strings(repaired.removed);
  out["grafted"] = strings(repaired.grafted);
  out["unchecked"] = strings(repaired.unjudged);
  out["added"] = strings(repaired.requirements.added);
  out["stated"] = strings(repaired.requirements.stated);
  out["extras"] = strings(repaired.requirements.extras);
  if (repaired.variant)
    out["variant"] = Object{{"draft", true},
                            {"label", repaired.variant->label()},
                            {"properties", strings(propertyTexts(*repaired.variant))},
                            {"index", fixed(repaired.variantIndex)}};
  return out;
}

static void addList(std::string &out, llvm::StringRef label, llvm::ArrayRef<std::string> items) {
  for (const std::string &item : items) {
    out += fmt::format("  {:<10} {}\n", label, printable(item));
    label = "";
  }
}

std::string repairText(const Repaired &repaired) {
  std::string out =
      fmt::format("repaired: {} ({}, was {})\n", printable(repaired.output),
                  support::bytesText(repaired.outputSize), support::bytesText(repaired.inputSize));
  addList(out, "for:", repaired.runtimes);
  addList(out, "requires:", repaired.requirements.added);
  addList(out, "stated:", repaired.requirements.stated);
  addList(out, "extras:", repaired.requirements.extras);
  addList(out, "external:", repaired.external);
  addList(out, "removed:", repaired.removed);
  addList(out, "copied in:", repaired.grafted);
  addList(out, "unchecked:", repaired.unjudged);
  if (!repaired.unjudged.empty())
    out += "  name a runtime of each CUDA line to check them: --runtime REQ --runtime REQ\n";
  if (repaired.variant) {
    addList(out, "variant:", propertyTexts(*repaired.variant));
    addList(out, "listed in:", {repaired.variantIndex});
    out += "  draft: installers that do not know PEP 825 refuse the name of this file\n";
  }
  return out;
}

} // namespace cudacc::commands
