#include "driver/facts/Drivers.h"
#include "driver/facts/Tables.h"

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

} // namespace cudacc::facts
