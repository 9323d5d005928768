// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Format.h"

#include <fmt/format.h>

fmt::format_context::iterator
fmt::formatter<llvm::StringRef>::format(llvm::StringRef text, fmt::format_context &context) const {
  return formatter<string_view>::format({text.data(), text.size()}, context);
}
