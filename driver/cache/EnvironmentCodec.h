// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include <optional>
#include <string>

namespace cudacc::cache {

/// Text format of a cached environment (Codec.h). Parsing returns std::nullopt for damaged text.
std::string serialise(const core::PythonEnvironment &environment);
std::optional<core::PythonEnvironment> parseEnvironment(llvm::StringRef text);

} // namespace cudacc::cache
