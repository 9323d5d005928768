// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/Job.h"
#include "plugins/devlink/linker/Libraries.h"

namespace cudacc::devlink {

/// Does the job with the libraries that it names.
Reply link(const Job &job, Libraries &libraries);

/// One back end, opened. link() is called for each link of the job.
class Linker {
public:
  virtual ~Linker() = default;
  virtual LinkResult link(const Job &job, const Link &link) = 0;
};

} // namespace cudacc::devlink
