// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// Returns the files called \p name in sibling directories of \p folder whose names end in `.libs`,
/// as auditwheel creates them.
std::vector<std::string> besides(llvm::StringRef folder, llvm::StringRef name, core::Files &files);

} // namespace cudacc::probe
