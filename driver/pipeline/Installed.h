// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Exports.h"
#include "driver/core/Files.h"
#include "driver/core/Target.h"
#include "driver/probe/host/Libraries.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace cudacc::pipeline {

/// The runtime's libraries where it is a place on this disk: their own exports, each file opened
/// once.
class Installed {
public:
  explicit Installed(core::Files &files) : files(files) {}
  /// Unknown: the file cannot be read, or the library has no path.
  versions::Exported operator()(const core::TargetLibrary &library, llvm::StringRef symbol,
                                llvm::StringRef node);
  /// Whether the file has version information; nothing: it cannot be read, or has no path.
  std::optional<bool> versioned(const core::TargetLibrary &library);

  std::vector<std::string> list(llvm::StringRef folder) { return files.list(folder); }

private:
  core::Files &files;
  /// Null: could not be opened.
  llvm::StringMap<std::unique_ptr<binary::ExportTable>> tables;

  binary::ExportTable *tableOf(const core::TargetLibrary &library);
};

/// The own libraries of the torch that a runtime has as a place.
class InstalledTorchNames {
public:
  InstalledTorchNames(const core::Target &target, Installed &exports);
  /// One was found.
  bool any() const { return !libraries.empty(); }
  versions::Exported operator()(llvm::StringRef symbol);

private:
  Installed &exports;
  std::vector<core::TargetLibrary> libraries;
};

/// Empty where the file cannot be read.
probe::LibraryNames libraryNames(core::Files &files, llvm::StringRef path);

/// EV-5: the newest family among the names that a libnvJitLink exports is its release; 0.0: not
/// known.
versions::CudaVersion newestNvJitLink(core::Files &files, llvm::StringRef path);

} // namespace cudacc::pipeline
