// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/tables/rows/Readers.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

namespace {

/// No known releases; distributions and frameworks come from the other tables.
class OtherTables : public rows::Known {
public:
  explicit OtherTables(const Model &model) : model(model) {}
  void readNumbering(const Row &row);

  rows::Numbering numberingOf(StringRef dist) const override {
    auto it = rules.find(dist);
    if (it == rules.end())
      return rows::Numbering::Unknown;
    return it->second ? rows::Numbering::RuledMinor : rows::Numbering::Own;
  }
  bool isFramework(StringRef name, unsigned major) const override {
    return llvm::any_of(model.frameworkNames, [&](const FrameworkName &each) {
      return each.framework == name && (!each.major || each.major == major);
    });
  }
  bool bringsLibrary(StringRef dist) const override {
    auto it = model.releases.dists.find(dist);
    return it != model.releases.dists.end() && !it->second.wheels.empty() &&
           llvm::any_of(model.libraries, [&](const auto &each) { return each.dist == dist; });
  }

private:
  const Model &model;
  std::map<std::string, bool, std::less<>> rules;
};

/// EV-2: a row of libraries.json may define how its distributions are numbered.
void OtherTables::readNumbering(const Row &row) {
  for (const auto &[major, dist] : rows::membersOf(row.map("wheel_dist"))) {
    auto rule = row.flagOrNull("wheel_version_starts_with_ctk_minor");
    if (!dist.isText() || !rule)
      continue;
    auto [it, isNew] = rules.try_emplace(dist.text, *rule);
    row.require(isNew || it->second == *rule, "{}: another library says otherwise", dist.text);
  }
}

void readName(const Row &row, Model &model) {
  FrameworkName name;
  name.name = row.text("name");
  row.require(name.name == versions::Requirement::normalise(name.name),
              "name is not in normal form");
  name.framework = row.text("framework");
  if (StringRef major = row.textOrNull("cuda_major"); !major.empty())
    name.major = row.asNumbers(major, 1)[0];
  llvm::append_range(name.extras, row.texts("extras"));
  row.require(llvm::none_of(model.frameworkNames,
                            [&](const auto &each) {
                              return each.name == name.name && each.extras == name.extras;
                            }),
              "the name appears twice");
  model.frameworkNames.push_back(std::move(name));
}

} // namespace

bool Model::hasLine(versions::CudaVersion line) const {
  return llvm::any_of(releases.toolkits, [&](const rows::Toolkit &each) {
    return versions::CudaVersion{each.number[0], each.number[1]} == line;
  });
}

static void checkNames(llvm::ArrayRef<Row> rows, const Model &model) {
  for (auto [row, name] : llvm::zip_equal(rows, model.frameworkNames))
    row.require(llvm::any_of(model.releases.frameworks,
                             [&](const rows::Framework &run) {
                               return run.name == name.framework &&
                                      (!name.major || run.major == name.major);
                             }),
                "framework_targets has no row of {} for this major", name.framework);
}

/// The number is compared as a version, so each part is a number, and none is left out.
static void readDataRelease(llvm::ArrayRef<Row> rows, Model &model) {
  if (rows.size() != 1)
    failWith("release: not exactly one row");
  model.dataRelease = rows[0].text("release").str();
  rows[0].require(rows::isDataRelease(model.dataRelease), "\"{}\" is not like 2026.11.0",
                  model.dataRelease);
}

void readReleases(Input &input, Model &model) {
  readDataRelease(input.rows("release"), model);
  auto rows = [&](StringRef table) { return input.rows(table); };
  OtherTables known(model);
  for (const Row &row : input.rows("libraries", "libraries"))
    known.readNumbering(row);
  rows::readToolkits(rows, known, model.releases);
  if (model.releases.toolkits.size() > 255)
    failWith("more than 255 toolkit releases");
  readLibraries(input, model);
  rows::readTorch(rows, known, model.releases);
  std::vector<Row> names = input.rows("framework_names");
  for (const Row &row : names)
    readName(row, model);
  rows::readFrameworks(rows, known, model.releases);
  checkNames(names, model);
  llvm::sort(model.frameworkNames, [](const auto &a, const auto &b) {
    return std::tie(a.name, a.extras) < std::tie(b.name, b.extras);
  });
  llvm::stable_sort(model.releases.frameworks, [](const auto &a, const auto &b) {
    auto first = [](const rows::Framework &run) { return *versions::Version::parse(run.first); };
    return std::tuple(StringRef(a.name), first(a), a.major) <
           std::tuple(StringRef(b.name), first(b), b.major);
  });
}

} // namespace cudacc::tables::generate
