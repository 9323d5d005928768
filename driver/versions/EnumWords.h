// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cudacc::versions {

/// The entry of \p value in a table with one entry per enumerator, up to \p Last. An enumerator
/// that is added without an entry does not compile.
template <auto Last, typename Entry, size_t N>
constexpr const Entry &entryOf(const Entry (&table)[N], decltype(Last) value) {
  static_assert(N == size_t(Last) + 1);
  return table[size_t(value)];
}

} // namespace cudacc::versions
