#include "driver/facts/Groups.h"
#include "driver/facts/Libraries.h"
#include "driver/facts/Tables.h"

namespace cudacc::facts {

std::optional<Part> partOf(Side side, PartKind kind, llvm::StringRef name) {
  std::optional<Part> part;
  bool isLibrary = kind == PartKind::Library || kind == PartKind::Archive;
  if (auto known = libraryByLinkName(name);
      isLibrary && known && known->archive == (kind == PartKind::Archive))
    part.emplace();
  for (const tables::PartRow &row : tables::parts()) {
    if (row.kind != uint8_t(kind) || tables::str(row.name) != name)
      continue;
    if (!part)
      part.emplace();
    if (!(row.sides & (1u << unsigned(side))))
      continue;
    if (row.group != tables::None)
      part->group = tables::str(row.group);
    if (row.library != tables::None)
      part->library = tables::str(row.library);
  }
  return part;
}

} // namespace cudacc::facts
