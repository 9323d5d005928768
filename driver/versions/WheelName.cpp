// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/WheelName.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::versions {

using llvm::StringRef;

std::optional<WheelName> WheelName::parse(StringRef file) {
  if (!file.consume_back(".whl"))
    return std::nullopt;
  llvm::SmallVector<StringRef, 7> parts;
  file.split(parts, '-');
  if (parts.size() < 5 || llvm::is_contained(parts, ""))
    return std::nullopt;
  WheelName name;
  name.name = parts[0];
  name.version = parts[1];
  size_t at = 2;
  // A build tag starts with a digit, a Python tag does not.
  if (llvm::isDigit(parts[at].front()))
    name.build = parts[at++];
  size_t left = parts.size() - at;
  if (left != 3 && left != 4)
    return std::nullopt;
  name.python = parts[at];
  name.abi = parts[at + 1];
  name.platform = parts[at + 2];
  if (left == 4)
    name.variant = parts[at + 3];
  return name;
}

std::string WheelName::tags() const { return fmt::format("{}-{}-{}", python, abi, platform); }

} // namespace cudacc::versions
