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

void readPreloads(Input &input, Model &model) {
  for (const Row &row : input.rows("preloads")) {
    Model::Preload preload;
    preload.packages = row.strings("packages");
    for (const std::string &name : preload.packages)
      row.require(versions::Requirement::normalise(name) == name,
                  "\"{}\" is not the normalised name of a distribution", name);
    row.require(!preload.packages.empty(), "no packages");
    preload.from = row.textOrNull("from").str();
    if (!preload.from.empty())
      row.asVersion(preload.from);
    preload.before = row.textOrNull("before").str();
    if (!preload.before.empty())
      row.asVersion(preload.before);
    preload.files = patterns(row, "files");
    preload.opens = patterns(row, "opens");
    row.require(!preload.opens.empty(), "opens nothing");
    preload.dependents = row.flag("dependents");
    row.require(preload.dependents || !preload.files.empty(), "for no file");
    preload.isGlobal = row.flag("global");
    preload.isFallback = row.flag("fallback");
    preload.source = row.text("source").str();
    row.require(preload.source.find_first_of("\"\\") == std::string::npos, "a quote in the source");
    preload.confidence = uint8_t(row.confidence());
    model.preloads.push_back(std::move(preload));
  }
}

} // namespace cudacc::tables::generate
