// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/report/text/InspectParts.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using core::DeviceImage;
using core::DeviceUnit;
using core::ImageKind;

static std::string imageText(const DeviceImage &image) {
  std::string arch = archOf(image);
  if (arch.empty())
    arch = "unknown architecture";
  switch (image.kind) {
  case ImageKind::Ptx:
    return fmt::format("PTX ISA {} for {}", image.version.known() ? image.version.str() : "?",
                       arch);
  case ImageKind::LtoIr:
    return fmt::format("LTO-IR {} of {}", image.version.known() ? image.version.str() : "?", arch);
  case ImageKind::Unknown:
    return "an image of unknown kind for " + arch;
  case ImageKind::Cubin:
    break;
  }
  if (image.relocatable)
    return arch + " (relocatable)";
  return image.code == core::HasCode::No ? arch + " (no code)" : arch;
}

std::string unitText(const DeviceUnit &unit) {
  std::string out;
  if (unit.home == DeviceUnit::Home::Relocatable)
    out = "for run-time linking: ";
  else if (unit.home == DeviceUnit::Home::Elsewhere)
    out = "loaded by private code: ";
  else if (unit.linked)
    out = "device link: ";
  if (unit.images.empty())
    return out + "empty";
  std::vector<std::string> images, compressions;
  for (const DeviceImage &image : unit.images) {
    std::string text = imageText(image);
    if (!llvm::is_contained(images, text))
      images.push_back(std::move(text));
    std::string compression = str(image.compression).str();
    if (image.compression != core::Compression::None &&
        !llvm::is_contained(compressions, compression))
      compressions.push_back(std::move(compression));
  }
  out += llvm::join(images, ", ");
  return compressions.empty() ? out : fmt::format("{}; {}", out, llvm::join(compressions, ", "));
}

void addDevice(Block &block, const core::DeviceCode &device) {
  std::vector<std::pair<uint64_t, std::string>> units;
  for (const DeviceUnit &unit : device.units)
    units.emplace_back(unit.count, unitText(unit));
  llvm::StringRef label = "device code";
  if (!units.empty())
    block.addCounted(std::exchange(label, ""), units);
  if (!device.otherSections.empty())
    block.addText(std::exchange(label, ""),
                  "in other sections: " + support::joined(device.otherSections, ", ", printable));
  if (device.relocatable)
    block.addText(std::exchange(label, ""), "relocatable device code");
  if (device.managed)
    block.addText(std::exchange(label, ""), "managed variables");
  for (const auto *problems :
       {&device.brokenWrappers, &device.unknown, &device.limits, &device.disagreements})
    for (const std::string &problem : *problems)
      block.addText("problem", printable(problem));
}

static std::string spanText(const core::Evidence &evidence) {
  if (evidence.least.known() && evidence.least == evidence.most)
    return fmt::format("CUDA {}", evidence.least);
  if (evidence.least.known() && evidence.most.known())
    return fmt::format("CUDA {} to {}", evidence.least, evidence.most);
  if (evidence.least.known())
    return fmt::format("CUDA >= {}", evidence.least);
  return evidence.most.known() ? fmt::format("CUDA <= {}", evidence.most) : "";
}

void addEvidence(Block &block, const Inspected &file) {
  Rows floors, evidence;
  for (const core::LibraryFloor &floor : file.floor) {
    std::string version = floor.known() ? fmt::format(">= {}", floor.least) : "unknown";
    floors.push_back({printable(floor.soname), version, printable(floor.requirement)});
  }
  block.addTable("at least", std::move(floors));
  for (const core::Evidence &each : file.evidence)
    evidence.push_back({spanText(each), printable(each.text)});
  block.addTable("evidence", std::move(evidence));
}

void addExports(Block &block, const Inspected &file) {
  const core::BinaryFacts &facts = file.facts;
  if (facts.exports.empty())
    return;
  std::string head = count(facts.exports.size(), "name");
  if (!facts.definedVersions.empty()) {
    std::vector<llvm::StringRef> versions(facts.definedVersions.begin(),
                                          facts.definedVersions.end());
    head += ", versions " + symbolsText(versions);
  }
  block.addText("exports", head);
  if (!file.listsExports)
    return;
  std::string lines;
  for (const core::Export &each : facts.exports)
    lines += fmt::format("{}{}{}\n", printable(each.symbol),
                         each.version.empty() ? "" : "@" + printable(each.version),
                         each.isWeak ? " (weak)" : "");
  block.add("", lines);
}

} // namespace cudacc::report
