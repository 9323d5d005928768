// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/support/Value.h"
#include "llvm/Support/Error.h"

namespace cudacc::config {

/// The table `matrix`: `[tool.cuda-cc.matrix]` of pyproject.toml, `[matrix]` of cuda-cc.toml. An
/// empty list or text: the key is not there.
struct MatrixTable {
  using Texts = std::vector<core::Setting<std::string>>;
  /// Requirements, or `all` and a range. Relative paths in them, in `inputs`, `toolkits` and
  /// `pythons` are resolved against the folder of the file.
  Texts runtimes;
  Texts inputs, toolkits, pythons, artefacts;
  core::Setting<std::string> build, test, torchAbi;
  /// Folder of the file, absolute; empty if there is no table.
  std::string folder;
};

/// Reads the table from the file \p shown in \p folder. Errors: UnknownKey, BadValue.
llvm::Expected<MatrixTable> readMatrixTable(const support::Value &table, llvm::StringRef shown,
                                            llvm::StringRef folder, core::Files &files);

/// The table of the file that readDeclaration would read. As it names programs to run, that file
/// must be one that \p uid trusts. Errors: as readDeclaration.
llvm::Expected<MatrixTable> findMatrixTable(const core::Environment &env, core::Files &files,
                                            unsigned uid);

} // namespace cudacc::config
