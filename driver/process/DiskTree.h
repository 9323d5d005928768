// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Files.h"
#include "driver/loader/search/Tree.h"
#include "driver/probe/python/Record.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <mutex>

namespace cudacc::process {

/// For example "mode 0600, of user 0, group 0".
std::string permissionsOf(const core::FileStatus &status);

/// Files of this machine as the loader sees them, and ld.so.cache; each is read once, whoever asks.
/// Thread-safe.
class DiskTree final : public loader::Tree {
public:
  /// \p files must outlive this. \p imports: also read the files' imports.
  explicit DiskTree(core::Files &files, bool imports = false);
  ~DiskTree() override;

  core::Files &files;

  /// Registers a file that was already read. \p facts must outlive this.
  void know(uint64_t device, uint64_t inode, const core::BinaryFacts &facts);

  loader::Candidate open(llvm::StringRef path, uint16_t machine) override;
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine) override;
  std::optional<std::vector<std::string>> hwcaps(uint16_t machine) override;
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef node) override;
  std::optional<bool> versioned(llvm::StringRef path) override;
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef path) override;
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> symbols) override;

  /// Facts of a program, which dlopen would refuse; null if it cannot be read, or is no program.
  const core::BinaryFacts *program(llvm::StringRef path);
  /// Name and path of each entry of ld.so.cache, in its order; empty if there is no cache, or if it
  /// could not be parsed.
  std::vector<std::pair<std::string, std::string>> cacheEntries();
  /// What installers recorded of the files.
  probe::InstallerRecords &records();
  /// The path without `..` and with the links of its folder resolved; the file may be a link.
  std::string plain(llvm::StringRef path);
  /// The path with all links resolved; for a file that does not exist, as plain().
  std::string real(llvm::StringRef path);

private:
  struct Entry;
  struct Symbols;
  struct Host;
  using Identity = std::pair<uint64_t, uint64_t>;

  bool imports;
  /// Guards the maps, not the entries that they point to.
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<Entry>> entries;
  llvm::StringMap<std::unique_ptr<Symbols>> symbols;
  llvm::StringMap<std::string> plainPaths, folders, realPaths;
  llvm::StringMap<bool> belowFiles;
  std::map<std::string, std::optional<core::BinaryFacts>, std::less<>> programs;
  /// What was read here or registered, by device and inode.
  std::map<Identity, const core::BinaryFacts *> known;
  std::vector<std::unique_ptr<core::BinaryFacts>> owned;
  /// The loader's cache, the mounts and what installers recorded, each read at its first use.
  std::unique_ptr<Host> host;

  void look(llvm::StringRef path, Entry &entry);
  void lookForReason(llvm::StringRef path, Entry &entry);
  bool isBelowFile(llvm::StringRef folder);
  const core::BinaryFacts *read(llvm::StringRef path, Entry &entry);
  bool isNoExec(llvm::StringRef path, const Entry &entry);
  void askRecord(llvm::StringRef path, Entry &entry);
  static void judge(const Entry &entry, loader::Candidate &candidate);
  Symbols &symbolsOf(llvm::StringRef path);
};

} // namespace cudacc::process
