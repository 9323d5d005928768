// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/Simulator.h"

namespace cudacc::commands {

/// Whether a file is loaded only by those who open it by its name: it lies in site-packages, is no
/// extension module (by its suffix and by PyInit_NAME) and nothing of its own package NEEDs it, as
/// NVSHMEM's transports and libcufile_rdma. False where the package cannot be read as a whole.
bool isOpenedOnDemand(FileCache &fileCache, const EnvironmentSnapshot &snapshot,
                      const Subject &subject);

} // namespace cudacc::commands
