// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/LinkReport.h"

namespace cudacc::commands {

/// What the helper program is asked to do for those links. It takes the bytes of the inputs: they
/// are copied, since a second attempt may follow.
devlink::Job jobFor(const LinkOutcome &outcome, policy::LinkBackend backend,
                    llvm::ArrayRef<ArchLink *> links);

} // namespace cudacc::commands
