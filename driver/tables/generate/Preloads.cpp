// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/versions/Requirement.h"

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
    rule.from = versionOrNone(row, "from");
    rule.before = versionOrNone(row, "before");
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

void readPreloads(Input &input, Model &model) {
  for (const Row &row : input.rows("preloads")) {
    Model::Preload preload;
    preload.packages = packages(row);
    preload.from = versionOrNone(row, "from");
    preload.before = versionOrNone(row, "before");
    preload.files = patterns(row, "files");
    preload.opens = patterns(row, "opens");
    row.require(!preload.opens.empty(), "opens nothing");
    preload.dependents = row.flag("dependents");
    row.require(preload.dependents || !preload.files.empty(), "for no file");
    preload.isGlobal = row.flag("global");
    preload.isFallback = row.flag("fallback");
    preload.raises = sentence(row, "raises");
    row.require(preload.raises.empty() || (!preload.isGlobal && !preload.isFallback),
                "what is opened when the package is used is neither global nor a fallback");
    row.text("source");
    preload.confidence = uint8_t(row.confidence());
    model.preloads.push_back(std::move(preload));
  }
}

} // namespace cudacc::tables::generate
