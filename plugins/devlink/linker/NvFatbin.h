// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/Job.h"
#include "plugins/devlink/linker/Libraries.h"

namespace cudacc::devlink {

/// Packs the images of the reply, one per link of the job, with the library Job::packer.
void pack(const Job &job, Libraries &libraries, Reply &reply);

} // namespace cudacc::devlink
