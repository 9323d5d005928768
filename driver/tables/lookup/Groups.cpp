// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Groups.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/TextTable.h"

namespace cudacc::tables {

std::optional<Part> partOf(Side side, PartKind kind, llvm::StringRef name) {
  std::optional<Part> part;
  bool isLibrary = kind == PartKind::Library || kind == PartKind::Archive;
  if (auto known = libraryByLinkName(name);
      isLibrary && known && known->archive == (kind == PartKind::Archive))
    part.emplace();
  static const auto all = rows::readTable<GroupMember>("parts");
  for (const GroupMember &row : all) {
    if (row.kind != kind || row.name != name)
      continue;
    if (!part)
      part.emplace();
    if (!(row.sides & (1u << unsigned(side))))
      continue;
    if (!row.group.empty())
      part->group = row.group;
    if (!row.library.empty())
      part->library = row.library;
  }
  return part;
}

} // namespace cudacc::tables
