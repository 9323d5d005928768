// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Groups.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Tables.h"

namespace cudacc::tables {

std::optional<Part> partOf(Side side, PartKind kind, llvm::StringRef name) {
  std::optional<Part> part;
  bool isLibrary = kind == PartKind::Library || kind == PartKind::Archive;
  if (auto known = libraryByLinkName(name);
      isLibrary && known && known->archive == (kind == PartKind::Archive))
    part.emplace();
  for (const rows::PartRow &row : rows::parts()) {
    if (row.kind != uint8_t(kind) || rows::str(row.name) != name)
      continue;
    if (!part)
      part.emplace();
    if (!(row.sides & (1u << unsigned(side))))
      continue;
    if (row.group != rows::None)
      part->group = rows::str(row.group);
    if (row.library != rows::None)
      part->library = rows::str(row.library);
  }
  return part;
}

} // namespace cudacc::tables
