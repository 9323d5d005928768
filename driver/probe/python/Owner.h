// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// Name and version of the distribution whose RECORD lists the file; conda packages are not
/// considered. Both are empty if there is none.
std::pair<std::string, std::string> ownerOf(llvm::ArrayRef<std::string> sitePackages,
                                            llvm::StringRef path, core::Files &files);

/// Returns the files called \p name in sibling directories of \p folder whose names end in `.libs`,
/// as auditwheel creates them.
std::vector<std::string> besides(llvm::StringRef folder, llvm::StringRef name, core::Files &files);

} // namespace cudacc::probe
