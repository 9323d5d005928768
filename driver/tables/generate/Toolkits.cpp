#include "driver/tables/generate/Model.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

std::array<uint8_t, 3> releaseNumber(const Row &row, StringRef text) {
  auto numbers = row.asNumbers(text, 3);
  return {numbers[0], numbers[1], numbers[2]};
}

int Model::findRelease(const std::array<uint8_t, 3> &number) const {
  auto it = llvm::find_if(releases, [&](const Release &each) { return each.number == number; });
  return it == releases.end() ? -1 : int(it - releases.begin());
}

bool Model::hasLine(versions::CudaVersion line) const {
  return llvm::any_of(releases, [&](const Release &each) {
    return each.number[0] == line.major && each.number[1] == line.minor;
  });
}

static void readReleases(Input &input, Model &model) {
  for (const Row &row : input.rows("ctk_component_versions")) {
    Model::Release release;
    release.number = releaseNumber(row, row.text("ctk"));
    row.require(model.findRelease(release.number) < 0, "the release is there twice");
    for (const auto &[dist, version] : row.map("components"))
      release.components[dist.str()] = row.asVersion(row.asText(version)).str();
    row.require(!release.components.empty(), "no components");
    model.releases.push_back(std::move(release));
  }
  llvm::sort(model.releases, [](const auto &a, const auto &b) { return a.number < b.number; });
  if (model.releases.size() > 255)
    fail("more than 255 toolkit releases");
  for (auto [index, release] : llvm::enumerate(model.releases))
    for (const auto &[dist, version] : release.components) {
      model.dists[dist];
      model.wheels[{dist, version}].insert(uint8_t(index));
    }
}

/// The release names no other version: the one of the wheel, a `.postN` aside, or none, since the
/// components are those of x86_64 and a part may have wheels of aarch64 only.
static bool agrees(const Row &row, const Model &model, int release, const std::string &dist,
                   versions::Version version) {
  const auto &components = model.releases[release].components;
  auto it = components.find(dist);
  if (it == components.end() || row.asVersion(it->second) == version)
    return true;
  version.post.reset();
  return row.asVersion(it->second) == version;
}

using Overrides = std::map<std::pair<int, std::string>, std::string>;

static Overrides readOverrides(Input &input, const Model &model) {
  Overrides overrides;
  for (const Row &row : input.rows("ctk_component_versions"))
    for (const auto &[dist, wanted] : row.map("wheel_overrides"))
      overrides[{model.findRelease(releaseNumber(row, row.text("ctk"))), dist.str()}] =
          row.asText(wanted).str();
  return overrides;
}

static void readWheelVersions(const Row &row, const Overrides &overrides, Model &model) {
  std::string dist = row.text("dist").str();
  bool known = llvm::any_of(model.releases,
                            [&](const auto &each) { return each.components.count(dist) != 0; });
  for (const llvm::json::Value &entry : row.array("versions")) {
    const llvm::json::Array *columns = entry.getAsArray();
    row.require(columns && columns->size() == 6, "a version does not have six columns");
    versions::Version version = row.asVersion(row.asText((*columns)[0]));
    const llvm::json::Array *releases = (*columns)[1].getAsArray();
    if (!releases)
      continue;
    for (const llvm::json::Value &each : *releases) {
      StringRef ctk = row.asText(each);
      int release = model.findRelease(releaseNumber(row, ctk));
      row.require(release >= 0, "the toolkit release " + ctk + " has no row");
      // The metapackage is numbered as the toolkit is and is no component of it.
      if (!known)
        continue;
      auto wanted = overrides.find({release, dist});
      row.require(agrees(row, model, release, dist, version) ||
                      (wanted != overrides.end() && wanted->second == version.str()),
                  version.str() + " is not what " + ctk + " has in ctk_component_versions");
      model.wheels[{dist, version.str()}].insert(uint8_t(release));
    }
  }
}

static bool startsWithMinor(const Model &model, const std::string &dist, bool &any) {
  for (const auto &[key, releases] : model.wheels) {
    if (key.first != dist)
      continue;
    auto version = versions::CudaVersion::parse(key.second);
    for (uint8_t index : releases) {
      const auto &number = model.releases[index].number;
      any = true;
      if (version != versions::CudaVersion{number[0], number[1]})
        return false;
    }
  }
  return any;
}

/// EV-2: what libraries.json says about a distribution counts; where it says nothing, what all its
/// known versions show.
static void readNumbering(Input &input, Model &model) {
  std::map<std::string, bool> said;
  for (const Row &row : input.rows("libraries", "libraries"))
    for (const auto &[major, dist] : row.map("wheel_dist")) {
      auto name = dist.getAsString();
      auto rule = row.flagOrNull("wheel_version_starts_with_ctk_minor");
      if (!name || !rule)
        continue;
      auto [it, isNew] = said.try_emplace(name->str(), *rule);
      row.require(isNew || it->second == *rule, *name + ": another library says otherwise");
      bool any = false;
      row.require(!*rule || startsWithMinor(model, name->str(), any) || !any,
                  *name + ": a known version does not begin with the toolkit's minor");
    }
  for (auto &[name, dist] : model.dists) {
    bool any = false;
    auto it = said.find(name);
    dist.startsWithMinor = it != said.end() ? it->second : startsWithMinor(model, name, any);
  }
}

void readToolkits(Input &input, Model &model) {
  readReleases(input, model);
  Overrides overrides = readOverrides(input, model);
  std::set<std::string> seen;
  for (const Row &row : input.rows("nvidia_wheel_versions")) {
    std::string dist = row.text("dist").str();
    row.require(seen.insert(dist).second, "the distribution is there twice");
    StringRef major = row.textOrNull("cuda_major");
    model.dists[dist].major = major.empty() ? 0 : row.asNumbers(major, 1)[0];
    readWheelVersions(row, overrides, model);
  }
  readNumbering(input, model);
}

} // namespace cudacc::tables::generate
