// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;
using support::Value;

static void readPart(const Row &row, Model &model) {
  ToolkitPart part;
  part.name = row.text("part");
  llvm::append_range(part.archives, row.texts("archives"));
  part.always = row.flag("always");
  part.isTool = row.flag("tool");
  for (StringRef key : row.keys()) {
    StringRef major = key;
    StringRef dist = major.consume_front("dist_cu") ? row.textOrNull(key) : "";
    if (dist.empty())
      continue;
    requireDist(row, model, dist);
    part.dists.emplace_back(row.asNumbers(major, 1)[0], dist);
  }
  model.toolkitParts.push_back(std::move(part));
}

/// Reads `[sha256, bytes, unpacked]`, of which the last may be left out.
static void addFile(const Row &row, const Value &value, PublishedFile file, Model &model) {
  size_t count = value.items.size();
  auto numberAt = [&](size_t at) { return value.items[at].integer().value_or(0); };
  bool fits = value.isList() && (count == 2 || count == 3) && numberAt(1) > 0 &&
              (count == 2 || numberAt(2) > 0);
  StringRef name = file.release.empty() ? file.machine : file.name;
  if (!row.require(fits, "{} is not [sha256, bytes]", name))
    return;
  file.sha256 = row.asText(value.items[0]);
  row.require(file.sha256.size() == 64 &&
                  llvm::all_of(file.sha256, [](char each) { return llvm::isHexDigit(each); }),
              "{}: the sha256 is not 64 hexadecimal digits", name);
  file.bytes = numberAt(1);
  file.unpacked = count == 3 ? numberAt(2) : 0;
  model.published.push_back(std::move(file));
}

static void readWheel(const Row &row, Model &model) {
  StringRef dist = row.text("dist");
  requireDist(row, model, dist);
  StringRef version = model.keep(row.asVersion(row.text("version")).str());
  for (StringRef machine : {"x86_64", "aarch64"})
    addFile(row, row.value(machine), {"", dist, version, machine, ""}, model);
}

static void readRelease(const Row &row, Model &model) {
  rows::Number number = row.asNumber(row.text("ctk"));
  row.require(model.releases.findToolkit(number), "ctk_component_versions has no such release");
  StringRef ctk = row.text("ctk");
  for (const auto &[component, entry] : rows::membersOf(row.map("components"))) {
    if (!row.require(entry.isTable(), "{} is not an object", component))
      return;
    row.requireKeys(entry, component, {"version", "x86_64", "sbsa"});
    row.asVersion(entry.textAt("version"));
    for (StringRef machine : {"x86_64", "sbsa"})
      if (const Value *file = entry.find(machine))
        addFile(row, *file, {ctk, component, entry.textAt("version"), machine, ""}, model);
  }
}

void readFetched(Input &input, Model &model) {
  for (const Row &row : input.rows("toolkit_parts"))
    readPart(row, model);
  for (const Row &row : input.rows("toolkit_wheels"))
    readWheel(row, model);
  for (const Row &row : input.rows("redist"))
    readRelease(row, model);
}

} // namespace cudacc::tables::generate
