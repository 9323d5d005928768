// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Diagnostic.h"
#include <optional>

namespace cudacc::policy {

/// Why the file counts as one that uses CUDA: `needs libcudart.so.13`. Empty if it does not.
std::string cudaIn(const core::BinaryFacts &facts);

/// Whether cuda-cc linked the file, by its link record. std::nullopt if that is not asked: it is
/// not linked yet, uses no CUDA, or is a library of NVIDIA's, also one that auditwheel renamed.
std::optional<bool> hasLinkRecord(const core::BinaryFacts &facts);
/// CC6006 for a file that has none.
std::optional<core::Finding> judgeLinkRecord(const core::BinaryFacts &facts);

} // namespace cudacc::policy
