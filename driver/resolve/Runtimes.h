// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/CudaVersion.h"
#include <string>
#include <vector>

namespace cudacc::resolve {

/// Every runtime in the tables, as requirements: the torch releases with their default line
/// (`torch==2.5.1`), then the CUDA lines alone (`cuda==12.4`), each ascending.
std::vector<std::string> knownRuntimes(const tables::UserTables *more = nullptr);

/// `torch>=2.7.0,<2.11`: from this release up to the next CUDA major, since a declaration must not
/// span majors.
std::string rangeFrom(const tables::TorchRelease &release);

/// `torch>=2.7.0,<2.11 (CUDA 12.6)`.
std::string withLine(const std::string &requirement, versions::CudaVersion line);

/// `torch>=2.7.0,<2.11 (CUDA 12.6)`: the torch releases whose default wheels on PyPI have CUDA \p
/// version or newer of the same major. Empty if there are none.
std::string firstTorchWith(versions::CudaVersion version);

} // namespace cudacc::resolve
