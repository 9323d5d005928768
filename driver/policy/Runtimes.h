#pragma once

#include "driver/facts/Toolkits.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// Every runtime the tables know, as requirement texts: the torch releases with their default line
/// (`torch==2.5.1`), then the CUDA lines alone (`cuda==12.4`), each ascending.
std::vector<std::string> knownRuntimes(const facts::Supplement *more = nullptr);

} // namespace cudacc::policy
