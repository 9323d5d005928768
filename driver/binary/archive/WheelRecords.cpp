// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/WheelRecords.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

namespace cudacc::binary {

llvm::StringRef extraField(llvm::StringRef fields, uint16_t id) {
  while (fields.size() >= 4) {
    uint16_t type = llvm::support::endian::read16le(fields.data());
    size_t size = llvm::support::endian::read16le(fields.data() + 2);
    fields = fields.drop_front(4);
    if (size > fields.size())
      break;
    if (type == id)
      return fields.take_front(size);
    fields = fields.drop_front(size);
  }
  return "";
}

std::optional<std::string> entryName(llvm::StringRef raw) {
  // Installers on other systems treat a backslash as a slash.
  if (raw.starts_with("/") || raw.contains('\0') || raw.starts_with("\\"))
    return std::nullopt;
  std::string name;
  for (llvm::StringRef part : llvm::split(raw, '/')) {
    if (part == "..")
      return std::nullopt;
    if (part.empty() || part == ".")
      continue;
    name += name.empty() ? "" : "/";
    name += part;
  }
  if (name.empty() && !raw.ends_with("/"))
    return std::nullopt;
  return name;
}

} // namespace cudacc::binary
