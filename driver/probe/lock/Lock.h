// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Lock.h"

namespace cudacc::probe {

/// Reads the lock at \p path; its file name says of which tool it is: `uv.lock`, `pylock.toml` and
/// `pylock.NAME.toml`, `poetry.lock`, `pdm.lock`, `Pipfile.lock`, `conda-lock.yml`, `pixi.lock`,
/// and requirements in every `.txt` or `.in`. Nothing is fetched. Errors: BadRequirement for
/// another name, UnreadableFile, BrokenConfig with file and line.
llvm::Expected<core::LockReading>
readLock(llvm::StringRef path, const versions::MarkerEnvironment &environment, core::Files &files);

/// Whether a file of that name is one that readLock reads.
bool isLock(llvm::StringRef name);

} // namespace cudacc::probe
