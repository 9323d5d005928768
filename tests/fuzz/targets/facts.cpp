// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/UserTables.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// Rows that are added to the tables: of a user's file, of a package. Its release is not checked
/// for being newer.
static void run(llvm::StringRef text) {
  auto more = fuzz::valueOf(tables::readUserTables(text, "more.json"));
  if (auto release = fuzz::valueOf(tables::readPackageRelease(text, "release.json"))) {
    fuzz::expect(!release->release.empty());
    tables::UserTables added = more.value_or(tables::UserTables());
    if (llvm::Error error = tables::addPackage(text, "tables.json", release->release, added))
      fuzz::expectFinding(std::move(error));
  }
}

static const fuzz::Target target("facts", run);
