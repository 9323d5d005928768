// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Override.h"

namespace cudacc::config {

/// Parses `CC3005=warning`. Errors: BadValue, without the place. The severity of unknown facts
/// cannot be lowered (MD-3), and that of errors in the call itself cannot be changed.
llvm::Expected<core::SeverityChange> parseSeverityChange(llvm::StringRef text);
/// Parses `CC4003 libx.so.1: the application loads it`. Errors: as above, and a missing reason.
llvm::Expected<core::Waiver> parseWaiver(llvm::StringRef text);

} // namespace cudacc::config
