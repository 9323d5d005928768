// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Files.h"
#include "driver/loader/search/Loader.h"
#include "driver/pipeline/System.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <mutex>

namespace cudacc::pipeline {

/// For example "mode 0600, of user 0, group 0".
std::string permissionsOf(const core::FileStatus &status);

/// Files of this machine as the loader sees them, and ld.so.cache; each is read once. Thread-safe.
class Disk {
public:
  /// \p imports: also read the files' imports.
  explicit Disk(System &system, bool imports = false);
  ~Disk();
  /// Registers a file that was already read. \p facts must outlive this.
  void know(uint64_t device, uint64_t inode, const core::BinaryFacts &facts);
  /// \p machine: e_machine of the process.
  loader::Candidate open(llvm::StringRef path, uint16_t machine);
  /// The path that ld.so.cache has for the name; std::nullopt if none, or if there is no cache.
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine);
  /// ld.so.cache exists and could be parsed.
  bool cacheKnown();
  /// Name and path of each cache entry, in the cache's order.
  std::vector<std::pair<std::string, std::string>> cacheEntries();

private:
  struct Entry;
  using Identity = std::pair<uint64_t, uint64_t>;

  System &system;
  bool imports;
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<Entry>> entries;
  /// What was read here or registered, by device and inode.
  std::map<Identity, const core::BinaryFacts *> known;
  std::vector<std::unique_ptr<core::BinaryFacts>> owned;
  std::once_flag cacheRead;
  struct Cache;
  std::unique_ptr<Cache> cache;
  std::once_flag mountsRead;
  struct Mounted;
  std::unique_ptr<Mounted> mounted;

  void look(llvm::StringRef path, Entry &entry);
  const core::BinaryFacts *read(llvm::StringRef path, Entry &entry);
  bool isNoExec(llvm::StringRef path, const Entry &entry);
  void askRecord(llvm::StringRef path, Entry &entry);
  static void judge(const Entry &entry, loader::Candidate &candidate);
  void readCache();
};

} // namespace cudacc::pipeline
