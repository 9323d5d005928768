// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/wheel/ReadWheel.h"
#include "driver/policy/wheel/Requirements.h"
#include <set>

namespace cudacc::commands {

/// What the files of one wheel need of others.
struct RepairNeeds {
  policy::WheelCase wheel;
  /// NEEDED names of CUDA's, torch's and the driver's libraries, as written, sorted.
  std::vector<std::string> external;
};

/// \p files: the members of the wheel, as read. Fills all of `wheel` but torch's range, the
/// requirements that METADATA states, and the mode. A file that leaves its CUDA major open, as one
/// that NEEDs only libcudnn.so.9, goes with each line of the wheel that it can be of; in a wheel
/// without one, it is of the \p runtimeMajor, which is 0 if there is none.
RepairNeeds needsOf(const ReadWheel &wheel, unsigned runtimeMajor = 0);

/// Makes the one CUDA line of \p wheel the extra that `--extra` names (\p extras; nothing is done
/// without one). Error: Usage if that is no name, if the wheel has several lines, which are extras
/// already, or if NVIDIA's wheels are not required by name.
llvm::Error nameLine(policy::WheelCase &wheel, llvm::ArrayRef<std::string> extras);

/// Whether the library comes from CUDA's wheels, from torch or with the driver, by its NEEDED name.
bool isOfRuntime(llvm::StringRef needed);

/// Patterns, as fnmatch(3) takes them, of the libraries that torch, the driver and the wheels of
/// these CUDA majors bring.
std::vector<std::string> patternsOfRuntime(const std::set<unsigned> &majors);

} // namespace cudacc::commands
