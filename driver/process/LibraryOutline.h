// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/probe/host/Libraries.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::process {

/// Empty if the file cannot be read.
probe::LibraryNames libraryNames(core::Files &files, llvm::StringRef path);

/// The release of a libnvJitLink: the newest version suffix among its exported names (EV-5); 0.0 if
/// unknown.
versions::CudaVersion newestNvJitLink(core::Files &files, llvm::StringRef path);

} // namespace cudacc::process
