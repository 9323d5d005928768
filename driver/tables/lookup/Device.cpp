// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/DeviceRows.h"
#include "driver/tables/lookup/SymbolNames.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/tables/lookup/TextTable.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using versions::Arch;
using versions::CudaVersion;

/// By PTX ISA the CUDA version that translates it.
static const rows::VersionPairs &isas() {
  static const auto all = rows::readTable<rows::VersionPairs::value_type>("isas");
  return all;
}

/// By CUDA line the PTX ISA that it writes.
static const rows::VersionPairs &ptxVersions() {
  static const auto all = rows::readTable<rows::VersionPairs::value_type>("ptxVersions");
  return all;
}

static const std::vector<rows::ArchRow> &archs() {
  static const auto all = rows::readTable<rows::ArchRow>("archs");
  return all;
}

static const std::vector<rows::PipeRow> &pipes() {
  static const auto all = rows::readTable<rows::PipeRow>("pipes");
  return all;
}

/// The first driver of each line, sorted by line, which is also by driver.
static const std::vector<std::pair<StringRef, CudaVersion>> &driverCudas() {
  static const auto all = rows::readTable<std::pair<StringRef, CudaVersion>>("driverCudas");
  return all;
}

std::optional<CudaVersion> minCudaOfPtx(CudaVersion isa) {
  const CudaVersion *least = rows::valueOf(isas(), isa);
  return least ? std::optional(*least) : std::nullopt;
}

Works translatesPtx(CudaVersion cuda, CudaVersion isa) {
  const auto &[oldest, oldestTaker] = isas().front();
  const auto &[newest, newestTaker] = isas().back();
  if (!cuda.known() || !isa.known())
    return Works::Unknown;
  if (isa < oldest)
    return cuda >= oldestTaker ? Works::Yes : Works::Unknown;
  if (isa > newest)
    return cuda <= newestTaker ? Works::No : Works::Unknown;
  auto least = minCudaOfPtx(isa);
  if (!least)
    return Works::Unknown;
  return *least <= cuda ? Works::Yes : Works::No;
}

static const rows::ArchRow *find(Arch arch) {
  auto it = llvm::find_if(archs(), [&](const rows::ArchRow &row) { return row.name == arch; });
  return it == archs().end() ? nullptr : &*it;
}

/// sm_arch covers the same lines as ctk_ptx.
static bool covered(CudaVersion line) { return rows::valueOf(ptxVersions(), line); }

static bool knows(CudaVersion line, const rows::ArchRow &row) {
  return row.first <= line && (!row.last.known() || line <= row.last);
}

Works knowsArch(CudaVersion line, Arch arch) {
  if (!covered(line))
    return Works::Unknown;
  const rows::ArchRow *row = find(arch);
  return row && knows(line, *row) ? Works::Yes : Works::No;
}

bool isEmbedded(Arch arch) {
  return llvm::any_of(archs(), [&](const rows::ArchRow &row) {
    return row.name.number == arch.number && row.embedded;
  });
}

llvm::SmallVector<Arch, 16> archsFrom(Arch least, CudaVersion line) {
  llvm::SmallVector<Arch, 16> all;
  if (!covered(line))
    return all;
  for (const rows::ArchRow &row : archs())
    if (!row.name.suffix && !row.embedded && row.name.number >= least.number && knows(line, row))
      all.push_back(row.name);
  return all;
}

llvm::SmallVector<Arch, 48> knownArchs() {
  llvm::SmallVector<Arch, 48> all;
  for (const rows::ArchRow &row : archs())
    all.push_back(row.name);
  return all;
}

std::optional<FirstPtx> firstPtxOf(Arch arch) {
  const rows::ArchRow *row = find(arch);
  return row ? std::optional(FirstPtx{row->firstPtx, row->firstPtxAtMost}) : std::nullopt;
}

llvm::SmallVector<uint16_t, 4> familyOf(Arch arch) {
  const rows::ArchRow *row = find(arch);
  return row ? row->family : llvm::SmallVector<uint16_t, 4>();
}

llvm::SmallVector<CudaVersion, 3> linesOfLtoIr(CudaVersion version) {
  static const auto all = rows::readTable<rows::VersionPairs::value_type>("ltoIrs");
  llvm::SmallVector<CudaVersion, 3> lines;
  for (const auto &[line, written] : all)
    if (written == version)
      lines.push_back(line);
  return lines;
}

Works nvJitLinkTakes(core::ImageKind kind, CudaVersion producer, CudaVersion consumer) {
  for (const rows::PipeRow &row : pipes())
    if (row.kind == kind && row.producer == producer && row.consumer == consumer)
      return row.takes ? Works::Yes : Works::No;
  return Works::Unknown;
}

bool majorsWork(core::ImageKind kind, unsigned producerMajor, unsigned consumerMajor) {
  return llvm::any_of(pipes(), [&](const rows::PipeRow &row) {
    return row.kind == kind && row.producer.major == producerMajor &&
           row.consumer.major == consumerMajor && row.producer <= row.consumer && row.takes;
  });
}

std::optional<DriverCuda> cudaOfDriver(const versions::Version &driver) {
  std::optional<DriverCuda> last;
  for (const auto &[text, cuda] : driverCudas()) {
    auto first = *versions::Version::parse(text);
    bool sameBranch = first.at(0) == driver.at(0);
    if (first > driver && !sameBranch)
      break;
    last = {cuda, sameBranch};
  }
  return last;
}

StringRef firstDriverOf(CudaVersion line) {
  for (const auto &[driver, cuda] : driverCudas())
    if (cuda == line)
      return driver;
  return {};
}

StringRef driverFloor(unsigned cudaMajor) {
  static const auto all = rows::readTable<std::pair<unsigned, StringRef>>("driverFloors");
  const StringRef *floor = rows::valueOf(all, cudaMajor);
  return floor ? *floor : StringRef();
}

CudaVersion ptxOf(CudaVersion line) {
  const CudaVersion *isa = rows::valueOf(ptxVersions(), line);
  return isa ? *isa : CudaVersion();
}

std::optional<DriverSince> driverSince(llvm::StringRef symbol) {
  for (llvm::StringRef suffix : {"_ptsz", "_ptds"})
    if (symbol.consume_back(suffix))
      break;
  auto name = rows::findName(symbol);
  if (!name)
    return std::nullopt;
  auto rows = rows::driverNames();
  auto it = llvm::lower_bound(
      rows, *name, [](const rows::DriverNameRow &row, auto wanted) { return row.name < wanted; });
  if (it == rows.end() || it->name != *name)
    return std::nullopt;
  return DriverSince{{it->major, it->minor}, it->atMost != 0};
}

versions::Exported driverExports(versions::CudaVersion cuda, llvm::StringRef symbol) {
  auto since = driverSince(symbol);
  if (!since || !cuda.known())
    return versions::Exported::Unknown;
  if (since->cuda <= cuda)
    return versions::Exported::Yes;
  return since->atMost ? versions::Exported::Unknown : versions::Exported::No;
}

} // namespace cudacc::tables
