#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::probe {

/// The prefix of the active environment: VIRTUAL_ENV, then CONDA_PREFIX. Errors: TwoEnvironments
/// where both are set and name different places (F14), BadRequirement where none is.
llvm::Expected<std::string> activeEnvironment(const core::Environment &environment,
                                              core::Files &files);

/// Reads the environment at \p prefix, an absolute path: a virtual environment, a conda prefix, an
/// installation's own prefix, or a folder that packages were unpacked into (pip --target). Error:
/// UnreadableFile or EvidenceConflict when it is none, or when it cannot be said which Python's.
llvm::Expected<core::PythonEnvironment> readEnvironment(llvm::StringRef prefix, core::Files &files);

/// The form in which it is kept (core/Fields.h); damaged text reads as nothing.
std::string serialise(const core::PythonEnvironment &environment);
std::optional<core::PythonEnvironment> parseEnvironment(llvm::StringRef text);

} // namespace cudacc::probe
