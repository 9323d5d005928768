// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include <optional>
#include <string>

namespace cudacc::cache {

/// The form in which it is kept (core/Fields.h); damaged text reads as nothing.
std::string serialise(const core::PythonEnvironment &environment);
std::optional<core::PythonEnvironment> parseEnvironment(llvm::StringRef text);

} // namespace cudacc::cache
