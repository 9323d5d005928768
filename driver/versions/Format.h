// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <concepts>
#include <fmt/core.h>
#include <string>

// Types that fmt::format() accepts besides its own. Width and alignment work as for strings.

namespace cudacc::versions {

/// A type with a str() method: versions, architectures, origins.
template <typename T>
concept Printable = requires(const T &value) {
  { value.str() } -> std::same_as<std::string>;
};

} // namespace cudacc::versions

template <> struct fmt::formatter<llvm::StringRef> : fmt::formatter<fmt::string_view> {
  fmt::format_context::iterator format(llvm::StringRef text, fmt::format_context &context) const;
};

template <cudacc::versions::Printable T>
struct fmt::formatter<T> : fmt::formatter<llvm::StringRef> {
  fmt::format_context::iterator format(const T &value, fmt::format_context &context) const {
    return fmt::formatter<llvm::StringRef>::format(value.str(), context);
  }
};
