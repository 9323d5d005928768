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

/// "mode 0600, of user 0, group 0".
std::string permissionsOf(const core::FileStatus &status);

/// Files of this machine as the loader meets them, and its cache; each is read once. For several
/// threads at once.
class Disk {
public:
  /// \p imports: facts have imports too.
  explicit Disk(System &system, bool imports = false);
  ~Disk();
  /// A file that was read already. \p facts outlive this.
  void know(uint64_t device, uint64_t inode, const core::BinaryFacts &facts);
  /// \p machine is that of the process (ELF e_machine).
  loader::Candidate open(llvm::StringRef path, uint16_t machine);
  /// What ld.so.cache has under the name; a cache that is not there has nothing.
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine);
  /// The cache is there and was understood.
  bool cacheKnown();
  /// Name and path of what it has, in its order.
  std::vector<std::pair<std::string, std::string>> cacheEntries();

private:
  struct Entry;
  using Identity = std::pair<uint64_t, uint64_t>;

  System &system;
  bool imports;
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<Entry>> entries;
  /// By identity: what was read, here or before.
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
