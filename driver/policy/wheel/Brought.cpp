// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Brought.h"
#include "driver/policy/wheel/Pins.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

namespace {

class Bringing {
public:
  explicit Bringing(const Target &target) : target(target) {}
  void add(StringRef dist, const versions::Version &version, const std::string &origin);
  /// Adds what the rows NEED; the new rows are followed as well.
  void addNeeded();
  std::vector<TargetLibrary> rows;

private:
  const Target &target;

  /// The runtime, or a row, has a version of the distribution.
  bool has(StringRef dist) const {
    auto isOfDist = [&](const TargetLibrary &each) { return each.dist == dist; };
    return llvm::any_of(target.libraries, isOfDist) || llvm::any_of(rows, isOfDist);
  }
};

} // namespace

void Bringing::add(StringRef dist, const versions::Version &version, const std::string &origin) {
  if (has(dist))
    return;
  for (StringRef soname : tables::sonamesOf(dist, version)) {
    if (target.find(soname) || tables::distOf(soname, target.line.major) != dist)
      continue;
    TargetLibrary &row = rows.emplace_back();
    row.soname = soname;
    row.dist = dist;
    row.version = version;
    row.cuda = tables::lineOf(dist, version);
    row.floats = true;
    row.origin = origin;
    row.folder = tables::folderOf(soname, dist, version);
  }
}

/// The lowest version that has what \p row imports; without such a row, the lowest that is known.
static std::optional<versions::Version> lowestFor(const TargetLibrary &row, StringRef soname,
                                                  StringRef dist) {
  for (const tables::Coupling &coupling : tables::couplingsOf(row.soname, row.dist, row.version))
    if (coupling.soname == soname && !coupling.minVersion.empty())
      return versions::Version::parse(coupling.minVersion);
  std::vector<versions::Version> versions = tables::versionsOf(dist);
  return versions.empty() ? std::nullopt : std::optional(versions.front());
}

void Bringing::addNeeded() {
  for (size_t i = 0; i != rows.size(); ++i) {
    TargetLibrary row = rows[i];
    for (StringRef needed : tables::neededBy(row.soname, row.dist, row.version)) {
      StringRef dist = tables::distOf(needed, target.line.major);
      if (target.find(needed))
        continue;
      if (auto version = lowestFor(row, needed, dist))
        add(dist, *version, fmt::format("required by {}", row.dist));
    }
  }
}

std::vector<TargetLibrary> broughtBeside(const Target &target,
                                         llvm::ArrayRef<versions::Requirement> requirements) {
  if (!target.asWheels())
    return {};
  Bringing bringing(target);
  for (const ExactPin &pin : lowestPins(requirements).pins)
    bringing.add(pin.name, pin.version, "required by the wheel");
  bringing.addNeeded();
  return std::move(bringing.rows);
}

void addRows(Target &target, std::vector<TargetLibrary> rows) {
  llvm::append_range(target.libraries, std::move(rows));
  std::ranges::sort(target.libraries, {}, &TargetLibrary::soname);
}

} // namespace cudacc::policy
