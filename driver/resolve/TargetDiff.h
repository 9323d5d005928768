#pragma once

#include "driver/core/TargetDiff.h"

namespace cudacc::resolve {

/// Line, framework, machines and libraries of two targets, held against each other. A library
/// differs where its wheel, version, folder or whether it floats does; unknown is not like unknown
/// unless both name the same file.
core::TargetDiff diff(const core::Target &a, const core::Target &b);

} // namespace cudacc::resolve
