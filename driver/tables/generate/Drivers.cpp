// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"

namespace cudacc::tables::generate {

void requireAscending(const std::map<versions::CudaVersion, versions::CudaVersion> &versions,
                      llvm::StringRef what) {
  versions::CudaVersion last;
  for (const auto &[line, version] : versions) {
    if (version < last)
      failWith(fmt::format("{}{} is older than that of the one before", what, line));
    last = version;
  }
}

void readDrivers(Input &input, Model &model) {
  for (const Row &row : input.rows("driver_major_floor")) {
    uint8_t major = row.asNumbers(row.text("cuda_major"), 1)[0];
    row.asVersion(row.text("min_driver_linux"));
    row.require(model.driverFloors.try_emplace(major, row.text("min_driver_linux").str()).second,
                "the major appears twice");
  }
  for (const Row &row : input.rows("ctk_ptx"))
    row.require(model.ptx.try_emplace(row.cuda("ctk"), row.cuda("max_ptx_isa")).second,
                "the line appears twice");
  requireAscending(model.ptx, "ctk_ptx.json: the PTX of CUDA ");
}

} // namespace cudacc::tables::generate
