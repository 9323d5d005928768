// SPDX-License-Identifier: Apache-2.0
#include "driver/config/Config.h"
#include "driver/config/MatrixTable.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// A configuration file in the working directory, and what it declares; `env` has variables, a line
/// each.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/w");
  core::Environment environment;
  std::string variables = llvm::expectedToOptional(folder.files.read("/w/env")).value_or("");
  for (llvm::StringRef line : llvm::split(variables, '\n'))
    environment.entries.push_back(line);
  config::SearchNotes notes;
  auto declaration = fuzz::valueOf(
      config::readDeclaration({}, environment, folder.files, nullptr, 1000, "", &notes));
  if (declaration) {
    std::string text = config::declarationText(*declaration);
    auto again =
        fuzz::valueOf(config::readDeclaration({}, environment, folder.files, nullptr, 1000));
    fuzz::expect(again && config::declarationText(*again) == text);
    for (const core::Setting<std::string> &each : declaration->runtime)
      fuzz::expect(!each.value.empty());
  }
  fuzz::valueOf(config::findMatrixTable(environment, folder.files, 1000));
}

static const fuzz::Target target("config", run);
