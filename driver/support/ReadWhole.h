// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"

namespace cudacc::support {

/// The contents of \p file. \p path is for messages. Error: UnreadableFile if it is larger than \p
/// limit bytes or cannot be read.
llvm::Expected<std::string> readWhole(core::ReadableFile &file, llvm::StringRef path,
                                      uint64_t limit);

/// The contents of the file at \p path. \p status becomes that of the file that was read: its name
/// may be another file's before and after.
llvm::Expected<std::string> readWithStatus(core::Files &files, llvm::StringRef path, uint64_t limit,
                                           core::FileStatus &status);

/// The first \p count bytes of the file at \p path, or all of it if it is shorter.
llvm::Expected<std::string> readStart(core::Files &files, llvm::StringRef path, size_t count);

} // namespace cudacc::support
