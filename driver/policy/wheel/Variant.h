// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>

namespace cudacc::policy {

/// What the files of a wheel ask of a system, in the terms of the `nvidia` provider of variants
/// (PEP 825 and 850, drafts). Its CUDA version is that of the installed driver.
struct VariantProperties {
  /// The oldest driver on which all files work on the GPUs below.
  versions::CudaVersion lower;
  /// `80_real`: machine code; `90_virtual`: PTX. In lexical order. Empty if there is no device
  /// code.
  std::vector<std::string> architectures;

  /// The first driver that is left to wheels for the next major.
  unsigned upper() const { return lower.major + 1; }
  /// Names exactly these properties: `cu12.0_sm80_86_ptx90`.
  std::string label() const;
};

struct VariantResult {
  VariantProperties properties;
  /// CC4221: why there are none.
  std::vector<core::Finding> findings;
};

/// The properties that follow from the files of a wheel. \p majors: CUDA majors that they are for.
/// A value of sm_arch is one that a file was compiled for, and whose GPU all files have code for.
VariantResult variantOf(llvm::ArrayRef<const core::BinaryFacts *> files,
                        const std::set<unsigned> &majors);

} // namespace cudacc::policy
