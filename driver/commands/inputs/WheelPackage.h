// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/Inputs.h"
#include "driver/core/InstalledPackage.h"
#include "driver/core/Target.h"
#include "driver/pipeline/MountedFiles.h"
#include <map>

namespace cudacc::commands {

/// The contents of a wheel's `*.dist-info/METADATA`, with what these \p extras (normalised)
/// require. Empty if it cannot be read.
probe::DistributionMetadata readMetadata(const OpenedWheel &wheel,
                                         llvm::ArrayRef<std::string> extras = {});

/// What the wheel requires with each of its extras, by their names.
std::map<std::string, std::vector<versions::Requirement>>
requirementsByExtra(const OpenedWheel &wheel);

/// Whether the wheel requires torch, so that its files are never loaded before torch.
bool requiresTorch(const probe::DistributionMetadata &metadata);

/// The wheel's requirements that the runtime does not satisfy, as written: `torch==2.14.0`. An
/// installer would never install the two together.
std::vector<std::string> excluding(const probe::DistributionMetadata &metadata,
                                   const core::Target &target);

/// The wheel as it will be installed in \p site.
core::InstalledPackage packageOf(const OpenedWheel &wheel, std::string site);

/// Mounts the wheel's Python sources below \p site. \p wheel must outlive \p files.
void mountSources(const OpenedWheel &wheel, llvm::StringRef site, pipeline::MountedFiles &files);

} // namespace cudacc::commands
