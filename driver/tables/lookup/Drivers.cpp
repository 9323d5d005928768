// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Drivers.h"
#include "driver/tables/lookup/SymbolNames.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

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
