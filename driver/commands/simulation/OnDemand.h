// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/Simulator.h"

namespace cudacc::commands {

/// Whether a file is loaded only by code that opens it by name: it lies in site-packages, is not an
/// extension module (by its suffix and PyInit_NAME), and nothing in its own package NEEDs it.
/// Examples are NVSHMEM's transports and libcufile_rdma. False if the package cannot be read
/// completely.
bool isOpenedOnDemand(process::DiskTree &disk, const EnvironmentSnapshot &snapshot,
                      const ExaminedFile &subject);

} // namespace cudacc::commands
