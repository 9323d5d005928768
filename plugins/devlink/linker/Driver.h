// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/linker/Linker.h"
#include <memory>

namespace cudacc::devlink {

/// Sets the reply's version, that of CUDA which the driver supports, or says in it why there is
/// none. Needs no device.
void readDriverVersion(Libraries &libraries, void *library, Reply &reply);

/// With the first device's primary context, which linking needs (LD-10); null and a failure in the
/// reply if there is none.
std::unique_ptr<Linker> openDriver(Libraries &libraries, void *library, Reply &reply);

} // namespace cudacc::devlink
