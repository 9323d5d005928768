// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Lock.h"

namespace cudacc::probe {

/// Reads the lock file at \p path for \p environment. The file name determines the format:
/// `uv.lock`, `pylock.toml`, `pylock.NAME.toml`, `poetry.lock`, `pdm.lock`, `Pipfile.lock`,
/// `conda-lock.yml`, `pixi.lock`; every `.txt` or `.in` is a requirements file. Nothing is
/// downloaded. Errors: BadRequirement for any other name, UnreadableFile, BrokenConfig with file
/// and line.
llvm::Expected<core::LockReading>
readLock(llvm::StringRef path, const versions::MarkerEnvironment &environment, core::Files &files);

/// Whether readLock supports a file of that name.
bool isLock(llvm::StringRef name);

} // namespace cudacc::probe
