// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

/// Rows of tables about device code, see TextTable.h; for the generator and the look-ups.
namespace cudacc::tables::rows {

/// Sorted by number, then suffix.
struct ArchRow {
  versions::Arch name;
  /// The lines of nvcc that support it. `last` is 0.0: still supported.
  versions::CudaVersion first, last;
  /// The PTX ISA that has it first. `firstPtxAtMost`: it may be an older one.
  versions::CudaVersion firstPtx;
  bool firstPtxAtMost = false, embedded = false;
  llvm::SmallVector<uint16_t, 4> family;

  static constexpr auto columns =
      std::tuple(&ArchRow::name, &ArchRow::first, &ArchRow::last, &ArchRow::firstPtx,
                 &ArchRow::firstPtxAtMost, &ArchRow::embedded, &ArchRow::family);
};

/// Whether nvJitLink of one version takes an image of another one.
struct PipeRow {
  core::ImageKind kind = core::ImageKind::Ptx;
  versions::CudaVersion producer, consumer;
  bool takes = false;

  static constexpr auto columns =
      std::tuple(&PipeRow::kind, &PipeRow::producer, &PipeRow::consumer, &PipeRow::takes);
};

using VersionPairs = std::vector<std::pair<versions::CudaVersion, versions::CudaVersion>>;

} // namespace cudacc::tables::rows
