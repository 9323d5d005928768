// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/LinkReport.h"

namespace cudacc::commands {

/// The linked cubins in one fatbin: what nvFatbin packed, else what the toolkit's `fatbinary`
/// packs. Empty if there is neither.
llvm::Expected<std::string> packFatbin(pipeline::System &system, const LinkOutcome &outcome);

/// `kernels.sm_90.cubin` of `kernels.fatbin`.
std::string pathForArch(llvm::StringRef path, versions::Arch arch);

} // namespace cudacc::commands
