// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/wheel/ReadWheel.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::commands {

/// What a file of a wheel has lost that it must keep (WR-3): `the search path entry
/// $ORIGIN/../nvidia/cublas/lib`. Empty if it has lost nothing.
/// - Search path entries that lead to a place in site-packages stay, in their order. Others are
///   dropped by auditwheel on purpose: they name places of the machine that built the wheel.
/// - NEEDED names of CUDA's, torch's and the driver's libraries stay. Others may become names of
///   \p grafted libraries (SONAMEs); that of Python's library may go.
/// - The manifest stays.
///
/// \p before: its `path` is that in the wheel.
std::string lostOf(const core::BinaryFacts &before, const core::BinaryFacts &after,
                   const llvm::StringSet<> &grafted);

/// Compares the files of a wheel with what auditwheel made of them. \p grafted: paths of libraries
/// that it added. Error: AuditwheelFailed, with the first loss.
llvm::Error compareFiles(const ReadWheel &before, const ReadWheel &after,
                         llvm::ArrayRef<std::string> grafted);

} // namespace cudacc::commands
