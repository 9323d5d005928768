// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// Name and version of the distribution that was installed with the file, by RECORD, conda's
/// packages left aside. Both empty: none says so.
std::pair<std::string, std::string> ownerOf(llvm::ArrayRef<std::string> sitePackages,
                                            llvm::StringRef path, core::Files &files);

/// Files of that name in folders beside \p folder that end in `.libs`, as auditwheel's do.
std::vector<std::string> besides(llvm::StringRef folder, llvm::StringRef name, core::Files &files);

} // namespace cudacc::probe
