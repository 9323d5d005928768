// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::resolve {

/// Adds GPUs and driver of the requirements to \p target, whose line is known. GPUs add up; of
/// several drivers the newest is the floor. Errors: UnknownRelease for an architecture that no
/// table has.
llvm::Error addMachines(llvm::ArrayRef<DeclaredRequirement> requirements, core::Target &target);

} // namespace cudacc::resolve
