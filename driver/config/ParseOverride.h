// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Override.h"

namespace cudacc::config {

/// `CC3005=warning`. Error: Code::BadValue, without the place. What is not known cannot be made
/// less (MD-3), and what is wrong with the call itself is not up for choice.
llvm::Expected<core::SeverityChange> parseSeverityChange(llvm::StringRef text);
/// `CC4003 libx.so.1: the application loads it`. Error: as above, and without a reason.
llvm::Expected<core::Waiver> parseWaiver(llvm::StringRef text);

} // namespace cudacc::config
