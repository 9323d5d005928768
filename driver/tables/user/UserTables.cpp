#include "driver/tables/lookup/UserTables.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/user/BuiltInTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using rows::Problem;
using rows::Row;
namespace json = llvm::json;

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

/// The tables of a file; null: a problem was reported.
static const json::Object *tablesOf(const json::Value &root, StringRef shown, Problem &problem) {
  auto require = [&](bool condition, const llvm::Twine &what, std::vector<core::Fact> facts = {}) {
    if (!condition)
      problem.report({shown.str(), what.str(), false, std::move(facts)});
  };
  const json::Object *object = root.getAsObject();
  const json::Value *tables = object ? object->get("tables") : nullptr;
  require(object, "it is no object");
  require(object && object->getInteger("schema") == 1, "\"schema\" is not 1");
  require(tables && tables->getAsObject(), "\"tables\" is no object");
  if (problem.mistake)
    return nullptr;
  for (const auto &[key, value] : *object)
    require(llvm::is_contained({"schema", "description", "tables"}, StringRef(key)),
            "unknown key \"" + StringRef(key) + "\"");
  for (const auto &[key, value] : *tables->getAsObject())
    require(llvm::is_contained(rows::releaseTables(), StringRef(key)),
            "unknown table \"" + StringRef(key) + "\"",
            {{"known", llvm::join(rows::releaseTables(), ", ")}});
  return tables->getAsObject();
}

static std::vector<Row> tableRows(const json::Object &tables, StringRef table, StringRef shown,
                                  Problem &problem) {
  const json::Value *found = tables.get(table);
  if (!found || problem.mistake)
    return {};
  std::string place = (shown + ": " + table).str();
  const json::Array *objects = found->getAsArray();
  if (!objects)
    problem.report({place, "it is no list of rows"});
  else if (objects->size() > problem.mostEntries)
    problem.report({place, ("more than " + llvm::Twine(problem.mostEntries) + " rows").str()});
  if (problem.mistake)
    return {};
  auto rows = rows::rowsOf(*objects, place + ", row", problem);
  rows::requireSources(rows);
  return rows;
}

static void readTables(StringRef text, StringRef shown, UserTables &out, Problem &problem) {
  auto root = rows::parseJson(text, shown, problem);
  const json::Object *tables = root ? tablesOf(*root, shown, problem) : nullptr;
  if (!tables || problem.mistake)
    return;
  auto source = [&](StringRef table) { return tableRows(*tables, table, shown, problem); };
  BuiltInTables known;
  rows::readToolkits(source, known, out);
  rows::readTorch(source, known, out);
  rows::readFrameworks(source, known, out);
}

llvm::Expected<UserTables> readUserTables(StringRef text, StringRef shown) {
  Problem problem;
  UserTables tables;
  readTables(text, shown, tables, problem);
  if (problem.mistake)
    return core::fail(findingOf(std::move(*problem.mistake)));
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
