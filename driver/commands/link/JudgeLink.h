// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/LinkReport.h"
#include "driver/core/Target.h"

namespace cudacc::commands {

/// An input without an image for \p arch.
core::Finding uncovered(const DeviceInput &input, versions::Arch arch);
/// A link that the library refused: its log, the input if it is known, and what is known about the
/// message.
core::Finding linkFailed(const LinkOutcome &outcome, const ArchLink &link,
                         policy::LinkBackend backend);
/// nvFatbin at \p packer failed.
core::Finding packFailed(llvm::StringRef packer, llvm::StringRef because);
/// The driver cannot link here.
core::Finding driverFailed(const LinkOutcome &outcome, const ArchLink &link,
                           llvm::StringRef because);

/// Whether what was linked loads on the declared runtime and the driver of the deployment, after
/// the declared enforcement, severities and waivers. \p target is null without a declared runtime.
std::vector<core::Finding> judgeLinked(const LinkOutcome &outcome, const ArchLink &link,
                                       const core::Declaration &declaration,
                                       const core::Target *target);

/// Appends those that \p findings does not have yet: several architectures share most of them.
void addDistinct(std::vector<core::Finding> &findings, llvm::ArrayRef<core::Finding> more);

} // namespace cudacc::commands
