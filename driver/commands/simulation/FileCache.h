// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Exports.h"
#include "driver/loader/binding/Binding.h"
#include "driver/pipeline/Tree.h"
#include <map>

namespace cudacc::commands {

/// What is known about files on this disk, shared by all simulated processes.
class FileCache {
public:
  explicit FileCache(pipeline::System &system) : system(system), disk(system, /*imports=*/true) {}

  pipeline::System &system;
  pipeline::Disk disk;
  /// Facts of a program, which dlopen would refuse; null if it cannot be read, or is no program.
  const core::BinaryFacts *program(llvm::StringRef path);
  /// Null if the file cannot be read.
  binary::ExportTable *exportsOf(llvm::StringRef path);
  /// Cached, since every change that is tried looks up the same symbols.
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node);
  /// The path without `..` and with the links of its folder resolved; the file may be a link.
  const std::string &plain(llvm::StringRef path);
  /// The path with all links resolved; for a file that does not exist, as plain().
  const std::string &real(llvm::StringRef path);
  const std::vector<loader::VersionNeed> &versionNeeds(llvm::StringRef path);
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> symbols);

private:
  struct Exports {
    std::unique_ptr<binary::ExportTable> table;
    /// By `SYMBOL@NODE`.
    llvm::StringMap<versions::Exported> known;
  };
  llvm::StringMap<Exports> tables;
  llvm::StringMap<std::string> plainPaths, folders, realPaths;
  llvm::StringMap<std::vector<loader::VersionNeed>> needs;

  std::map<std::string, std::optional<core::BinaryFacts>> programs;
};

} // namespace cudacc::commands
