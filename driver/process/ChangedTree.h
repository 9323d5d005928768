// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/process/DiskTree.h"

namespace cudacc::process {

/// This disk with changes on top: a fix that is tried, another version of a wheel, folders taken
/// away. Paths are those of DiskTree::plain. Changes are made before anything is asked.
class ChangedTree final : public loader::Tree {
public:
  /// A library that is not on disk: what it exports is known from the tables.
  struct Library {
    core::TargetLibrary row;
    core::BinaryFacts facts;
    /// CUDA major of the library.
    unsigned major = 0;
    uint64_t number = 0;
  };

  /// \p disk must outlive this. \p hidesCuda: what the default directories and the loader's cache
  /// have of CUDA or of a framework is not there, as on machines that only run programs (F27).
  explicit ChangedTree(DiskTree &disk, bool hidesCuda = false) : disk(disk), hidesCuda(hidesCuda) {}

  void remove(std::string path);
  /// Puts the library at the path `library.row.path`.
  void put(Library library);
  /// Puts a file that was linked again in place of the one at \p path. \p isRelinked: only its
  /// dynamic section differs, so it needs the same symbol versions. \p renamed: NEEDED names that
  /// were replaced (old, new), in verneed too (SY-16).
  void relink(std::string path, core::BinaryFacts facts, bool isRelinked,
              std::vector<std::pair<std::string, std::string>> renamed);

  /// Libraries were put or removed.
  bool hasOtherLibraries() const { return !libraries.empty(); }
  /// Null if the library at the path is not one that was put there.
  const Library *changed(llvm::StringRef path) const;
  /// The path with all links resolved; of a library that was put, its path.
  std::string real(llvm::StringRef path) const;

  loader::Candidate open(llvm::StringRef path, uint16_t machine) override;
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine) override;
  std::optional<std::vector<std::string>> hwcaps(uint16_t machine) override {
    return disk.hwcaps(machine);
  }
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef node) override;
  std::optional<bool> versioned(llvm::StringRef path) override;
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef path) override;
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> symbols) override;

private:
  struct Relinked {
    std::string path;
    core::BinaryFacts facts;
    bool isRelinked = false;
    std::vector<std::pair<std::string, std::string>> renamed;
  };

  DiskTree &disk;
  bool hidesCuda;
  /// std::nullopt: the file does not exist.
  std::map<std::string, std::optional<Library>, std::less<>> libraries;
  std::optional<Relinked> relinked;

  bool isHidden(llvm::StringRef name) const;
  bool isRelinked(llvm::StringRef path) const;
};

} // namespace cudacc::process
