// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::binary {

/// Creates a shared object that only has a SONAME and exports \p functions without version nodes.
/// Linked under --no-as-needed, it yields a DT_NEEDED entry although the real library is absent;
/// with the driver's functions, -lcuda finds it where no driver is installed. It must never be
/// loaded.
std::string stubLibrary(llvm::StringRef soname, uint16_t machine,
                        llvm::ArrayRef<llvm::StringRef> functions = {});

} // namespace cudacc::binary
