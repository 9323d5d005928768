// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Requirement.h"

namespace cudacc::policy {

/// Those on torch or on a wheel of NVIDIA's that certainly apply and name no URL.
std::vector<versions::Requirement>
cudaRequirements(llvm::ArrayRef<versions::Requirement> requirements,
                 const tables::UserTables *more = nullptr);

/// `nvidia-cublas-cu12==12.4.5.8`.
struct ExactPin {
  std::string name;
  versions::Version version;

  std::string text() const;
};

struct LowestPins {
  /// One per name that is required, in their order.
  std::vector<ExactPin> pins;
  /// CC2030 for each of them of which no version is known that its specifiers allow.
  std::vector<core::Finding> findings;
};

/// The lowest version, of those that the tables know, that the cudaRequirements() on a name allow
/// together. Which of them have a wheel for a machine or a Python, the tables do not know.
LowestPins lowestPins(llvm::ArrayRef<versions::Requirement> requirements,
                      const tables::UserTables *more = nullptr);

} // namespace cudacc::policy
