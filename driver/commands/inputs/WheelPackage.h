// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/Inputs.h"
#include "driver/core/InstalledPackage.h"
#include "driver/core/Target.h"
#include "driver/pipeline/MountedFiles.h"

namespace cudacc::commands {

/// What a wheel says of itself in `*.dist-info/METADATA`. Empty where it has none that can be read.
probe::DistributionMetadata readMetadata(const OpenedWheel &wheel);

/// It asks for torch itself, so nobody imports it before.
bool requiresTorch(const probe::DistributionMetadata &metadata);

/// What of its requirements the runtime does not satisfy, as written: `torch==2.14.0`. An installer
/// would never bring the two together.
std::vector<std::string> excluding(const probe::DistributionMetadata &metadata,
                                   const core::Target &target);

/// The wheel as it will be installed in the folder \p site.
core::InstalledPackage packageOf(const OpenedWheel &wheel, std::string site);

/// Lays its Python sources below \p site. \p wheel outlives \p files.
void mountSources(const OpenedWheel &wheel, llvm::StringRef site, pipeline::MountedFiles &files);

} // namespace cudacc::commands
