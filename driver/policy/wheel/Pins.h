// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Requirement.h"

namespace cudacc::policy {

/// `nvidia-cublas-cu12==12.4.5.8`.
struct Pin {
  std::string name;
  versions::Version version;

  std::string text() const;
};

struct LowestPins {
  /// One per requirement on torch or on a wheel of NVIDIA's, in their order.
  std::vector<Pin> pins;
  /// CC2030 for each of them of which no version is known that its specifiers allow.
  std::vector<core::Finding> findings;
};

/// The lowest version, of those that the tables know, that each requirement on torch or on a wheel
/// of NVIDIA's allows. Other requirements are left to the installer. Of torch that is the lowest
/// release, whose own requirements pin CUDA's wheels.
LowestPins lowestPins(llvm::ArrayRef<versions::Requirement> requirements,
                      const tables::UserTables *more = nullptr);

} // namespace cudacc::policy
