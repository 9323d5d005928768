// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::binary {

/// A shared object that has a SONAME and exports \p functions without version nodes, and nothing
/// else: linked under --no-as-needed it yields a DT_NEEDED without its library being present, and
/// with the driver's names it is what -lcuda finds where no driver is. It is never to be loaded.
std::string stubLibrary(llvm::StringRef soname, uint16_t machine,
                        llvm::ArrayRef<llvm::StringRef> functions = {});

} // namespace cudacc::binary
