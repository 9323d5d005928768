// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/pipeline/System.h"
#include "driver/tables/lookup/Libraries.h"

namespace cudacc::pipeline {

/// The files of a runtime on this machine: those of its environment, else those of the toolkit that
/// would compile here, when it is of the runtime's line.
class RuntimeFiles {
public:
  /// \p directory may be null.
  RuntimeFiles(System &system, cache::Store &store, const core::Declaration &declaration,
               const core::Target &target, const core::ToolchainDirectory *directory)
      : system(system), store(store), declaration(declaration), target(target),
        directory(directory) {}

  /// The file to link with. \p row is null for archives and the driver's libraries. Error:
  /// NoToolkit with what was looked at.
  llvm::Expected<std::string> library(const tables::KnownLibrary &known,
                                      const core::TargetLibrary *row);
  /// The folder that \p header is included from; \p row, where there is one, is looked at first.
  /// Error likewise.
  llvm::Expected<std::string> includeFolder(const tables::HeaderProbe &header,
                                            const core::TargetLibrary *row);
  /// The same; empty where there is none.
  std::string includeFolderIfAny(const tables::HeaderProbe &header);

private:
  System &system;
  cache::Store &store;
  const core::Declaration &declaration;
  const core::Target &target;
  const core::ToolchainDirectory *directory;
  bool asked = false;
  std::optional<core::Toolkit> toolkit;
  /// Why there is no toolkit to take something from.
  core::Fact lacking;

  bool isFile(const std::string &path);
  const core::Toolkit *sameLine();
  llvm::Error missing(llvm::StringRef what);
  std::vector<std::string> headerFolders(const core::TargetLibrary *row);
  std::string besideLibraries(llvm::StringRef file);
  std::string inToolkit(const tables::KnownLibrary &known, const core::TargetLibrary *row);
};

} // namespace cudacc::pipeline
