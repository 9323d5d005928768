// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Exports.h"
#include "driver/loader/binding/Binding.h"
#include "driver/pipeline/Tree.h"
#include <map>

namespace cudacc::commands {

/// What is known of the files of this disk, for every process that is simulated.
class FileCache {
public:
  explicit FileCache(pipeline::System &system) : system(system), disk(system, /*imports=*/true) {}

  pipeline::System &system;
  pipeline::Disk disk;
  /// Of a program, which is no file to be opened by dlopen; null: it cannot be read.
  const core::BinaryFacts *program(llvm::StringRef path);
  /// Null: it cannot be read.
  binary::ExportTable *exportsOf(llvm::StringRef path);
  /// Kept, since every change that is tried asks the same.
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node);
  /// Its folder without `..` and links; the file itself may be a link.
  const std::string &plain(llvm::StringRef path);
  /// All links resolved; of what is not there, as plain.
  const std::string &real(llvm::StringRef path);
  const std::vector<loader::VersionNeed> &versionNeeds(llvm::StringRef path);
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> symbols);

private:
  struct Exports {
    std::unique_ptr<binary::ExportTable> table;
    /// By symbol, then node.
    llvm::StringMap<versions::Exported> known;
  };
  llvm::StringMap<Exports> tables;
  llvm::StringMap<std::string> plainPaths, folders, realPaths;
  llvm::StringMap<std::vector<loader::VersionNeed>> needs;

  std::map<std::string, std::optional<core::BinaryFacts>> programs;
};

} // namespace cudacc::commands
