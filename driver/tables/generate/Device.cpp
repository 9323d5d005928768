// SPDX-License-Identifier: Apache-2.0
#include "driver/core/DeviceCode.h"
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;
using versions::CudaVersion;

namespace {

versions::Arch archOf(const Row &row, StringRef text) {
  auto arch = versions::Arch::parse(text);
  row.require(arch.has_value(), "\"{}\" is not an architecture", text);
  return *arch;
}

/// A table of one version for each other, of which newer ones have newer ones.
Model::Pairs readPairs(Input &input, StringRef table, StringRef first, StringRef second) {
  Model::Pairs pairs;
  for (const Row &row : input.rows(table))
    row.require(pairs.try_emplace(row.cuda(first), row.cuda(second)).second, "{} appears twice",
                row.text(first));
  CudaVersion last;
  for (const auto &[key, version] : pairs) {
    if (version < last)
      failWith(fmt::format("{}.json: {} of {} is older than that of the one before", table, second,
                           key));
    last = version;
  }
  return pairs;
}

void readDriverFloors(Input &input, Model &model) {
  for (const Row &row : input.rows("driver_major_floor")) {
    uint8_t major = row.asNumbers(row.text("cuda_major"), 1)[0];
    row.asVersion(row.text("min_driver_linux"));
    row.require(model.driverFloors.try_emplace(major, row.text("min_driver_linux").str()).second,
                "the major appears twice");
  }
}

void readPtx(Input &input, Model &model) {
  model.ptx = readPairs(input, "ctk_ptx", "ctk", "max_ptx_isa");
  model.minCudaOfPtx = readPairs(input, "ptx_isa", "ptx_isa", "min_cuda");
  for (const auto &[line, isa] : model.ptx)
    if (!model.minCudaOfPtx.count(isa))
      failWith(fmt::format("ptx_isa.json: no row for what CUDA {} writes", line));
}

void readArchs(Input &input, Model &model) {
  for (const Row &row : input.rows("sm_arch")) {
    rows::ArchRow arch;
    arch.name = archOf(row, row.text("sm"));
    arch.first = row.cuda("first_ctk");
    StringRef last = row.textOrNull("last_ctk"), isa = row.text("first_ptx_isa");
    if (!last.empty())
      arch.last = row.asCuda(last);
    arch.firstPtxAtMost = isa.consume_front("<=");
    arch.firstPtx = row.asCuda(isa);
    row.require(model.archs.try_emplace(arch.name, arch).second, "the architecture appears twice");
  }
  for (const Row &row : input.rows("sm_embedded")) {
    versions::Arch embedded = archOf(row, row.text("sm"));
    bool found = false;
    for (auto &[name, arch] : model.archs)
      if (name.number == embedded.number)
        found = arch.embedded = true;
    row.require(found, "sm_arch does not have sm_{}", row.text("sm"));
  }
  for (const Row &row : input.rows("sm_suffix_rules"))
    for (const auto &[key, members] : rows::membersOf(row.map("families"))) {
      auto it = model.archs.find(archOf(row, key));
      row.require(it != model.archs.end(), "sm_arch does not have sm_{}", key);
      row.require(it->second.family.empty(), "sm_{} already has a family", key);
      for (StringRef member : row.asTexts(members))
        it->second.family.push_back(archOf(row, member).number);
      llvm::sort(it->second.family);
      row.require(llvm::is_contained(it->second.family, it->first.number),
                  "sm_{} is not in its own family", key);
    }
  for (const auto &[name, arch] : model.archs)
    if ((name.suffix == 'f') == arch.family.empty())
      failWith(fmt::format("sm_suffix_rules.json: {} and its family do not fit", name));
}

void readLtoIr(Input &input, Model &model) {
  for (const Row &row : input.rows("ctk_ltoir"))
    row.require(model.hasLine(row.cuda("ctk")), "no toolkit release of this line has a row");
  model.ltoIr = readPairs(input, "ctk_ltoir", "ctk", "ltoir");
}

void readMatrix(Input &input, Model &model) {
  std::set<std::tuple<core::ImageKind, CudaVersion, CudaVersion>> seen;
  for (const Row &row : input.rows("nvjitlink_matrix")) {
    rows::PipeRow pipe;
    pipe.kind = row.choice<core::ImageKind>("kind", {{"ptx", core::ImageKind::Ptx},
                                                     {"cubin", core::ImageKind::Cubin},
                                                     {"ltoir", core::ImageKind::LtoIr}});
    pipe.producer = row.cuda("producer");
    pipe.consumer = row.cuda("consumer");
    pipe.takes = row.flag("accepted");
    row.require(seen.emplace(pipe.kind, pipe.producer, pipe.consumer).second,
                "the cell appears twice");
    model.pipes.push_back(pipe);
  }
}

/// Reads the first driver of each line: the minimum driver of the line's releases.
void readDriverCudas(Input &input, Model &model) {
  // As written: 535.54.03 has a leading zero that its normal form lacks.
  std::map<CudaVersion, std::pair<versions::Version, StringRef>> first;
  for (const Row &row : input.rows("ctk_driver")) {
    auto line = CudaVersion::parse(row.text("ctk"));
    row.require(line.has_value(), "\"ctk\" is not a release");
    std::pair driver(row.asVersion(row.text("min_driver_linux")), row.text("min_driver_linux"));
    auto [it, isNew] = first.try_emplace(*line, driver);
    if (!isNew && driver.first < it->second.first)
      it->second = driver;
  }
  for (const auto &[line, driver] : first) {
    if (!model.driverCudas.empty() &&
        driver.first <= *versions::Version::parse(model.driverCudas.back().first))
      failWith(fmt::format(
          "ctk_driver.json: the driver of CUDA {} is not newer than that of the line before",
          line));
    model.driverCudas.emplace_back(driver.second, line);
  }
}

} // namespace

void readDevice(Input &input, Model &model) {
  readDriverFloors(input, model);
  readPtx(input, model);
  readArchs(input, model);
  readLtoIr(input, model);
  readMatrix(input, model);
  readDriverCudas(input, model);
}

} // namespace cudacc::tables::generate
