// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/report/text/InspectParts.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

using core::DeviceImage;
using core::DeviceUnit;
using core::ImageKind;

constexpr size_t symbolsShown = 3;

void Block::add(llvm::StringRef label, llvm::StringRef lines) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    text += std::string(indent, ' ') + painted(label, Paint::Dim, style);
    text.append(textColumn - indent - label.size(), ' ');
    text += line;
    text += '\n';
    label = "";
    lines = rest;
  }
}

void Block::addText(llvm::StringRef label, llvm::StringRef line) {
  add(label, wrapped(line, 0, 0, textColumns - textColumn) + "\n");
}

void Block::addTable(llvm::StringRef label, Rows rows) {
  size_t left = rows.size() > rowsShown ? rows.size() - rowsShown : 0;
  rows.resize(rows.size() - left);
  add(label, table(rows, 0, textColumns - textColumn));
  if (left)
    add("", fmt::format("and {} more\n", left));
}

void Block::addCounted(llvm::StringRef label,
                       llvm::ArrayRef<std::pair<uint64_t, std::string>> rows) {
  size_t widest = 0;
  for (const auto &[number, text] : rows)
    widest = std::max(widest, fmt::formatted_size("{}", number));
  Rows cells;
  for (const auto &[number, text] : rows)
    cells.push_back({fmt::format("{:>{}}x", number, widest), text});
  addTable(label, std::move(cells));
}

static std::string title(const core::BinaryFacts &file) {
  std::string out = fmt::format("{}: {}", printable(file.path), core::str(file.kind));
  if (file.machine)
    out += ", " + versions::describeMachine(file.machine);
  if (!file.soname.empty())
    out += ", SONAME " + printable(file.soname);
  return out;
}

std::string symbolsText(llvm::ArrayRef<llvm::StringRef> symbols) {
  std::string out = support::joined(symbols.take_front(symbolsShown), ", ", printable);
  if (symbols.size() > symbolsShown)
    out += fmt::format(" and {} more", symbols.size() - symbolsShown);
  return out;
}

static void addNeeded(Block &block, const core::BinaryFacts &file,
                      llvm::function_ref<bool(llvm::StringRef)> isNvidia) {
  std::map<llvm::StringRef, std::vector<llvm::StringRef>> byFile;
  for (const core::Import &import : file.imports)
    if (!import.file.empty())
      byFile[import.file].push_back(import.symbol);
  Rows rows;
  std::vector<std::string> others;
  for (const std::string &needed : file.needed) {
    if (!isNvidia(needed)) {
      others.push_back(printable(needed));
      continue;
    }
    auto symbols = byFile.find(needed);
    // An empty list does not mean that nothing is used: unversioned imports name no library (SY-1).
    rows.push_back(
        {printable(needed), symbols == byFile.end() ? "" : symbolsText(symbols->second)});
  }
  for (const auto &[name, symbols] : byFile)
    if (isNvidia(name) && !llvm::is_contained(file.needed, name))
      rows.push_back({printable(name), "not in NEEDED: " + symbolsText(symbols)});
  if (rows.empty() && others.empty())
    return block.addText("needs", "nothing");
  llvm::StringRef label = "needs";
  if (!rows.empty())
    block.addTable(std::exchange(label, ""), std::move(rows));
  if (!others.empty())
    block.addText(label, llvm::join(others, ", "));
}

static void addSearchPath(Block &block, llvm::StringRef tag, llvm::ArrayRef<std::string> elements) {
  Rows rows;
  for (const std::string &element : elements)
    rows.push_back(
        {"", element.empty() ? "(an empty element: the working directory)" : printable(element)});
  if (rows.empty())
    rows.push_back({"", "(an empty element: the working directory)"});
  rows.front()[0] = tag.str();
  block.addTable("search path", std::move(rows));
}

static bool isDynamic(const core::BinaryFacts &file) {
  return file.kind == core::BinaryKind::SharedObject || file.kind == core::BinaryKind::Executable;
}

static void addSearchPaths(Block &block, const core::BinaryFacts &file) {
  if (file.hasRpath)
    addSearchPath(block, "RPATH", file.rpath);
  if (file.hasRunpath)
    addSearchPath(block, "RUNPATH", file.runpath);
  if (!file.hasRpath && !file.hasRunpath)
    block.addText("search path", "none");
  if (!file.dlopens.empty())
    block.addText("opens", support::joined(file.dlopens, ", ", printable));
  if (file.executableStack)
    block.addText("stack", "executable [CC4010]");
}

/// Undefined symbols of an object or archive that CUDA libraries must define.
static void addUndefined(Block &block, const core::BinaryFacts &file) {
  if (file.compilerIr)
    block.addText("imports", "compiler IR: what it needs shows at the link only");
  else if (!file.imports.empty())
    block.addText("imports", count(file.imports.size(), "undefined symbol"));
}

static void addStableAbis(Block &block, const Inspected &file) {
  if (file.stableTorch)
    block.addText("torch", "stable ABI alone" +
                               (file.stableTorch->empty() ? "" : ", >=" + *file.stableTorch));
  if (file.pythonFloor.empty())
    return;
  block.addText("Python", "abi3, Python >= " + file.pythonFloor);
  Rows rows;
  for (const std::string &name : file.beyondLimitedApi)
    rows.push_back({fmt::format("beyond the limited API: {} [CC4128]", printable(name))});
  if (!rows.empty())
    block.addTable("", std::move(rows));
}

std::string targetText(const core::LinkRecord &link) {
  if (link.targetSpec.empty() && link.targetCuda.empty())
    return "no runtime was declared";
  if (link.targetSpec.empty())
    return "for CUDA " + printable(link.targetCuda);
  std::string out = "for " + printable(link.targetSpec);
  return link.targetCuda.empty() ? out
                                 : fmt::format("{} (CUDA {})", out, printable(link.targetCuda));
}

std::vector<std::string> builtWith(const core::LinkRecord &link) {
  std::vector<std::string> built;
  if (!link.toolkitMax.empty())
    built.push_back(fmt::format("CUDA {}{}",
                                link.toolkitMin.empty() || link.toolkitMin == link.toolkitMax
                                    ? ""
                                    : printable(link.toolkitMin) + " to ",
                                printable(link.toolkitMax)));
  if (!link.host.empty())
    built.push_back(printable(link.host));
  if (!link.linker.empty())
    built.push_back(printable(link.linker));
  if (!link.cudart.empty())
    built.push_back("cudart " + printable(link.cudart));
  return built;
}

static void addLink(Block &block, const core::LinkRecord &link, bool sealed) {
  std::string head = targetText(link) + (sealed ? ", sealed" : ", not sealed");
  if (!link.tool.empty())
    head += ", by " + printable(link.tool);
  block.addText("manifest", head);
  if (!link.enforce.empty())
    block.addText("", "enforce = " + printable(link.enforce));
  if (link.develop)
    block.addText("", "develop: its search path names directories of the build machine");
  if (link.waivers)
    for (const std::string &waiver : *link.waivers)
      block.addText("", "waived: " + printable(waiver));
  std::vector<std::string> built = builtWith(link);
  if (!built.empty())
    block.addText("built with", llvm::join(built, ", "));
  Rows floor;
  for (const auto &[soname, version] : link.floor)
    floor.push_back({printable(soname), ">= " + printable(version)});
  if (!link.torch.empty())
    floor.push_back({"torch", printable(link.torch)});
  block.addTable("floor", std::move(floor));
}

std::string recordText(const core::ObjectRecord &record) {
  std::vector<std::string> parts;
  if (!record.toolkit.empty())
    parts.push_back("nvcc " + printable(record.toolkit));
  if (!record.headers.empty())
    parts.push_back("headers " + printable(record.headers));
  if (!record.host.empty())
    parts.push_back(printable(record.host));
  if (!record.tool.empty())
    parts.push_back(printable(record.tool));
  return parts.empty() ? "a record without facts" : llvm::join(parts, ", ");
}

/// Objects of the link that have no record, which the records above do not show.
static std::string unnotedText(const core::Manifest &manifest) {
  if (manifest.links.empty())
    return "";
  const core::LinkRecord &link = manifest.links.front();
  uint64_t noted = 0;
  for (const auto &[record, count] : manifest.objects)
    noted += count;
  if (!link.unnoted)
    return "how many have no record is unknown";
  if (*link.unnoted == 0)
    return "";
  return fmt::format("{} of {} without a record", *link.unnoted, noted + *link.unnoted);
}

static void addManifest(Block &block, const core::Manifest &manifest) {
  if (manifest.empty())
    block.addText("manifest", "none");
  for (const core::LinkRecord &link : manifest.links)
    addLink(block, link, manifest.sealed);
  if (manifest.links.size() > 1)
    block.addText("", "more than one link record [CC4110]");
  if (manifest.onlyInSections)
    block.addText("", "in sections only: nothing of it is seen at run time");
  std::vector<std::pair<uint64_t, std::string>> objects;
  for (const auto &[record, count] : manifest.objects)
    objects.emplace_back(count, recordText(record));
  block.addCounted("objects", objects);
  if (std::string text = unnotedText(manifest); !text.empty())
    block.addText(manifest.objects.empty() ? "objects" : "", text);
  for (const std::string &problem : manifest.problems)
    block.addText("problem", printable(problem));
}

static void addMembers(Block &block, llvm::ArrayRef<core::BinaryFacts::Member> members) {
  Rows rows;
  for (const core::BinaryFacts::Member &member : members) {
    std::string name = printable(member.name);
    for (const auto &[record, count] : member.manifest.objects)
      rows.push_back({std::exchange(name, ""),
                      (count > 1 ? fmt::format("{}x ", count) : "") + recordText(record)});
    if (member.manifest.objects.empty())
      rows.push_back({name, "no object record"});
  }
  if (rows.empty())
    block.addText("members", "none with a record");
  block.addTable("members", std::move(rows));
}

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

static void addDevice(Block &block, const core::DeviceCode &device) {
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

static void addEvidence(Block &block, const Inspected &file) {
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

static void addExports(Block &block, const Inspected &file) {
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

std::string inspect(const Inspected &inspected, llvm::function_ref<bool(llvm::StringRef)> isNvidia,
                    Style style) {
  const core::BinaryFacts &file = inspected.facts;
  Block block{title(file) + "\n", style};
  if (!file.notAudited.empty()) {
    block.addText("not audited", printable(file.notAudited));
    return block.text;
  }
  if (file.kind == core::BinaryKind::Archive) {
    addMembers(block, file.members);
    for (const std::string &problem : file.manifest.problems)
      block.addText("problem", printable(problem));
  } else if (file.kind != core::BinaryKind::DeviceCode) {
    // Files of all these kinds are inputs or outputs of ld and should have a manifest.
    addManifest(block, file.manifest);
  }
  if (isDynamic(file)) {
    addNeeded(block, file, isNvidia);
    if (inspected.torch.known() && !inspected.stableTorch)
      block.addText("torch", fmt::format("{}, by {} that it imports", inspected.torch.text(),
                                         count(inspected.torch.imports, "name")));
    addSearchPaths(block, file);
  } else {
    addUndefined(block, file);
  }
  addStableAbis(block, inspected);
  addEvidence(block, inspected);
  addDevice(block, file.device);
  addExports(block, inspected);
  return block.text;
}

} // namespace cudacc::report
