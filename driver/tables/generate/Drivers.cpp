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
  for (const rows::Toolkit &release : model.releases.toolkits) {
    if (!model.driverFloors.count(uint8_t(release.number[0])))
      failWith(fmt::format("driver_major_floor.json: no row for CUDA {}", release.number[0]));
    if (!model.ptx.count({release.number[0], release.number[1]}))
      failWith(fmt::format("ctk_ptx.json: no row for CUDA {}", rows::str(release.number)));
  }
}

} // namespace cudacc::tables::generate
