// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::probe {

/// The dialect of the compiler that answers \p text to --version; std::nullopt for other programs.
std::optional<core::Dialect> dialectOfAnswer(llvm::StringRef text);

} // namespace cudacc::probe
