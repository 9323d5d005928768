// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Compose.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace cudacc::binary {

using namespace core;
using namespace versions;

/// Sets the newest and oldest toolkit of the object records, each as its record spells it.
static void spanToolkits(const Manifest &manifest, LinkRecord &record, SummaryRecord &summary) {
  CudaVersion oldest;
  for (const auto &[object, count] : manifest.objects) {
    const std::string &text = object.toolkit.empty() ? object.headers : object.toolkit;
    auto version = CudaVersion::parse(text);
    if (!version)
      continue;
    if (*version >= summary.toolkit)
      record.toolkitMax = text, summary.toolkit = *version;
    if (!oldest.known() || *version <= oldest)
      record.toolkitMin = text, oldest = *version;
  }
}

static void describeDevice(const DeviceCode &device, LinkRecord &record, SummaryRecord &summary) {
  std::set<Arch> archs;
  for (const DeviceUnit &unit : device.units) {
    for (const DeviceImage &image : unit.images) {
      if (image.kind == ImageKind::Ptx)
        summary.ptx = std::max(summary.ptx, image.version);
      else if (image.kind == ImageKind::LtoIr)
        summary.ltoir = std::max(summary.ltoir, image.version);
      else if (image.kind == ImageKind::Cubin && image.code != HasCode::No && !image.relocatable)
        archs.insert(image.arch);
    }
    if (unit.home == DeviceUnit::Home::Relocatable)
      summary.flags |= SummaryRecord::Rdc;
  }
  record.sass.emplace();
  for (const Arch &arch : archs)
    record.sass->push_back(arch.str());
  if (summary.ptx.known())
    record.ptxMax = summary.ptx.str(), summary.flags |= SummaryRecord::Ptx;
  if (summary.ltoir.known())
    record.ltoirMax = summary.ltoir.str(), summary.flags |= SummaryRecord::LtoIr;
  if (!device.empty())
    summary.flags |= SummaryRecord::DeviceCode;
}

/// A minor release describes a floor completely only if its first release has every name and no
/// later release lacks one (SummaryRecord::CoarseFloor).
static bool isCoarse(const LibraryFloor &floor, unsigned major) {
  if (!floor.exceptions.empty())
    return true;
  auto table = tables::SymbolTable::find(floor.soname, major);
  if (!table)
    return false;
  for (size_t i = 0; i != table->size(); ++i)
    if (table->at(i).toolkit == floor.cuda)
      return table->at(i).version != floor.least.str();
  return false;
}

static void describeFloors(const RecordSources &sources, LinkRecord &record,
                           SummaryRecord &summary) {
  bool whole = true;
  for (const LibraryFloor &floor : sources.floors) {
    if (!floor.known() || !floor.unknown.empty()) {
      whole = false;
      continue;
    }
    record.floor[floor.soname] = floor.least.str();
    summary.floor = std::max(summary.floor, floor.cuda);
    if (isCoarse(floor, sources.major))
      summary.flags |= SummaryRecord::CoarseFloor;
  }
  if (!whole)
    summary.floor = {};
}

/// Counts the units with and without a record, as far as the link line shows them.
static void countUnits(const RecordSources &sources, LinkRecord &record) {
  uint64_t noted = 0;
  for (const auto &[object, count] : sources.facts->manifest.objects)
    noted += count;
  record.noted = noted;
  // Members of an archive may have contributed any of the records, so the remainder is unknown.
  uint64_t named = sources.units.named;
  if (!sources.units.hasArchives || noted == 0)
    record.unnoted = named > noted ? named - noted : 0;
}

static void describeLoading(const RecordSources &sources, LinkRecord &record) {
  const BinaryFacts &facts = *sources.facts;
  record.needed.emplace();
  for (const std::string &needed : facts.needed)
    if (tables::libraryByFileName(needed))
      record.needed->push_back(needed);
  record.rpath = facts.hasRpath ? "rpath" : facts.hasRunpath ? "runpath" : "none";
  bool isShared = llvm::any_of(
      facts.needed, [](llvm::StringRef name) { return name.starts_with("libcudart.so"); });
  record.cudart = isShared ? "shared" : sources.hasStaticCudart ? "static" : "none";
}

std::pair<LinkRecord, SummaryRecord> composeRecords(LinkRecord record,
                                                    const RecordSources &sources) {
  SummaryRecord summary;
  summary.target = sources.line;
  spanToolkits(sources.facts->manifest, record, summary);
  describeLoading(sources, record);
  describeDevice(sources.facts->device, record, summary);
  if (sources.major)
    describeFloors(sources, record, summary);
  record.torch = sources.torch;
  countUnits(sources, record);
  if (record.unnoted.value_or(1))
    summary.flags |= SummaryRecord::Unnoted;
  if (record.cudart == "static")
    summary.flags |= SummaryRecord::StaticCudart;
  if (!record.waivers->empty() || !record.enforce.empty())
    summary.flags |= SummaryRecord::Waiver;
  return {std::move(record), summary};
}

} // namespace cudacc::binary
