// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/UserTables.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/user/BuiltInTables.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using rows::Problem;
using rows::Row;

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

static void readTables(StringRef text, StringRef shown, UserTables &out, Problem &problem) {
  auto root = rows::parseJson(text, shown, problem);
  if (!root)
    return;
  Row file(*root, shown.str(), problem);
  file.require(root->isTable(), "it is not an object");
  const support::Value *schema = root->find("schema");
  file.require(schema && schema->integer() == 1, "\"schema\" is not 1");
  const support::Value &tables = file.map("tables");
  if (!file.good())
    return;
  file.requireKeys(*root, "key", {"schema", "description", "tables"});
  file.requireKeys(tables, "table", rows::releaseTables());
  auto source = [&, lists = Row(tables, shown.str(), problem)](StringRef table) {
    std::vector<Row> all;
    if (tables.find(table) && file.good())
      all = rows::rowsOf(lists.array(table), fmt::format("{}: {}, row", shown, table), problem);
    rows::requireSources(all);
    return all;
  };
  auto known = builtInTables();
  rows::readToolkits(source, *known, out);
  rows::readTorch(source, *known, out);
  rows::readFrameworks(source, *known, out);
}

llvm::Expected<UserTables> readUserTables(StringRef text, StringRef shown) {
  Problem problem;
  UserTables tables;
  readTables(text, shown, tables, problem);
  if (problem.mistake)
    return core::makeError(findingOf(std::move(*problem.mistake)));
  return tables;
}

const std::set<rows::Number> *UserTables::releasesOf(StringRef dist,
                                                     const versions::Version &version) const {
  auto owner = dists.find(dist);
  if (owner == dists.end())
    return nullptr;
  const auto &releases = owner->second.releases;
  auto it = releases.find(version);
  if (it == releases.end() && version.post) {
    versions::Version base = version;
    base.post.reset();
    it = releases.find(base);
  }
  return it == releases.end() ? nullptr : &it->second;
}

} // namespace cudacc::tables
