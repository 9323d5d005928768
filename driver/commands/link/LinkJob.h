// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/LinkReport.h"

namespace cudacc::commands {

/// What the helper program is asked to do for those links. The job borrows the bytes of the
/// outcome's inputs.
devlink::Job jobFor(const LinkOutcome &outcome, policy::LinkBackend backend,
                    llvm::ArrayRef<ArchLink *> links);

/// The linked cubins in one fatbin: what nvFatbin packed, else what the toolkit's `fatbinary`
/// packs. Empty if there is neither.
llvm::Expected<std::string> packFatbin(pipeline::System &system, const LinkOutcome &outcome);

/// `kernels.sm_90.cubin` of `kernels.fatbin`.
std::string pathForArch(llvm::StringRef path, versions::Arch arch);

} // namespace cudacc::commands
