// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/UserTables.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/tables/rows/Readers.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using rows::Number;
using rows::Problem;
using rows::Row;
using versions::Version;

namespace {

Number numberOf(const ToolkitRelease &release) {
  return {release.major, release.minor, release.patch};
}

std::vector<rows::OwnedPin> owned(llvm::ArrayRef<Pin> pins) {
  std::vector<rows::OwnedPin> all;
  for (const Pin &pin : pins)
    all.push_back(
        {pin.dist.str(), pin.floor.str(), pin.spec.str(), pin.floats, pin.kind, pin.confidence});
  return all;
}

/// The built-in tables and rows that were added before.
class KnownTables : public rows::Known {
public:
  explicit KnownTables(const UserTables *more) : more(more) {}

  std::vector<Number> toolkits() const override {
    std::vector<Number> all;
    for (const ToolkitRelease &release : toolkitReleases(more))
      all.push_back(numberOf(release));
    return all;
  }

  StringRef component(const Number &toolkit, StringRef dist) const override {
    auto release = findToolkitRelease(toolkit[0], toolkit[1], toolkit[2], more);
    return release ? componentVersion(*release, dist) : "";
  }

  bool hasDist(StringRef dist) const override {
    return added(dist) || rows::findDist(dist) != rows::None;
  }

  bool has(const Number &toolkit, StringRef dist, const Version &version) const override {
    return llvm::any_of(releasesOf(dist, version, more),
                        [&](const ToolkitRelease &each) { return numberOf(each) == toolkit; });
  }

  std::optional<Version> oldestWheel(StringRef dist, const Version &least,
                                     const versions::SpecifierSet &set) const override {
    auto serves = [&](const Version &each) { return each >= least && set.contains(each); };
    std::optional<Version> oldest;
    if (uint16_t index = rows::findDist(dist); index != rows::None)
      for (rows::VersionId id : rows::list(rows::dists()[index].wheels))
        if (auto version = Version::parse(rows::versionText(id)); !oldest && serves(*version))
          oldest = version;
    if (const rows::Dist *owner = added(dist))
      for (const Version &each : owner->wheels)
        if (serves(each) && !(oldest && *oldest < each))
          return each;
    return oldest;
  }

  rows::Numbering numberingOf(StringRef dist) const override {
    if (const rows::Dist *owner = added(dist))
      return owner->numbering;
    uint16_t index = rows::findDist(dist);
    return index == rows::None ? rows::Numbering::Unknown
                               : rows::Numbering(rows::dists()[index].numbering);
  }

  std::vector<rows::Torch> torchOf(versions::CudaVersion minor) const override {
    std::vector<rows::Torch> all;
    for (const TorchRelease &release : torchReleases(more))
      if (release.major == minor.major && release.minor == minor.minor)
        all.push_back(*release.row);
    return all;
  }

  size_t pinSetCount() const override {
    return rows::pinSets().size() + (more ? more->pinSets.size() : 0);
  }

  std::vector<rows::OwnedPin> pins(uint16_t pinSet) const override {
    TorchLine line;
    line.pinsKnown = true;
    line.pinSet = pinSet;
    line.from = more;
    return owned(torchPins(line));
  }

  std::optional<rows::Framework> framework(StringRef name, unsigned major,
                                           const Version &release) const override {
    auto isIt = [&](StringRef text) { return Version::parse(text) == release; };
    FrameworkName wanted;
    wanted.framework = name;
    wanted.major = major;
    for (const FrameworkRun &run : frameworkRuns(wanted, more)) {
      if (run.read.empty() ? !isIt(run.first) : llvm::none_of(run.read, isIt))
        continue;
      return *run.row;
    }
    return std::nullopt;
  }

  bool isFramework(StringRef name, unsigned major) const override {
    return llvm::any_of(frameworkNames(), [&](const FrameworkName &each) {
      return each.framework == name && (!each.major || each.major == major);
    });
  }

  bool bringsLibrary(StringRef dist) const override {
    uint16_t index = rows::findDist(dist);
    return index != rows::None && !rows::list(rows::dists()[index].wheels).empty() &&
           llvm::any_of(rows::libraries(), [&](const auto &row) { return row.dist == index; });
  }

private:
  const UserTables *more;

  const rows::Dist *added(StringRef dist) const {
    if (!more)
      return nullptr;
    auto it = more->dists.find(dist);
    return it == more->dists.end() ? nullptr : &it->second;
  }
};

} // namespace

static core::Finding findingOf(rows::Mistake mistake) {
  core::Finding finding;
  finding.facts = std::move(mistake.facts);
  finding.facts.insert(finding.facts.begin(), {"where", std::move(mistake.place)});
  if (mistake.contradicts) {
    finding.code = core::Code::FactsContradict;
    finding.message = std::move(mistake.what);
    finding.fixes = {"take the row out", "env:PATH, what is installed there"};
  } else {
    finding.code = core::Code::BrokenFacts;
    finding.message = "the facts file is broken: " + mistake.what;
    finding.fixes = {"leave it out, and declare env:PATH or cuda=="};
  }
  return finding;
}

/// The members that a user's file and a package have in common.
static const support::Value *tablesIn(const support::Value &root, const Row &file) {
  file.require(root.isTable(), "it is not an object");
  const support::Value *schema = root.find("schema");
  file.require(schema && schema->integer() == 1, "\"schema\" is not 1");
  const support::Value &tables = file.map("tables");
  if (!file.good())
    return nullptr;
  file.requireKeys(root, "key", {"schema", "release", "date", "description", "tables"});
  file.requireKeys(tables, "table", rows::releaseTables());
  return &tables;
}

static void readRows(rows::TableRows source, const rows::Known &known, UserTables &out) {
  rows::readToolkits(source, known, out);
  rows::readTorch(source, known, out);
  rows::readFrameworks(source, known, out);
}

/// The rows of each table that \p wanted selects.
static void readTables(const support::Value &tables, const std::string &shown, Problem &problem,
                       llvm::function_ref<bool(const Row &)> wanted, const rows::Known &known,
                       UserTables &out) {
  readRows(
      [&, lists = Row(tables, shown, problem)](StringRef table) {
        std::vector<Row> all;
        if (tables.find(table) && lists.good())
          all = rows::rowsOf(lists.array(table), fmt::format("{}: {}, row", shown, table), problem);
        llvm::erase_if(all, [&](const Row &row) { return !wanted(row); });
        rows::requireSources(all);
        return all;
      },
      known, out);
}

llvm::Expected<UserTables> readUserTables(StringRef text, StringRef shown) {
  Problem problem;
  UserTables out;
  if (auto root = rows::parseJson(text, shown, problem))
    if (const support::Value *tables = tablesIn(*root, Row(*root, shown.str(), problem)))
      readTables(
          *tables, shown.str(), problem, [](const Row &) { return true; }, KnownTables(nullptr),
          out);
  if (problem.mistake)
    return core::makeError(findingOf(std::move(*problem.mistake)));
  return out;
}

StringRef dataRelease() { return rows::dataRelease(); }

static bool isAfterBuiltIn(StringRef release) {
  return *Version::parse(rows::dataRelease()) < *Version::parse(release);
}

/// Reads "release". Empty after a mistake.
static StringRef releaseIn(const Row &file) {
  StringRef release = file.text("release");
  file.require(rows::isDataRelease(release), "\"{}\" is no release of the data", release);
  return file.good() ? release : "";
}

llvm::Expected<PackageRelease> readPackageRelease(StringRef text, StringRef shown) {
  Problem problem;
  PackageRelease package;
  if (auto root = rows::parseJson(text, shown, problem)) {
    Row file(*root, shown.str(), problem);
    const support::Value *schema = root->find("schema");
    // Further keys are a later version's.
    if (file.require(root->isTable(), "it is not an object") &&
        file.require(schema && schema->integer() == 1, "its schema is {}, not 1",
                     schema && schema->integer() ? schema->text : "no number"))
      package.release = releaseIn(file).str();
  }
  if (problem.mistake)
    return core::makeError(findingOf(std::move(*problem.mistake)));
  package.isNewer = isAfterBuiltIn(package.release);
  return package;
}

/// Moves \p added, which was read with \p to as known tables, into \p to.
static void merge(UserTables added, UserTables &to) {
  auto less = [](const auto &a, const auto &b) { return a.number < b.number; };
  auto minorOf = [](const rows::Torch &torch) {
    return std::pair(torch.number[0], torch.number[1]);
  };
  // Of a minor that it adds to, `added` has every release.
  llvm::erase_if(to.torch, [&](const rows::Torch &old) {
    return llvm::any_of(added.torch,
                        [&](const auto &each) { return minorOf(each) == minorOf(old); });
  });
  llvm::append_range(to.torch, std::move(added.torch));
  llvm::sort(to.torch, less);
  llvm::append_range(to.toolkits, std::move(added.toolkits));
  llvm::sort(to.toolkits, less);
  for (auto &[name, dist] : added.dists) {
    rows::Dist &owner = to.dists[name];
    owner.numbering = dist.numbering;
    owner.wheels.merge(dist.wheels);
    for (auto &[version, releases] : dist.releases)
      owner.releases[version].merge(releases);
  }
  llvm::append_range(to.pinSets, std::move(added.pinSets));
  llvm::append_range(to.frameworks, std::move(added.frameworks));
}

llvm::Error addPackage(StringRef text, StringRef shown, StringRef release, UserTables &more) {
  Problem problem{.keepsKnown = true};
  UserTables added;
  if (auto root = rows::parseJson(text, shown, problem)) {
    Row file(*root, shown.str(), problem);
    const support::Value *tables = tablesIn(*root, file);
    file.require(file.good() && releaseIn(file) == release, "it is not of release {}", release);
    auto isNew = [](const Row &row) {
      StringRef since = row.text("since");
      row.require(rows::isDataRelease(since), "\"{}\" is no release of the data", since);
      return !row.good() || isAfterBuiltIn(since);
    };
    if (tables && file.good())
      readTables(*tables, shown.str(), problem, isNew, KnownTables(&more), added);
  }
  if (problem.mistake)
    return core::makeError(findingOf(std::move(*problem.mistake)));
  merge(std::move(added), more);
  more.packageRelease = release.str();
  return llvm::Error::success();
}

const std::set<Number> *UserTables::releasesOf(StringRef dist, const Version &version) const {
  auto owner = dists.find(dist);
  if (owner == dists.end())
    return nullptr;
  const auto &releases = owner->second.releases;
  auto it = releases.find(version);
  if (it == releases.end() && version.post) {
    Version base = version;
    base.post.reset();
    it = releases.find(base);
  }
  return it == releases.end() ? nullptr : &it->second;
}

} // namespace cudacc::tables
