// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/LinkReport.h"

namespace cudacc::commands {

/// What the helper program is asked to do for those links. The job borrows the bytes of the
/// outcome's inputs.
devlink::Job jobFor(const LinkOutcome &outcome, policy::LinkBackend backend,
                    llvm::ArrayRef<ArchLink *> links);

} // namespace cudacc::commands
