// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// The subdirectories of glibc-hwcaps that this machine's loader searches, best first, by the flags
/// in /proc/cpuinfo: none before glibc 2.33. std::nullopt if it cannot be read or is not that of an
/// x86-64 processor.
std::optional<std::vector<std::string>> readHwcaps(core::Files &files);
std::optional<std::vector<std::string>> parseHwcaps(llvm::StringRef cpuinfo);

} // namespace cudacc::probe
