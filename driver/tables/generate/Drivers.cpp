#include "driver/tables/generate/Model.h"

namespace cudacc::tables::generate {

void readDrivers(Input &input, Model &model) {
  for (const Row &row : input.rows("driver_major_floor")) {
    uint8_t major = row.asNumbers(row.text("cuda_major"), 1)[0];
    row.asVersion(row.text("min_driver_linux"));
    row.require(model.driverFloors.try_emplace(major, row.text("min_driver_linux").str()).second,
                "the major is there twice");
  }
  std::array<uint8_t, 2> last{};
  for (const Row &row : input.rows("ctk_ptx")) {
    auto ptx = row.asNumbers(row.text("max_ptx_isa"), 2);
    row.require(model.ptx.try_emplace(row.cuda("ctk"), std::array{ptx[0], ptx[1]}).second,
                "the line is there twice");
  }
  for (const auto &[line, ptx] : model.ptx) {
    if (ptx < last)
      fail("ctk_ptx.json: the PTX of CUDA " + line.str() +
           " is older than that of the line before");
    last = ptx;
  }
  for (const rows::Toolkit &release : model.releases.toolkits) {
    if (!model.driverFloors.count(uint8_t(release.number[0])))
      fail("driver_major_floor.json: no row for CUDA " + llvm::Twine(release.number[0]));
    if (!model.ptx.count({release.number[0], release.number[1]}))
      fail("ctk_ptx.json: no row for CUDA " + rows::str(release.number));
  }
}

} // namespace cudacc::tables::generate
