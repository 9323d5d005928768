#pragma once

#include "driver/core/Requirement.h"
#include "driver/facts/Frameworks.h"

/// What rows of framework_targets are made of, for the generator of the tables and for facts files.
namespace cudacc::facts {

/// `exact`, `floor`, `range`, `built_with`, `none`; nothing: no such kind.
std::optional<FrameworkPins> frameworkPinsCalled(llvm::StringRef kind);
/// `==1.2.3`, which one version satisfies.
bool namesOneVersion(const core::Specifier &clause);

} // namespace cudacc::facts
