// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/rules/JudgeBinary.h"
#include "driver/process/DiskTree.h"

namespace cudacc::process {

/// What this machine's loader does with a file at \p path, by the file's own search path. Missing
/// libraries outside the toolkit count as found, as a build machine may lack them, above all the
/// driver. \p tree: this disk, perhaps with the file on top. \p libraryPath: the elements of
/// LD_LIBRARY_PATH in effect. \p target: the versions of CUDA's libraries there; null: what these
/// open later is not searched.
core::LoadResult loadHere(loader::Tree &tree, const core::BinaryFacts &file, llvm::StringRef path,
                          std::string workingDirectory, std::vector<std::string> libraryPath = {},
                          const core::Target *target = nullptr);

/// The same where the file lies, with the releases of the libraries that it takes. std::nullopt if
/// the file does not exist or is for another machine. \p home: of the user, whose package managers
/// may have installed them; empty if not known.
std::optional<policy::LoadedHere> loadedHere(DiskTree &disk, const core::BinaryFacts &file,
                                             llvm::StringRef path, llvm::StringRef home);

} // namespace cudacc::process
