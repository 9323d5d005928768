// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Exports.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Files.h"
#include "driver/loader/search/Tree.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <memory>
#include <mutex>

namespace cudacc::process {

/// Files that are installed together, by absolute path. Thread-safe once everything was added.
class PackageFiles {
public:
  using Opener = std::function<llvm::Expected<std::unique_ptr<core::ReadableFile>>()>;

  /// Adds a file under a path without `.` and `..`; a path that has one keeps it. \p facts must
  /// outlive this. \p open: reads it, for its exports; null: they are not known.
  void add(llvm::StringRef path, const core::BinaryFacts &facts, Opener open);
  /// The path of a file called \p name; empty if there is none.
  llvm::StringRef pathOf(llvm::StringRef name) const;
  /// The libraries of torch that its files NEED, sorted.
  std::vector<llvm::StringRef> torchLibraries() const;

private:
  friend class PackageTree;
  struct File {
    const core::BinaryFacts *facts = nullptr;
    uint64_t number = 0;
    Opener open;
    std::mutex mutex;
    bool isRead = false;
    /// Null if the file could not be read.
    std::unique_ptr<binary::ExportTable> exports;

    binary::ExportTable *table(llvm::StringRef path);
  };
  llvm::StringMap<std::unique_ptr<File>> files;
  /// Paths by name.
  llvm::StringMap<std::string> names;
};

/// The files of a package at the places where they will be installed, above another tree. Paths may
/// leave out the leading slash.
class PackageTree final : public loader::Tree {
public:
  /// Both must outlive this.
  PackageTree(PackageFiles &package, loader::Tree &below) : package(package), below(below) {}

  loader::Candidate open(llvm::StringRef path, uint16_t machine) override;
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine) override {
    return below.cached(name, machine);
  }
  std::optional<std::vector<std::string>> hwcaps(uint16_t machine) override {
    return below.hwcaps(machine);
  }
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef node) override;
  std::optional<bool> versioned(llvm::StringRef path) override;
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef path) override {
    return below.versionNeeds(path);
  }
  std::optional<std::vector<loader::Bound>>
  order(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> symbols) override {
    return below.order(path, symbols);
  }

private:
  PackageFiles &package;
  loader::Tree &below;

  PackageFiles::File *find(llvm::StringRef path) const;
};

} // namespace cudacc::process
