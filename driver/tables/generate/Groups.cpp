// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Groups.h"
#include "driver/tables/generate/Model.h"

namespace cudacc::tables::generate {

/// Names of libraries and archives must exist in the other tables.
static void requireKnown(const Row &row, const Model &model, llvm::StringRef name, bool archive) {
  auto it = model.stems.find(name.str());
  row.require(it != model.stems.end() && it->second.archive == archive,
              "no library is called \"{}\"", name);
}

void readGroups(Input &input, Model &model) {
  for (const Row &row : input.rows("guard_groups")) {
    PartKind kind = row.choice<PartKind>("kind", {{"header", PartKind::Header},
                                                  {"library", PartKind::Library},
                                                  {"binary", PartKind::Binary},
                                                  {"archive", PartKind::Archive},
                                                  {"bitcode", PartKind::Bitcode}});
    unsigned sides = 0;
    for (llvm::StringRef side : row.texts("sides")) {
      row.require(side == "build" || side == "run", "unknown side \"{}\"", side);
      sides |= 1u << unsigned(side == "build" ? Side::Build : Side::Run);
    }
    row.require(sides != 0, "no side");
    row.confidence();
    llvm::StringRef group = row.textOrNull("group"), library = row.textOrNull("library");
    if (!library.empty())
      requireKnown(row, model, library, false);
    for (llvm::StringRef name : row.texts("members")) {
      if (kind == PartKind::Library || kind == PartKind::Archive)
        requireKnown(row, model, name, kind == PartKind::Archive);
      for (const GroupMember &each : model.parts)
        row.require(each.name != name || each.kind != kind || !(each.sides & sides) ||
                        each.group.empty() || group.empty(),
                    "{} is in two groups", name);
      model.parts.push_back({{group, library}, name, kind, sides});
    }
  }
}

} // namespace cudacc::tables::generate
