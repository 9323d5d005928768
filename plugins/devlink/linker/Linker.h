// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/Job.h"
#include "plugins/devlink/linker/Libraries.h"
#include <memory>

namespace cudacc::devlink {

/// Does the job with the libraries that it names.
Reply link(const Job &job, Libraries &libraries);

/// One back end, opened. link() is called for each link of the job.
class Linker {
public:
  virtual ~Linker() = default;
  virtual LinkResult link(const Job &job, const Link &link) = 0;
};

/// Sets the reply's version, that of CUDA which the driver supports, or says in it why there is
/// none. Needs no device.
void readDriverVersion(Libraries &libraries, void *library, Reply &reply);

/// With the first device's primary context, which linking needs (LD-10); null and a failure in the
/// reply if there is none.
std::unique_ptr<Linker> openDriver(Libraries &libraries, void *library, Reply &reply);

/// Sets the reply's version, or says in it why there is none: a library without the function is
/// older than 12.3, and none of its functions is called (PB-2, PB-3).
void readNvJitLinkVersion(Libraries &libraries, void *library, Reply &reply);

/// Its functions of the minor that the job asks for; null and a failure in the reply if it lacks
/// one.
std::unique_ptr<Linker> openNvJitLink(Libraries &libraries, void *library, const Job &job,
                                      Reply &reply);

/// Packs the images of the reply, one per link of the job, with the library Job::packer.
void pack(const Job &job, Libraries &libraries, Reply &reply);

} // namespace cudacc::devlink
