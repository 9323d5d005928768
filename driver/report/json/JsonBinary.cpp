// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Object versionsJson(const std::map<std::string, std::string> &versions) {
  Object out;
  for (const auto &[soname, version] : versions)
    out[key(soname)] = fixed(version);
  return out;
}

static Value objectJson(const std::pair<core::ObjectRecord, uint64_t> &row) {
  const core::ObjectRecord &record = row.first;
  Object out{{"count", row.second}};
  put(out, "tool", record.tool);
  put(out, "toolkit", record.toolkit);
  put(out, "headers", record.headers);
  put(out, "host", record.host);
  return out;
}

void putTorch(Object &out, const versions::TorchRange &range) {
  if (!range.known())
    return;
  Array fits, unknown;
  for (const versions::TorchRange::Release &release : range.releases)
    if (release.has != versions::Exported::No)
      (release.has == versions::Exported::Yes ? fits : unknown).push_back(release.release);
  Object torch{{"imports", range.imports}, {"releases", std::move(fits)}};
  put(torch, "range", range.specifier());
  if (!unknown.empty())
    torch["unknown"] = std::move(unknown);
  out["torch"] = std::move(torch);
}

Object floorsJson(llvm::ArrayRef<core::LibraryFloor> floors) {
  Object out;
  for (const core::LibraryFloor &floor : floors)
    if (floor.known())
      out[key(floor.soname)] = fixed(floor.least.str());
  return out;
}

/// The same keys as in the record (docs/spec/manifest.md).
static Value linkJson(const core::LinkRecord &link) {
  Object out, target, toolkit, objects;
  put(out, "tool", link.tool);
  put(out, "policy", link.policy);
  put(target, "cuda", link.targetCuda);
  put(target, "spec", link.targetSpec);
  if (!link.targetLibs.empty())
    target["libs"] = versionsJson(link.targetLibs);
  if (!target.empty())
    out["target"] = std::move(target);
  put(toolkit, "max", link.toolkitMax);
  put(toolkit, "min", link.toolkitMin);
  if (!toolkit.empty())
    out["toolkit"] = std::move(toolkit);
  put(out, "host", link.host);
  put(out, "linker", link.linker);
  if (link.needed)
    out["needed"] = strings(*link.needed);
  if (!link.floor.empty())
    out["floor"] = versionsJson(link.floor);
  put(out, "torch", link.torch);
  put(out, "rpath", link.rpath);
  put(out, "cudart", link.cudart);
  if (link.sass)
    out["sass"] = strings(*link.sass);
  if (!link.ptxMax.empty())
    out["ptx"] = Object{{"max", link.ptxMax}};
  if (!link.ltoirMax.empty())
    out["ltoir"] = Object{{"max", link.ltoirMax}};
  if (link.develop)
    out["develop"] = 1;
  if (link.noted)
    objects["noted"] = *link.noted;
  if (link.unnoted)
    objects["unnoted"] = *link.unnoted;
  if (!objects.empty())
    out["objects"] = std::move(objects);
  if (link.waivers)
    out["waivers"] = strings(*link.waivers);
  put(out, "enforce", link.enforce);
  if (link.truncated)
    out["trunc"] = 1;
  return out;
}

static Value summaryJson(const core::SummaryRecord &summary) {
  using Summary = core::SummaryRecord;
  static constexpr std::pair<uint16_t, llvm::StringLiteral> names[] = {
      {Summary::Sealed, "sealed"},
      {Summary::DeviceCode, "device-code"},
      {Summary::Ptx, "ptx"},
      {Summary::LtoIr, "ltoir"},
      {Summary::Rdc, "rdc"},
      {Summary::Waiver, "waiver"},
      {Summary::Unnoted, "unnoted"},
      {Summary::StaticCudart, "static-cudart"},
      {Summary::CoarseFloor, "coarse-floor"}};
  Array flags;
  for (const auto &[bit, name] : names)
    if (summary.flags & bit)
      flags.push_back(name);
  Object out{{"schema", summary.schema},
             {"flags", std::move(flags)},
             {"crc", llvm::utohexstr(summary.linkCrc, true, 8)},
             {"crc_valid", summary.crcValid}};
  put(out, "toolkit", summary.toolkit);
  put(out, "target", summary.target);
  put(out, "floor", summary.floor);
  put(out, "ptx", summary.ptx);
  put(out, "ltoir", summary.ltoir);
  return out;
}

static Object manifestJson(const core::Manifest &manifest) {
  Object out{{"objects", array(manifest.objects, objectJson)},
             {"problems", strings(manifest.problems)}};
  if (!manifest.links.empty()) {
    out["link"] = linkJson(manifest.links.front());
    out["sealed"] = manifest.sealed;
  }
  // AV-W10: a file should have only one; a reader of `link` alone sees the first.
  if (manifest.links.size() > 1)
    out["links"] = array(manifest.links, linkJson);
  putList(out, "summaries", manifest.summaries, summaryJson);
  if (manifest.onlyInSections)
    out["only_in_sections"] = true;
  return out;
}

/// {FILE: [symbols]} for imports for which verneed names the library, and a list of the others.
static void putImports(Object &out, llvm::ArrayRef<core::Import> imports) {
  Object byFile;
  Array unversioned;
  for (const core::Import &import : imports) {
    if (import.file.empty()) {
      unversioned.push_back(fixed(import.symbol));
      continue;
    }
    Value &list = byFile[key(import.file)];
    if (!list.getAsArray())
      list = Array();
    list.getAsArray()->push_back(fixed(import.symbol));
  }
  out["imports"] = std::move(byFile);
  out["unversioned"] = std::move(unversioned);
}

static Array pathJson(bool has, llvm::ArrayRef<std::string> elements) {
  Array out = strings(elements);
  if (has && elements.empty())
    out.push_back("");
  return out;
}

static Value exportJson(const core::Export &each) {
  Object out{{"symbol", fixed(each.symbol)}};
  put(out, "version", each.version);
  if (each.isWeak)
    out["weak"] = true;
  return out;
}

Value toJson(const core::BinaryFacts &file) {
  Object out{{"path", fixed(file.path)},
             {"kind", core::str(file.kind)},
             {"manifest", manifestJson(file.manifest)}};
  if (const versions::Machine *machine = versions::machineOfElf(file.machine))
    put(out, "machine", machine->name);
  put(out, "not_audited", file.notAudited);
  bool dynamic =
      file.kind == core::BinaryKind::SharedObject || file.kind == core::BinaryKind::Executable;
  if (dynamic) {
    put(out, "soname", file.soname);
    out["needed"] = strings(file.needed);
    out["rpath"] = pathJson(file.hasRpath, file.rpath);
    out["runpath"] = pathJson(file.hasRunpath, file.runpath);
    out["executable_stack"] = file.executableStack;
    out["versions"] = strings(file.definedVersions);
  }
  bool archive = file.kind == core::BinaryKind::Archive;
  if (dynamic || archive || file.kind == core::BinaryKind::Relocatable) {
    putImports(out, file.imports);
    putDevice(out, file.device);
    out["dlopens"] = strings(file.dlopens);
    out["static_cudart"] = file.staticCudart;
    out["compiler_ir"] = file.compilerIr;
  }
  if (file.kind == core::BinaryKind::DeviceCode)
    putDevice(out, file.device);
  if (archive)
    out["members"] = array(file.members, [](const core::BinaryFacts::Member &member) {
      return Value(
          Object{{"name", fixed(member.name)}, {"manifest", manifestJson(member.manifest)}});
    });
  return out;
}

static Value evidenceJson(const core::Evidence &evidence) {
  Object out{{"id", fixed(evidence.id)}, {"text", fixed(evidence.text)}};
  put(out, "least", evidence.least);
  put(out, "most", evidence.most);
  return out;
}

static Value inspectedJson(const Inspected &file) {
  Value whole = toJson(file.facts);
  Object &out = *whole.getAsObject();
  if (file.facts.kind == core::BinaryKind::Other)
    return whole;
  out["floor"] = floorsJson(file.floor);
  putTorch(out, file.torch);
  out["evidence"] = array(file.evidence, evidenceJson);
  if (file.stableTorch) {
    Object torch;
    put(torch, "floor", *file.stableTorch);
    out["stable_torch"] = std::move(torch);
  }
  if (!file.pythonFloor.empty())
    out["abi3"] = Object{{"floor", file.pythonFloor}, {"beyond", strings(file.beyondLimitedApi)}};
  out["export_count"] = file.facts.exports.size();
  if (file.listsExports)
    out["exports"] = array(file.facts.exports, exportJson);
  return whole;
}

Value toJson(llvm::ArrayRef<Inspected> files) {
  return Object{{"schema", 1}, {"files", array(files, inspectedJson)}};
}

static llvm::StringRef homeOf(core::DeviceUnit::Home home) {
  static constexpr llvm::StringLiteral words[] = {"fatbin", "relocatable", "elsewhere"};
  return versions::entryOf<core::DeviceUnit::Home::Elsewhere>(words, home);
}

static Value imageJson(const core::DeviceImage &image, size_t unit) {
  Object out{{"unit", unit}, {"kind", str(image.kind)}, {"compression", str(image.compression)}};
  put(out, "arch", archOf(image));
  if (image.kind == core::ImageKind::Ptx)
    put(out, "ptx", image.version);
  if (image.kind == core::ImageKind::LtoIr)
    put(out, "ltoir", image.version);
  if (image.kind == core::ImageKind::Cubin && image.code != core::HasCode::Unknown) {
    out["code"] = image.code == core::HasCode::Yes;
    out["relocatable"] = image.relocatable;
  }
  return out;
}

void putDevice(Object &object, const core::DeviceCode &device) {
  Array images, units;
  for (size_t i = 0; i != device.units.size(); ++i) {
    const core::DeviceUnit &unit = device.units[i];
    units.push_back(Object{{"home", homeOf(unit.home)},
                           {"linked", unit.linked},
                           {"count", unit.count},
                           {"images", unit.images.size()}});
    for (const core::DeviceImage &image : unit.images)
      images.push_back(imageJson(image, i));
  }
  object["device"] = std::move(images);
  object["units"] = std::move(units);
  object["device_problems"] = Object{{"broken_wrappers", strings(device.brokenWrappers)},
                                     {"unknown", strings(device.unknown)},
                                     {"limits", strings(device.limits)},
                                     {"disagreements", strings(device.disagreements)}};
  object["device_sections"] = strings(device.otherSections);
}

} // namespace cudacc::report
