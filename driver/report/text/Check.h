// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// Output of `cuda-cc check`. For one judgement: the verdict, the facts behind it and the fixes.
/// For several: the number of files per verdict, a table with the worst first, and the facts of
/// those that are not accepted. Empty if there are no judgements.
std::string check(llvm::ArrayRef<core::Judgement> judgements, Style style = {});

/// Which of the files that use CUDA carry a manifest, each counted once.
struct Manifests {
  size_t with = 0;
  std::vector<std::string> without;
};
/// `manifest: 2 of 3 files that use CUDA, not pkg/b.so`. Empty if there are no such files.
std::string manifestLine(const Manifests &manifests);

/// The parts of one judgement: the line with the verdict, and the lines below it, without remarks.
std::string checkHead(const core::Judgement &judgement, Style style = {});
std::string checkBody(const core::Judgement &judgement, bool withFixes, Style style = {});

/// What a matrix says of the metadata of wheels, below its tables.
struct MetadataLines {
  /// `nvidia-nvjitlink-cu12>=12.5.40,<13`: what the files need.
  std::vector<std::string> requirements;
  /// `nvidia-nvjitlink-cu12>=12.9, by symbols >=12.5.40`: what asks for more than the files need.
  std::vector<std::string> higher;
  /// `>=2.10,<2.11`: the releases of torch that the files load with. Empty if they need none.
  std::string torch;
  /// Why there is no such release; empty if there is one.
  std::string noTorch;
};

/// The compatibility matrix of `--against`: one row per runtime in the given order, which is by
/// release; adjacent rows with equal content are merged. For several files, a row shows the worst
/// verdict, the number of all warnings, and the driver that satisfies all files.
std::string matrix(llvm::ArrayRef<core::Judgement> judgements, Style style = {},
                   const MetadataLines &metadata = {});
/// The tables of matrix() alone: for each release the worst verdict, without the names of files.
std::string releaseTables(llvm::ArrayRef<core::Judgement> judgements, Style style = {});

} // namespace cudacc::report
