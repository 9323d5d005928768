// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/generate/Model.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

static std::vector<std::string> patterns(const Row &row, StringRef key) {
  for (StringRef text : row.texts(key))
    row.require(!text.starts_with("/") && !text.contains(".."),
                "{}: \"{}\" is not a path below site-packages", key, text);
  return row.strings(key);
}

static std::vector<std::string> packages(const Row &row) {
  for (StringRef name : row.texts("packages"))
    row.require(versions::Requirement::normalise(name) == name,
                "\"{}\" is not the normalised name of a distribution", name);
  row.require(!row.texts("packages").empty(), "no packages");
  return row.strings("packages");
}

static std::string versionOrNone(const Row &row, StringRef key) {
  StringRef text = row.textOrNull(key);
  if (!text.empty())
    row.asVersion(text);
  return text.str();
}

/// What is said about the row; it is printed.
static std::string sentence(const Row &row, StringRef key) {
  StringRef text = row.textOrNull(key);
  row.require(text.find_first_of("\"\\") == StringRef::npos, "a quote in the {}", key);
  return text.str();
}

void readVersionRules(Input &input, Model &model) {
  for (const Row &row : input.rows("version_rules")) {
    Model::VersionRule rule;
    rule.packages = packages(row);
    rule.from = row.asVersion(row.text("from")).str();
    rule.to = row.asVersion(row.text("to")).str();
    row.require(*versions::Version::parse(rule.from) <= *versions::Version::parse(rule.to),
                "{} is after {}", rule.from, rule.to);
    rule.files = patterns(row, "files");
    row.require(!rule.files.empty(), "for no file");
    rule.library = row.text("library").str();
    rule.least = row.asVersion(row.text("least")).str();
    if (!row.value("cuda").isNull())
      rule.line = row.cuda("cuda");
    rule.raises = sentence(row, "raises");
    row.require(!rule.raises.empty(), "raises nothing");
    row.text("source");
    rule.confidence = uint8_t(row.confidence());
    model.versionRules.push_back(std::move(rule));
  }
}

static bool isOpenedBy(const Model::Shape &library, StringRef opened, const Model::Open &row) {
  auto version = *versions::Version::parse(library.from);
  auto bound = [](StringRef text) { return *versions::Version::parse(text); };
  return When(row.when) == When::FirstCall && llvm::is_contained(row.packages, library.dist) &&
         llvm::is_contained(row.files, library.soname) &&
         (row.from.empty() || bound(row.from) <= version) &&
         (row.before.empty() || version < bound(row.before)) &&
         StringRef(row.opens.front()).split(".so").first == opened.split(".so").first;
}

/// Whether both tables name the parts of its own family that a library opens: the strings that were
/// read show them, only the rows say under which names, and what follows if there is none.
static void requireSame(const Row &table, const Model &model) {
  llvm::BitVector used(model.opens.size());
  for (const Model::Shape &library : model.shapes) {
    StringRef family = StringRef(library.soname).split(".so").first;
    for (StringRef opened : library.dlopens) {
      bool isSaid = !opened.starts_with(family) || opened.split(".so").first == family;
      for (size_t i = 0; i != model.opens.size(); ++i)
        if (isOpenedBy(library, opened, model.opens[i]))
          used.set(i), isSaid = true;
      table.require(isSaid, "no row says that {} of {} {} opens {}", library.soname, library.dist,
                    library.from, opened);
    }
  }
  for (size_t i = 0; i != model.opens.size(); ++i)
    table.require(used[i] || When(model.opens[i].when) != When::FirstCall,
                  "versioned_symbols does not say that {} opens {}",
                  llvm::join(model.opens[i].files, ", "), model.opens[i].opens.front());
}

void readOpens(Input &input, Model &model) {
  std::vector<Row> rows = input.rows("opens");
  for (const Row &row : rows) {
    Model::Open open;
    open.packages = packages(row);
    open.from = versionOrNone(row, "from");
    open.before = versionOrNone(row, "before");
    open.files = patterns(row, "files");
    open.dependents = row.flag("dependents");
    row.require(open.dependents || !open.files.empty(), "for no file");
    auto when = row.choice<When>("when", {{"import", When::Import},
                                          {"failed import", When::FailedImport},
                                          {"use", When::Use},
                                          {"first call", When::FirstCall}});
    open.opens = patterns(row, "opens");
    row.require(!open.opens.empty(), "opens nothing");
    auto where = row.choice<Where>("where", {{"site-packages", Where::SitePackages},
                                             {"own CUDA major", Where::OwnMajor},
                                             {"modules", Where::Modules},
                                             {"search", Where::Search}});
    row.require(when == When::FirstCall ? where == Where::Search
                                        : when == When::Use || where != Where::Search,
                "a library searches for what it opens when it is used, code in site-packages");
    open.isGlobal = row.flag("global");
    auto missing = row.choice<Missing>("missing", {{"goes on", Missing::GoesOn},
                                                   {"fails", Missing::Fails},
                                                   {"ends the process", Missing::EndsProcess}});
    open.raises = sentence(row, "raises");
    row.require(open.raises.empty() == (missing == Missing::GoesOn),
                "what fails says something, and what goes on does not");
    row.require(when != When::Use || where != Where::Search || missing == Missing::GoesOn,
                "what a file of the package searches for counts only if all of it is found");
    bool isOfImport = when == When::Import || when == When::FailedImport;
    row.require(isOfImport ? missing == Missing::GoesOn : !open.isGlobal,
                "an import passes over what is missing, and it alone opens for everybody");
    row.text("source");
    open.when = uint8_t(when);
    open.where = uint8_t(where);
    open.missing = uint8_t(missing);
    open.confidence = uint8_t(row.confidence());
    model.opens.push_back(std::move(open));
  }
  requireSame(rows.front(), model);
}

} // namespace cudacc::tables::generate
