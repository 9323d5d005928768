// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>

namespace cudacc::devlink {

/// The pieces in one text; fmt is not linked into the helper program.
inline std::string join(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (std::string_view piece : pieces)
    text.append(piece);
  return text;
}

template <typename Integer> std::string decimal(Integer number) {
  char digits[24];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// `nvJitLinkComplete: NVJITLINK_ERROR_PTX_COMPILE (4)`; \p name may be empty.
inline std::string failureText(std::string_view call, std::string_view name, int result) {
  std::string number = decimal(result);
  return name.empty() ? join({call, ": error ", number})
                      : join({call, ": ", name, " (", number, ")"});
}

/// A log without the NULs at its end.
inline std::string withoutNuls(std::string text) {
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

} // namespace cudacc::devlink
