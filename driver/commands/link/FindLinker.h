// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/pipeline/System.h"
#include "driver/policy/devicelink/ChooseLinker.h"

namespace cudacc::commands {

/// The device linkers of this machine, as determined from files; nothing is loaded.
struct FoundLinkers {
  policy::NvJitLinkFacts nvJitLink;
  policy::DriverFacts driver;
  /// libcuda.so.1 that the loader selects here, for the driver's linker; empty if there is none.
  std::string driverLibrary;
  /// How the driver was found, for messages.
  std::string driverOrigin;
  /// What packs several architectures into a fatbin: nvFatbin beside the nvJitLink (12.4 on), else
  /// the toolkit's `fatbinary`. Each empty if there is none.
  std::string nvFatbin, fatbinary;
};

/// Looks for nvJitLink in the runtime's environment, then in the toolkit that would compile here,
/// then where this machine's loader finds libraries. With a declared runtime only the SONAME of its
/// CUDA major counts. \p target is null without one, \p directory without a toolchain directory.
FoundLinkers findLinkers(pipeline::System &system, const core::Declaration &declaration,
                         const core::Target *target, const core::ToolchainDirectory *directory);

} // namespace cudacc::commands
