// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/linker/Linker.h"
#include <memory>

namespace cudacc::devlink {

/// Sets the reply's version, or says in it why there is none: a library without the function is
/// older than 12.3, and none of its functions is called (PB-2, PB-3).
void readNvJitLinkVersion(Libraries &libraries, void *library, Reply &reply);

/// Its functions of the minor that the job asks for; null and a failure in the reply if it lacks
/// one.
std::unique_ptr<Linker> openNvJitLink(Libraries &libraries, void *library, const Job &job,
                                      Reply &reply);

} // namespace cudacc::devlink
