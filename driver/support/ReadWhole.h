// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"

namespace cudacc::support {

/// All that \p file holds. \p path is for messages. UnreadableFile: it is larger than \p limit
/// bytes, or reading fails.
llvm::Expected<std::string> readWhole(core::ReadableFile &file, llvm::StringRef path,
                                      uint64_t limit);

} // namespace cudacc::support
