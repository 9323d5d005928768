// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/generate/Model.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

static std::vector<StringRef> patterns(const Row &row, StringRef key) {
  for (StringRef text : row.texts(key))
    row.require(!text.starts_with("/") && !text.contains(".."),
                "{}: \"{}\" is not a path below site-packages", key, text);
  return row.texts(key);
}

static std::vector<StringRef> packages(const Row &row) {
  for (StringRef name : row.texts("packages"))
    row.require(versions::Requirement::normalise(name) == name,
                "\"{}\" is not the normalised name of a distribution", name);
  row.require(!row.texts("packages").empty(), "no packages");
  return row.texts("packages");
}

static StringRef versionOrNone(const Row &row, StringRef key) {
  StringRef text = row.textOrNull(key);
  if (!text.empty())
    row.asVersion(text);
  return text;
}

void readVersionRules(Input &input, Model &model) {
  for (const Row &row : input.rows("version_rules")) {
    VersionRule rule;
    rule.packages = packages(row);
    rule.from = row.asVersion(row.text("from")).str();
    rule.to = row.asVersion(row.text("to")).str();
    row.require(*versions::Version::parse(rule.from) <= *versions::Version::parse(rule.to),
                "{} is after {}", rule.from, rule.to);
    rule.files = patterns(row, "files");
    row.require(!rule.files.empty(), "for no file");
    rule.library = row.text("library");
    rule.least = row.asVersion(row.text("least")).str();
    if (!row.value("cuda").isNull())
      rule.line = row.cuda("cuda");
    rule.raises = row.textOrNull("raises");
    row.require(!rule.raises.empty(), "raises nothing");
    row.text("source");
    rule.confidence = row.confidence();
    model.versionRules.push_back(std::move(rule));
  }
}

static bool isOpenedBy(const rows::Run<LibraryShape> &library, StringRef opened, const Open &row) {
  auto version = *versions::Version::parse(library.from);
  auto bound = [](StringRef text) { return *versions::Version::parse(text); };
  return row.when == When::FirstCall && llvm::is_contained(row.packages, library.dist) &&
         llvm::is_contained(row.files, library.soname) &&
         (row.from.empty() || bound(row.from) <= version) &&
         (row.before.empty() || version < bound(row.before)) &&
         StringRef(row.opens.front()).split(".so").first == opened.split(".so").first;
}

/// Whether both tables name the parts of its own family that a library opens: the strings that were
/// read show them, only the rows say under which names, and what follows if there is none.
static void requireSame(const Row &table, const Model &model) {
  llvm::BitVector used(model.opens.size());
  for (const rows::Run<LibraryShape> &library : model.shapes) {
    StringRef family = library.soname.split(".so").first;
    for (StringRef opened : library.row.dlopens) {
      bool isSaid = !opened.starts_with(family) || opened.split(".so").first == family;
      for (size_t i = 0; i != model.opens.size(); ++i)
        if (isOpenedBy(library, opened, model.opens[i]))
          used.set(i), isSaid = true;
      table.require(isSaid, "no row says that {} of {} {} opens {}", library.soname, library.dist,
                    library.from, opened);
    }
  }
  for (size_t i = 0; i != model.opens.size(); ++i)
    table.require(used[i] || model.opens[i].when != When::FirstCall,
                  "versioned_symbols does not say that {} opens {}",
                  llvm::join(model.opens[i].files, ", "), model.opens[i].opens.front());
}

void readOpens(Input &input, Model &model) {
  std::vector<Row> table = input.rows("opens");
  for (const Row &row : table) {
    Open open;
    open.packages = packages(row);
    open.from = versionOrNone(row, "from");
    open.before = versionOrNone(row, "before");
    open.files = patterns(row, "files");
    open.dependents = row.flag("dependents");
    row.require(open.dependents || !open.files.empty(), "for no file");
    auto when = open.when = row.choice<When>("when", {{"import", When::Import},
                                                      {"failed import", When::FailedImport},
                                                      {"use", When::Use},
                                                      {"first call", When::FirstCall}});
    for (StringRef pattern : patterns(row, "opens"))
      open.opens.push_back(pattern.str());
    row.require(!open.opens.empty(), "opens nothing");
    auto where = open.where = row.choice<Where>("where", {{"site-packages", Where::SitePackages},
                                                          {"own CUDA major", Where::OwnMajor},
                                                          {"modules", Where::Modules},
                                                          {"search", Where::Search}});
    row.require(when == When::FirstCall ? where == Where::Search
                                        : when == When::Use || where != Where::Search,
                "a library searches for what it opens when it is used, code in site-packages");
    open.isGlobal = row.flag("global");
    auto missing = open.missing =
        row.choice<Missing>("missing", {{"goes on", Missing::GoesOn},
                                        {"fails", Missing::Fails},
                                        {"ends the process", Missing::EndsProcess}});
    open.raises = row.textOrNull("raises").str();
    row.require(open.raises.empty() == (missing == Missing::GoesOn),
                "what fails says something, and what goes on does not");
    row.require(when != When::Use || where != Where::Search || missing == Missing::GoesOn,
                "what a file of the package searches for counts only if all of it is found");
    bool isOfImport = when == When::Import || when == When::FailedImport;
    row.require(isOfImport ? missing == Missing::GoesOn : !open.isGlobal,
                "an import passes over what is missing, and it alone opens for everybody");
    row.text("source");
    open.confidence = row.confidence();
    model.opens.push_back(std::move(open));
  }
  requireSame(table.front(), model);
}

} // namespace cudacc::tables::generate
