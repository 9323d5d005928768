// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Patch.h"
#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::binary {

/// The patches that remove the NEEDED entries of \p sonames from the dynamic section of a linked
/// file. The entries behind them move up; size and place of the section stay. Errors: it cannot be
/// read.
llvm::Expected<std::vector<Patch>> removeNeeded(core::ReadableFile &file, llvm::StringRef path,
                                                llvm::ArrayRef<std::string> sonames);

} // namespace cudacc::binary
