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

/// Symbols that the runtime's libraries export, where the runtime is installed on this disk. Each
/// file is opened once.
class Installed {
public:
  explicit Installed(core::Files &files) : files(files) {}
  /// Unknown if the file cannot be read, or the library has no path.
  versions::Exported operator()(const core::TargetLibrary &library, llvm::StringRef symbol,
                                llvm::StringRef node);
  /// Whether the file has symbol versions; std::nullopt if it cannot be read, or has no path.
  std::optional<bool> versioned(const core::TargetLibrary &library);

  std::vector<std::string> list(llvm::StringRef folder) { return files.list(folder); }

private:
  core::Files &files;
  /// Null for a file that could not be opened.
  llvm::StringMap<std::unique_ptr<binary::ExportTable>> tables;

  binary::ExportTable *tableOf(const core::TargetLibrary &library);
};

/// Symbols that torch's own libraries export, where the runtime's torch is installed on this disk.
class InstalledTorchNames {
public:
  InstalledTorchNames(const core::Target &target, Installed &exports);
  /// At least one library was found.
  bool any() const { return !libraries.empty(); }
  versions::Exported operator()(llvm::StringRef symbol);

private:
  Installed &exports;
  std::vector<core::TargetLibrary> libraries;
};

/// Empty if the file cannot be read.
probe::LibraryNames libraryNames(core::Files &files, llvm::StringRef path);

/// The release of a libnvJitLink: the newest version suffix among its exported names (EV-5); 0.0 if
/// unknown.
versions::CudaVersion newestNvJitLink(core::Files &files, llvm::StringRef path);

} // namespace cudacc::pipeline
