// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Requirement.h"

namespace cudacc::report {

/// Output of `cuda-cc check`. For one judgement: the verdict, the facts behind it and the fixes.
/// For several: the number of files per verdict, a table with the worst first, and the facts of
/// those that are not accepted. Empty if there are no judgements.
std::string check(llvm::ArrayRef<core::Judgement> judgements, Style style = {});

/// The parts of one judgement: the line with the verdict, and the lines below it.
std::string checkHead(const core::Judgement &judgement, Style style = {});
std::string checkBody(const core::Judgement &judgement, bool withRemarks, Style style = {});

/// The requirements of a set of files on CUDA wheels.
struct Needs {
  /// One per distribution, with the highest version.
  std::vector<core::LibraryFloor> floors;
  /// The requirements that the files' wheels already declare.
  std::vector<versions::Requirement> declared;
  /// The torch releases that fit all files.
  versions::TorchRange torch;

  void add(llvm::ArrayRef<core::LibraryFloor> more);
  /// Requirements derived from the files, for metadata, sorted by name:
  /// `nvidia-nvjitlink-cu12>=12.5.40,<13`, `torch>=2.8,<2.12`.
  std::vector<std::string> requirements() const;
  /// Requirements where the metadata asks for more than the symbols do:
  /// `nvidia-nvjitlink-cu12>=12.9, by symbols >=12.5.40`.
  std::vector<std::string> declaredHigher() const;
};

/// The compatibility matrix of `--against`: one row per runtime in the given order, which is by
/// release; adjacent rows with equal content are merged. For several files, a row shows the worst
/// verdict, the number of all warnings, and the driver that satisfies all files.
std::string matrix(llvm::ArrayRef<core::Judgement> judgements, Style style = {},
                   const Needs &needs = {});

} // namespace cudacc::report
