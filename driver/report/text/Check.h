// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Requirement.h"

namespace cudacc::report {

/// What `cuda-cc check` prints. One judgement: the verdict, then the facts that made it and the
/// fixes. Several: how many of which verdict, a table with the worst first, and the facts of
/// those that are not accepted. Nothing to judge is the empty string.
std::string check(llvm::ArrayRef<core::Judgement> judgements, Style style = {});

/// The parts of one judgement: the line with its verdict, and what stands below it.
std::string checkHead(const core::Judgement &judgement, Style style = {});
std::string checkBody(const core::Judgement &judgement, bool withRemarks, Style style = {});

/// What files need of CUDA's wheels, all of them together.
struct Needs {
  /// One per distribution, the highest.
  std::vector<core::LibraryFloor> floors;
  /// What the wheels they come from ask for already.
  std::vector<versions::Requirement> declared;
  /// The releases of torch that all of them fit.
  versions::TorchRange torch;

  void add(llvm::ArrayRef<core::LibraryFloor> more);
  /// What the files prove, as metadata has it: `nvidia-nvjitlink-cu12>=12.5.40,<13`,
  /// `torch>=2.8,<2.12`; by name.
  std::vector<std::string> requirements() const;
  /// Where the metadata asks for more than the symbols:
  /// `nvidia-nvjitlink-cu12>=12.9, by symbols >=12.5.40`.
  std::vector<std::string> declaredHigher() const;
};

/// The compatibility matrix of `--against`: a row per runtime in the order given, which is that of
/// the releases; neighbours that say the same are one row. Of several files a row has the worst
/// verdict, all their warnings, and the driver that all of them need.
std::string matrix(llvm::ArrayRef<core::Judgement> judgements, Style style = {},
                   const Needs &needs = {});

} // namespace cudacc::report
