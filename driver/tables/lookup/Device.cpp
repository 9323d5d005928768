// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/SymbolNames.h"
#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

using versions::Arch;
using versions::CudaVersion;

std::optional<CudaVersion> minCudaOfPtx(CudaVersion isa) {
  for (const rows::PairRow &row : rows::isas())
    if (row.first() == isa)
      return row.second();
  return std::nullopt;
}

Works translatesPtx(CudaVersion cuda, CudaVersion isa) {
  auto rows = rows::isas();
  if (!cuda.known() || !isa.known())
    return Works::Unknown;
  if (isa < rows.front().first())
    return cuda >= rows.front().second() ? Works::Yes : Works::Unknown;
  if (isa > rows.back().first())
    return cuda <= rows.back().second() ? Works::No : Works::Unknown;
  auto least = minCudaOfPtx(isa);
  if (!least)
    return Works::Unknown;
  return *least <= cuda ? Works::Yes : Works::No;
}

static Arch nameOf(const rows::ArchRow &row) { return {row.number, row.suffix}; }

static const rows::ArchRow *find(Arch arch) {
  auto rows = rows::archs();
  auto it = llvm::find_if(rows, [&](const auto &row) { return nameOf(row) == arch; });
  return it == rows.end() ? nullptr : it;
}

/// sm_arch covers the same lines as ctk_ptx.
static bool covered(CudaVersion line) {
  return llvm::any_of(rows::ptxVersions(),
                      [&](const rows::PairRow &row) { return row.first() == line; });
}

static bool knows(CudaVersion line, const rows::ArchRow &row) {
  CudaVersion last{row.lastMajor, row.lastMinor};
  return CudaVersion{row.firstMajor, row.firstMinor} <= line && (!last.known() || line <= last);
}

Works knowsArch(CudaVersion line, Arch arch) {
  if (!covered(line))
    return Works::Unknown;
  const rows::ArchRow *row = find(arch);
  return row && knows(line, *row) ? Works::Yes : Works::No;
}

bool isEmbedded(Arch arch) {
  return llvm::any_of(rows::archs(), [&](const rows::ArchRow &row) {
    return row.number == arch.number && row.embedded;
  });
}

llvm::SmallVector<Arch, 16> archsFrom(Arch least, CudaVersion line) {
  llvm::SmallVector<Arch, 16> all;
  if (!covered(line))
    return all;
  for (const rows::ArchRow &row : rows::archs())
    if (!row.suffix && !row.embedded && row.number >= least.number && knows(line, row))
      all.push_back(nameOf(row));
  return all;
}

llvm::SmallVector<Arch, 48> knownArchs() {
  llvm::SmallVector<Arch, 48> all;
  for (const rows::ArchRow &row : rows::archs())
    all.push_back(nameOf(row));
  return all;
}

std::optional<FirstPtx> firstPtxOf(Arch arch) {
  const rows::ArchRow *row = find(arch);
  if (!row)
    return std::nullopt;
  return FirstPtx{{row->ptxMajor, row->ptxMinor}, row->ptxAtMost != 0};
}

llvm::SmallVector<uint16_t, 4> familyOf(Arch arch) {
  llvm::SmallVector<uint16_t, 4> family;
  if (const rows::ArchRow *row = find(arch))
    llvm::append_range(family, rows::list(row->family));
  return family;
}

llvm::SmallVector<CudaVersion, 3> linesOfLtoIr(CudaVersion version) {
  llvm::SmallVector<CudaVersion, 3> lines;
  for (const rows::PairRow &row : rows::ltoIrs())
    if (row.second() == version)
      lines.push_back(row.first());
  return lines;
}

Works nvJitLinkTakes(core::ImageKind kind, CudaVersion producer, CudaVersion consumer) {
  for (const rows::PipeRow &row : rows::pipes())
    if (row.kind == uint8_t(kind) &&
        CudaVersion{row.producerMajor, row.producerMinor} == producer &&
        CudaVersion{row.consumerMajor, row.consumerMinor} == consumer)
      return row.takes ? Works::Yes : Works::No;
  return Works::Unknown;
}

bool majorsWork(core::ImageKind kind, unsigned producerMajor, unsigned consumerMajor) {
  return llvm::any_of(rows::pipes(), [&](const rows::PipeRow &row) {
    bool newer = std::pair(row.producerMajor, row.producerMinor) <=
                 std::pair(row.consumerMajor, row.consumerMinor);
    return row.kind == uint8_t(kind) && row.producerMajor == producerMajor &&
           row.consumerMajor == consumerMajor && newer && row.takes;
  });
}

std::optional<DriverCuda> cudaOfDriver(const versions::Version &driver) {
  const rows::DriverCudaRow *last = nullptr;
  bool exact = false;
  for (const rows::DriverCudaRow &row : rows::driverCudas()) {
    auto first = *versions::Version::parse(rows::str(row.driver));
    bool sameBranch = first.at(0) == driver.at(0);
    if (first > driver && !sameBranch)
      break;
    last = &row;
    exact = sameBranch;
  }
  if (!last)
    return std::nullopt;
  return DriverCuda{{last->major, last->minor}, exact};
}

llvm::StringRef firstDriverOf(CudaVersion line) {
  for (const rows::DriverCudaRow &row : rows::driverCudas())
    if (CudaVersion{row.major, row.minor} == line)
      return rows::str(row.driver);
  return {};
}

llvm::StringRef driverFloor(unsigned cudaMajor) {
  for (const rows::DriverRow &row : rows::driverFloors())
    if (row.major == cudaMajor)
      return rows::str(row.floor);
  return {};
}

versions::CudaVersion ptxOf(versions::CudaVersion line) {
  for (const rows::PairRow &row : rows::ptxVersions())
    if (row.first() == line)
      return row.second();
  return {};
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
