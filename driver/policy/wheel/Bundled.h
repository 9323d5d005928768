// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"

namespace cudacc::policy {

/// The name that a file had before auditwheel copied it: `libcublas.so.12.4.5.8` for
/// `libcublas-96c42e41.so.12.4.5.8` (LS-44). Other names are returned as they are.
std::string nameBeforeGraft(llvm::StringRef file);

/// The SONAME of the runtime's library of which \p file, a name without folder, is a copy:
/// `libcublas.so.12` for both names above. Empty if the runtime has no such library.
std::string broughtAs(llvm::StringRef file, const core::Target &target);

} // namespace cudacc::policy
