// SPDX-License-Identifier: Apache-2.0
#include "driver/process/DiskTree.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Bindings.h"
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Exports.h"
#include "driver/binary/elf/Header.h"
#include "driver/core/Diagnostic.h"
#include "driver/loader/search/Loader.h"
#include "driver/probe/host/Hwcaps.h"
#include "driver/probe/host/LoaderCache.h"
#include "driver/probe/host/Mounts.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/SmallString.h"
#include <array>
#include <climits>
#include <utility>

namespace cudacc::process {

using namespace core;
using loader::Candidate;
using versions::Exported;

struct DiskTree::Entry {
  std::once_flag looked, read;
  FileStatus::Kind kind = FileStatus::Kind::None;
  uint64_t device = 0, inode = 0;
  /// See loader::Candidate.
  bool blocked = false;
  /// Why it cannot be opened, or empty if it can or does not exist. `detail`: its permissions.
  std::string denied, detail;
  /// The first bytes, from which the loader determines the file's type.
  std::string start;
  const BinaryFacts *facts = nullptr;
  std::string problem;
  std::optional<binary::Damage> damage;
  /// It has code but lies on a file system mounted noexec.
  bool noExec = false;
  std::string package;
};

struct DiskTree::Symbols {
  std::mutex mutex;
  bool isRead = false;
  /// Null for a file that could not be read.
  std::unique_ptr<binary::ExportTable> exports;
  /// By `SYMBOL@NODE`.
  llvm::StringMap<Exported> known;
  std::optional<std::vector<core::VersionNeed>> needs;
};

struct DiskTree::Host {
  std::once_flag cacheRead, mountsRead, hwcapsRead;
  std::optional<probe::LoaderCache> cache;
  probe::Mounts mounts;
  std::optional<std::vector<std::string>> hwcaps;
  probe::InstallerRecords records;

  explicit Host(Files &files) : records(files) {}
  /// Null if there is no cache, or if it could not be parsed.
  const probe::LoaderCache *cacheOf(Files &files);
};

DiskTree::DiskTree(Files &files, bool imports)
    : files(files), imports(imports), host(std::make_unique<Host>(files)) {}
DiskTree::~DiskTree() = default;

void DiskTree::know(uint64_t device, uint64_t inode, const BinaryFacts &facts) {
  known.try_emplace({device, inode}, &facts);
}

/// Only strerror's text, as the loader prints it.
static std::string reasonOf(llvm::StringRef message, llvm::StringRef path) {
  llvm::StringRef reason = message;
  return reason.consume_front(fmt::format("cannot read {}: ", path)) ? reason.str() : message.str();
}

std::string permissionsOf(const FileStatus &status) {
  std::string mode;
  for (unsigned shift : {9, 6, 3, 0})
    mode += char('0' + (status.mode >> shift & 7));
  return fmt::format("mode {}, of user {}, group {}", mode, status.owner, status.group);
}

/// The number of symbolic links that Linux follows.
static constexpr unsigned mostLinks = 40;

/// Why nothing can be opened at the path, if for another reason than that there is no such file.
void DiskTree::lookForReason(llvm::StringRef path, Entry &entry) {
  if (support::nameOf(path).size() > NAME_MAX && files.stat(support::parentOf(path)).exists()) {
    entry.denied = "File name too long";
    entry.blocked = true;
    return;
  }
  std::string at = path.str();
  for (unsigned links = 0; auto target = files.readLink(at); ++links) {
    entry.denied = loader::DanglingLink;
    if (links == mostLinks) {
      entry.denied = "Too many levels of symbolic links";
      entry.blocked = true;
      return;
    }
    at = support::joinPath(support::parentOf(at), *target);
  }
  if (entry.denied.empty() && isBelowFile(support::parentOf(path)))
    entry.denied = "Not a directory";
}

/// Whether the folder or one above it is a file.
bool DiskTree::isBelowFile(llvm::StringRef folder) {
  if (folder.size() < 2)
    return false;
  {
    std::lock_guard lock(mutex);
    if (auto known = belowFiles.find(folder); known != belowFiles.end())
      return known->second;
  }
  FileStatus status = files.stat(folder);
  bool isBelow = status.exists() ? status.kind != FileStatus::Kind::Directory
                                 : isBelowFile(support::parentOf(folder));
  std::lock_guard lock(mutex);
  return belowFiles[folder] = isBelow;
}

void DiskTree::look(llvm::StringRef path, Entry &entry) {
  FileStatus status = files.stat(path);
  entry.kind = status.kind;
  entry.device = status.id.device;
  entry.inode = status.id.inode;
  if (status.kind == FileStatus::Kind::None)
    lookForReason(path, entry);
  if (status.kind != FileStatus::Kind::Regular)
    return;
  auto file = files.open(path);
  if (!file) {
    entry.denied = reasonOf(toFinding(file.takeError()).message, path);
    entry.detail = permissionsOf(status);
    return;
  }
  std::array<char, 64> start{};
  auto got = (*file)->readAt(0, start);
  if (got)
    entry.start.assign(start.data(), *got);
  else
    entry.denied = toFinding(got.takeError()).message;
}

/// True for a file with code on a file system mounted noexec, from which it cannot be mapped.
bool DiskTree::isNoExec(llvm::StringRef path, const Entry &entry) {
  std::call_once(host->mountsRead, [&] { host->mounts = probe::Mounts::read(files); });
  if (!host->mounts.isNoExec(path, entry.device, files))
    return false;
  auto file = files.open(path);
  auto code = file ? binary::hasCode(**file, path) : file.takeError();
  return llvm::expectedToOptional(std::move(code)).value_or(false);
}

/// Adds the package that installed a damaged file, and the size that it recorded.
void DiskTree::askRecord(llvm::StringRef path, Entry &entry) {
  entry.detail = entry.damage->because;
  if (entry.damage->isTruncated())
    entry.detail = fmt::format("{} bytes", entry.damage->size);
  if (entry.damage->needed)
    entry.detail += fmt::format(", its segments end at {}", entry.damage->needed);
  auto recorded = host->records.find(support::absolute(path, files));
  if (!recorded)
    return;
  entry.package = recorded->package();
  if (recorded->size && entry.damage->isTruncated())
    entry.detail += fmt::format(", RECORD of {} says {}", recorded->package(), *recorded->size);
}

probe::InstallerRecords &DiskTree::records() { return host->records; }

const BinaryFacts *DiskTree::read(llvm::StringRef path, Entry &entry) {
  entry.noExec = isNoExec(path, entry);
  {
    std::lock_guard lock(mutex);
    auto before = known.find({entry.device, entry.inode});
    if (before != known.end())
      return before->second;
  }
  auto file = files.open(path);
  if (!file) {
    entry.problem = toFinding(file.takeError()).message;
    return nullptr;
  }
  binary::ReadOptions options;
  options.imports = imports;
  options.thorough = false;
  llvm::Expected<BinaryFacts> facts = binary::read(**file, path, options);
  if (!facts) {
    entry.problem = toFinding(facts.takeError()).message;
    auto damage = binary::findDamage(**file, path);
    if (!damage) {
      llvm::consumeError(damage.takeError());
    } else if (*damage) {
      entry.damage = std::move(**damage);
      askRecord(path, entry);
    }
    return nullptr;
  }
  std::lock_guard lock(mutex);
  owned.push_back(std::make_unique<BinaryFacts>(std::move(*facts)));
  return known.try_emplace({entry.device, entry.inode}, owned.back().get()).first->second;
}

/// Sets what the loader does with a file that could not be read or mapped.
void DiskTree::judge(const Entry &entry, Candidate &candidate) {
  if (entry.noExec) {
    candidate.kind = Candidate::Kind::Fatal;
    candidate.reason = "failed to map segment from shared object";
    candidate.namesRequest = true;
    candidate.detail = "on a file system that is mounted noexec";
    return;
  }
  if (candidate.facts)
    return;
  candidate.kind = Candidate::Kind::Unreadable;
  candidate.reason = entry.problem;
  candidate.detail = entry.detail;
  candidate.package = entry.package;
  if (!entry.damage)
    return;
  using Ends = binary::Damage::Ends;
  candidate.reason += fmt::format(" ({})", entry.detail);
  if (entry.damage->ends != Ends::Refused && entry.damage->ends != Ends::Loading)
    return;
  candidate.kind = Candidate::Kind::Fatal;
  candidate.endsProcess = entry.damage->ends == Ends::Loading;
  candidate.namesRequest = candidate.endsProcess;
  candidate.reason = entry.damage->words;
  if (candidate.endsProcess)
    candidate.reason = fmt::format("it is {}: SIGBUS or SIGSEGV when it is mapped",
                                   entry.damage->isTruncated() ? "truncated" : "damaged");
}

Candidate DiskTree::open(llvm::StringRef path, uint16_t machine) {
  Entry *entry;
  {
    std::lock_guard lock(mutex);
    std::unique_ptr<Entry> &slot = entries[path];
    if (!slot)
      slot = std::make_unique<Entry>();
    entry = slot.get();
  }
  std::call_once(entry->looked, [&] { look(path, *entry); });
  Candidate candidate;
  switch (entry->kind) {
  case FileStatus::Kind::None:
    candidate.reason = entry->denied;
    candidate.blocked = entry->blocked;
    return candidate;
  case FileStatus::Kind::Directory:
    return loader::directoryCandidate();
  case FileStatus::Kind::Other:
    candidate.kind = Candidate::Kind::Unreadable;
    candidate.reason = "it is not a file";
    return candidate;
  case FileStatus::Kind::Regular:
    break;
  }
  if (!entry->denied.empty()) {
    candidate.reason = entry->denied;
    candidate.detail = entry->detail;
    return candidate;
  }
  if (auto fault = binary::headerFault(entry->start, machine)) {
    candidate.kind = fault->isForeign ? Candidate::Kind::Foreign : Candidate::Kind::Fatal;
    candidate.reason = fault->words;
    candidate.namesRequest = fault->isProgram;
    if (fault->words == binary::TooShort) {
      std::call_once(entry->read, [&] {
        using Ends = binary::Damage::Ends;
        entry->damage = binary::Damage{Ends::Refused, binary::TooShort, "", entry->start.size()};
        askRecord(path, *entry);
      });
      candidate.detail = entry->detail;
      candidate.package = entry->package;
    }
  } else {
    candidate.kind = Candidate::Kind::Good;
    std::call_once(entry->read, [&] { entry->facts = read(path, *entry); });
    candidate.facts = entry->facts;
    judge(*entry, candidate);
  }
  candidate.device = entry->device;
  candidate.inode = entry->inode;
  return candidate;
}

const probe::LoaderCache *DiskTree::Host::cacheOf(Files &files) {
  std::call_once(cacheRead, [&] {
    if (auto text = llvm::expectedToOptional(files.read("/etc/ld.so.cache")))
      cache = probe::LoaderCache::read(std::move(*text));
  });
  return cache ? &*cache : nullptr;
}

std::vector<std::pair<std::string, std::string>> DiskTree::cacheEntries() {
  std::vector<std::pair<std::string, std::string>> all;
  if (const probe::LoaderCache *cache = host->cacheOf(files))
    for (const probe::LoaderCache::Entry &entry : cache->entries())
      all.emplace_back(entry.name.str(), entry.path.str());
  return all;
}

std::optional<std::string> DiskTree::cached(llvm::StringRef name, uint16_t machine) {
  const probe::LoaderCache *cache = host->cacheOf(files);
  if (!cache)
    return std::nullopt;
  loader::Situation usual;
  loader::setMachine(usual, machine);
  return cache->find(name, machine, hwcaps(machine).value_or(usual.hwcaps));
}

std::optional<std::vector<std::string>> DiskTree::hwcaps(uint16_t machine) {
  if (machine != versions::ownMachine().elf)
    return std::nullopt;
  std::call_once(host->hwcapsRead, [&] { host->hwcaps = probe::readHwcaps(files); });
  return host->hwcaps;
}

const BinaryFacts *DiskTree::program(llvm::StringRef path) {
  std::lock_guard lock(mutex);
  auto [place, isNew] = programs.try_emplace(path.str());
  if (isNew && !path.empty()) {
    binary::ReadOptions options;
    options.imports = options.thorough = false;
    auto file = files.open(path);
    auto facts = llvm::expectedToOptional(file ? binary::read(**file, path, options)
                                               : llvm::Expected<BinaryFacts>(file.takeError()));
    if (facts && facts->kind == BinaryKind::Executable)
      place->second = std::move(*facts);
  }
  return place->second ? &*place->second : nullptr;
}

DiskTree::Symbols &DiskTree::symbolsOf(llvm::StringRef path) {
  Symbols *entry;
  {
    std::lock_guard lock(mutex);
    std::unique_ptr<Symbols> &slot = symbols[path];
    if (!slot)
      slot = std::make_unique<Symbols>();
    entry = slot.get();
  }
  std::lock_guard lock(entry->mutex);
  if (std::exchange(entry->isRead, true))
    return *entry;
  if (auto file = llvm::expectedToOptional(files.open(path)))
    if (auto table = llvm::expectedToOptional(binary::ExportTable::open(std::move(*file), path)))
      entry->exports = std::move(*table);
  return *entry;
}

Exported DiskTree::exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
  Symbols &entry = symbolsOf(path);
  std::lock_guard lock(entry.mutex);
  if (!entry.exports)
    return Exported::Unknown;
  llvm::SmallString<128> question(symbol);
  question += '@';
  question += node;
  auto [place, isNew] = entry.known.try_emplace(question);
  if (isNew)
    place->second = entry.exports->find(symbol, node);
  return place->second;
}

std::optional<bool> DiskTree::versioned(llvm::StringRef path) {
  Symbols &entry = symbolsOf(path);
  std::lock_guard lock(entry.mutex);
  return entry.exports ? std::optional(entry.exports->versioned()) : std::nullopt;
}

std::vector<core::VersionNeed> DiskTree::versionNeeds(llvm::StringRef path) {
  Symbols &entry = symbolsOf(path);
  std::lock_guard lock(entry.mutex);
  if (entry.needs)
    return *entry.needs;
  entry.needs.emplace();
  auto file = llvm::expectedToOptional(files.open(path));
  auto read = file ? llvm::expectedToOptional(binary::versionNeeds(**file, path)) : std::nullopt;
  if (read)
    entry.needs = std::move(*read);
  return *entry.needs;
}

std::optional<std::vector<loader::Bound>> DiskTree::order(llvm::StringRef path,
                                                          llvm::ArrayRef<llvm::StringRef> symbols) {
  auto file = llvm::expectedToOptional(files.open(path));
  if (!file)
    return std::nullopt;
  auto read = llvm::expectedToOptional(binary::bindingOrder(**file, path, symbols));
  if (!read)
    return std::nullopt;
  std::vector<loader::Bound> order;
  for (binary::Binding &binding : *read)
    order.push_back({std::move(binding.symbol), binding.isLazy});
  return order;
}

std::string DiskTree::plain(llvm::StringRef path) {
  std::lock_guard lock(mutex);
  auto [place, isNew] = plainPaths.try_emplace(path);
  if (!isNew)
    return place->second;
  std::string normal = support::normalizePath(path, files);
  std::string folder = support::parentOf(normal).str();
  auto [real, isNewFolder] = folders.try_emplace(folder);
  if (isNewFolder)
    real->second = files.realPath(folder).value_or(folder);
  return place->second = support::joinPath(real->second, support::nameOf(normal));
}

std::string DiskTree::real(llvm::StringRef path) {
  {
    std::lock_guard lock(mutex);
    auto known = realPaths.find(path);
    if (known != realPaths.end())
      return known->second;
  }
  auto real = files.realPath(path);
  std::string found = real ? std::move(*real) : plain(path);
  std::lock_guard lock(mutex);
  return realPaths[path] = std::move(found);
}

} // namespace cudacc::process
