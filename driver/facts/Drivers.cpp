#include "driver/facts/Drivers.h"
#include "driver/facts/SymbolNames.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

llvm::StringRef driverFloor(unsigned cudaMajor) {
  for (const tables::DriverRow &row : tables::driverFloors())
    if (row.major == cudaMajor)
      return tables::str(row.floor);
  return {};
}

std::optional<PtxVersion> ptxOf(core::CudaVersion line) {
  for (const tables::PtxRow &row : tables::ptxVersions())
    if (core::CudaVersion{row.major, row.minor} == line)
      return PtxVersion{row.ptxMajor, row.ptxMinor};
  return std::nullopt;
}

std::optional<DriverSince> driverSince(llvm::StringRef symbol) {
  for (llvm::StringRef suffix : {"_ptsz", "_ptds"})
    if (symbol.consume_back(suffix))
      break;
  auto name = tables::findName(symbol);
  if (!name)
    return std::nullopt;
  auto rows = tables::driverNames();
  auto it = llvm::lower_bound(
      rows, *name, [](const tables::DriverNameRow &row, auto wanted) { return row.name < wanted; });
  if (it == rows.end() || it->name != *name)
    return std::nullopt;
  return DriverSince{{it->major, it->minor}, it->atMost != 0};
}

core::Exported driverExports(core::CudaVersion cuda, llvm::StringRef symbol) {
  auto since = driverSince(symbol);
  if (!since || !cuda.known())
    return core::Exported::Unknown;
  if (since->cuda <= cuda)
    return core::Exported::Yes;
  return since->atMost ? core::Exported::Unknown : core::Exported::No;
}

} // namespace cudacc::facts
