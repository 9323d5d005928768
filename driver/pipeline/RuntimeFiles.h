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

/// Finds a runtime's files on this machine: in its environment, else in the toolkit that would
/// compile here, if both have the same CUDA version (`line`).
class RuntimeFiles {
public:
  /// \p directory may be null.
  RuntimeFiles(System &system, cache::Store &store, const core::Declaration &declaration,
               const core::Target &target, const core::ToolchainDirectory *directory)
      : system(system), store(store), declaration(declaration), target(target),
        directory(directory) {}

  /// The file to link with. \p row is null for archives and for the driver's libraries. Errors:
  /// NoToolkit, with the places searched.
  llvm::Expected<std::string> library(const tables::KnownLibrary &known,
                                      const core::TargetLibrary *row);
  /// The directory that \p header is included from. The library of \p row, if not null, is searched
  /// first. Errors: as above.
  llvm::Expected<std::string> includeFolder(const tables::HeaderProbe &header,
                                            const core::TargetLibrary *row);
  /// The same; empty if not found.
  std::string includeFolderIfAny(const tables::HeaderProbe &header);

private:
  System &system;
  cache::Store &store;
  const core::Declaration &declaration;
  const core::Target &target;
  const core::ToolchainDirectory *directory;
  bool asked = false;
  std::optional<core::Toolkit> toolkit;
  /// Why no file can be taken from a toolkit, as a fact for the error.
  core::Fact lacking;

  bool isFile(const std::string &path);
  const core::Toolkit *sameLine();
  llvm::Error missing(llvm::StringRef what);
  std::vector<std::string> headerFolders(const core::TargetLibrary *row);
  std::string besideLibraries(llvm::StringRef file);
  std::string inToolkit(const tables::KnownLibrary &known, const core::TargetLibrary *row);
};

} // namespace cudacc::pipeline
