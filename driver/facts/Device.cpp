#include "driver/facts/Device.h"
#include "driver/facts/Tables.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

using core::Arch;
using core::CudaVersion;

static CudaVersion isaOf(const tables::IsaRow &row) { return {row.major, row.minor}; }
static CudaVersion minCudaOf(const tables::IsaRow &row) { return {row.cudaMajor, row.cudaMinor}; }

std::optional<CudaVersion> minCudaOfPtx(CudaVersion isa) {
  for (const tables::IsaRow &row : tables::isas())
    if (isaOf(row) == isa)
      return minCudaOf(row);
  return std::nullopt;
}

std::optional<CudaVersion> maxPtxOf(CudaVersion cuda) {
  auto rows = tables::isas();
  if (cuda < minCudaOf(rows.front()) || cuda > minCudaOf(rows.back()))
    return std::nullopt;
  std::optional<CudaVersion> isa;
  for (const tables::IsaRow &row : rows)
    if (minCudaOf(row) <= cuda)
      isa = isaOf(row);
  return isa;
}

Works translatesPtx(CudaVersion cuda, CudaVersion isa) {
  auto rows = tables::isas();
  if (!cuda.known() || !isa.known())
    return Works::Unknown;
  if (isa < isaOf(rows.front()))
    return cuda >= minCudaOf(rows.front()) ? Works::Yes : Works::Unknown;
  if (isa > isaOf(rows.back()))
    return cuda <= minCudaOf(rows.back()) ? Works::No : Works::Unknown;
  auto least = minCudaOfPtx(isa);
  if (!least)
    return Works::Unknown;
  return *least <= cuda ? Works::Yes : Works::No;
}

static Arch nameOf(const tables::ArchRow &row) { return {row.number, row.suffix}; }

static const tables::ArchRow *find(Arch arch) {
  auto rows = tables::archs();
  auto it = llvm::find_if(rows, [&](const auto &row) { return nameOf(row) == arch; });
  return it == rows.end() ? nullptr : it;
}

/// The lines that sm_arch covers are those of ctk_ptx.
static bool covered(CudaVersion line) {
  return llvm::any_of(tables::ptxVersions(), [&](const tables::PtxRow &row) {
    return CudaVersion{row.major, row.minor} == line;
  });
}

static bool knows(CudaVersion line, const tables::ArchRow &row) {
  CudaVersion last{row.lastMajor, row.lastMinor};
  return CudaVersion{row.firstMajor, row.firstMinor} <= line && (!last.known() || line <= last);
}

Works knowsArch(CudaVersion line, Arch arch) {
  if (!covered(line))
    return Works::Unknown;
  const tables::ArchRow *row = find(arch);
  return row && knows(line, *row) ? Works::Yes : Works::No;
}

bool isEmbedded(Arch arch) {
  return llvm::any_of(tables::archs(), [&](const tables::ArchRow &row) {
    return row.number == arch.number && row.embedded;
  });
}

llvm::SmallVector<Arch, 16> archsFrom(Arch least, CudaVersion line) {
  llvm::SmallVector<Arch, 16> all;
  if (!covered(line))
    return all;
  for (const tables::ArchRow &row : tables::archs())
    if (!row.suffix && !row.embedded && row.number >= least.number && knows(line, row))
      all.push_back(nameOf(row));
  return all;
}

llvm::SmallVector<Arch, 48> knownArchs() {
  llvm::SmallVector<Arch, 48> all;
  for (const tables::ArchRow &row : tables::archs())
    all.push_back(nameOf(row));
  return all;
}

std::optional<FirstPtx> firstPtxOf(Arch arch) {
  const tables::ArchRow *row = find(arch);
  if (!row)
    return std::nullopt;
  return FirstPtx{{row->ptxMajor, row->ptxMinor}, row->ptxAtMost != 0};
}

llvm::SmallVector<uint16_t, 4> familyOf(Arch arch) {
  llvm::SmallVector<uint16_t, 4> family;
  if (const tables::ArchRow *row = find(arch))
    llvm::append_range(family, tables::list(row->family));
  return family;
}

llvm::SmallVector<CudaVersion, 3> linesOfLtoIr(CudaVersion version) {
  llvm::SmallVector<CudaVersion, 3> lines;
  for (const tables::LtoIrRow &row : tables::ltoIrs())
    if (CudaVersion{row.irMajor, row.irMinor} == version)
      lines.push_back({row.major, row.minor});
  return lines;
}

std::optional<CudaVersion> ltoIrOf(CudaVersion line) {
  for (const tables::LtoIrRow &row : tables::ltoIrs())
    if (CudaVersion{row.major, row.minor} == line)
      return CudaVersion{row.irMajor, row.irMinor};
  return std::nullopt;
}

Works nvJitLinkTakes(core::ImageKind kind, CudaVersion producer, CudaVersion consumer) {
  for (const tables::PipeRow &row : tables::pipes())
    if (row.kind == uint8_t(kind) &&
        CudaVersion{row.producerMajor, row.producerMinor} == producer &&
        CudaVersion{row.consumerMajor, row.consumerMinor} == consumer)
      return row.takes ? Works::Yes : Works::No;
  return Works::Unknown;
}

bool majorsWork(core::ImageKind kind, unsigned producerMajor, unsigned consumerMajor) {
  return llvm::any_of(tables::pipes(), [&](const tables::PipeRow &row) {
    bool newer = std::pair(row.producerMajor, row.producerMinor) <=
                 std::pair(row.consumerMajor, row.consumerMinor);
    return row.kind == uint8_t(kind) && row.producerMajor == producerMajor &&
           row.consumerMajor == consumerMajor && newer && row.takes;
  });
}

std::optional<DriverCuda> cudaOfDriver(const core::Version &driver) {
  const tables::DriverCudaRow *last = nullptr;
  bool exact = false;
  for (const tables::DriverCudaRow &row : tables::driverCudas()) {
    auto first = *core::Version::parse(tables::str(row.driver));
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
  for (const tables::DriverCudaRow &row : tables::driverCudas())
    if (CudaVersion{row.major, row.minor} == line)
      return tables::str(row.driver);
  return {};
}

DriverBranch branchOf(const core::Version &driver) {
  for (const tables::BranchRow &row : tables::branches())
    if (row.number == driver.at(0))
      return {tables::str(row.name), tables::str(row.kind), tables::str(row.endOfLife)};
  return {};
}

} // namespace cudacc::facts
