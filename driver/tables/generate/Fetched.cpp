// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;
using support::Value;

static void readPart(const Row &row, Model &model) {
  model.toolkitParts +=
      fmt::format("{} {} {} {}", row.text("part"), llvm::join(row.texts("archives"), ","),
                  int(row.flag("always")), int(row.flag("tool")));
  for (StringRef key : row.keys()) {
    StringRef major = key;
    StringRef dist = major.consume_front("dist_cu") ? row.textOrNull(key) : "";
    if (dist.empty())
      continue;
    requireDist(row, model, dist);
    model.toolkitParts += fmt::format(" {}:{}", major, dist);
  }
  model.toolkitParts += "\n";
}

/// ` SHA256 BYTES UNPACKED` of `[sha256, bytes, unpacked]`; the last is 0 if it is left out.
static std::string fileOf(const Row &row, const Value &file, StringRef name) {
  size_t count = file.items.size();
  auto numberAt = [&](size_t at) { return file.items[at].integer().value_or(0); };
  bool fits = file.isList() && (count == 2 || count == 3) && numberAt(1) > 0 &&
              (count == 2 || numberAt(2) > 0);
  if (!row.require(fits, "{} is not [sha256, bytes]", name))
    return "";
  StringRef sha256 = row.asText(file.items[0]);
  row.require(sha256.size() == 64 &&
                  llvm::all_of(sha256, [](char each) { return llvm::isHexDigit(each); }),
              "{}: the sha256 is not 64 hexadecimal digits", name);
  return fmt::format(" {} {} {}", sha256, numberAt(1), count == 3 ? numberAt(2) : 0);
}

static void readWheel(const Row &row, Model &model) {
  StringRef dist = row.text("dist");
  requireDist(row, model, dist);
  for (StringRef machine : {"x86_64", "aarch64"})
    model.toolkitWheels += fmt::format("{} {} {}{}\n", dist, row.asVersion(row.text("version")),
                                       machine, fileOf(row, row.value(machine), machine));
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
        model.archives += fmt::format("{} {} {} {}{}\n", ctk, component, entry.textAt("version"),
                                      machine, fileOf(row, *file, component));
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
