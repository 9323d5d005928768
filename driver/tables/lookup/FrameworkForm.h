#pragma once

#include "driver/tables/lookup/Frameworks.h"
#include "driver/versions/Requirement.h"

/// What rows of framework_targets are made of, for the generator of the tables and for facts files.
namespace cudacc::tables {

/// `exact`, `floor`, `range`, `built_with`, `none`; nothing: no such kind.
std::optional<FrameworkPins> frameworkPinsCalled(llvm::StringRef kind);
/// `==1.2.3`, which one version satisfies.
bool namesOneVersion(const versions::Specifier &clause);

} // namespace cudacc::tables
