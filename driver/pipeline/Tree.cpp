// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Tree.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Header.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/host/LoaderCache.h"
#include "driver/probe/host/Mounts.h"
#include "driver/probe/python/Record.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include <array>

namespace cudacc::pipeline {

using namespace core;
using loader::Candidate;

struct Disk::Entry {
  std::once_flag looked, read;
  FileStatus::Kind kind = FileStatus::Kind::None;
  uint64_t device = 0, inode = 0;
  bool dangling = false;
  /// Why it cannot be opened, or empty if it can. `detail`: its permissions.
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

struct Disk::Mounted {
  probe::Mounts mounts;
};

struct Disk::Cache {
  std::optional<probe::LoaderCache> text;
};

Disk::Disk(System &system, bool imports) : system(system), imports(imports) {}
Disk::~Disk() = default;

void Disk::know(uint64_t device, uint64_t inode, const BinaryFacts &facts) {
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

void Disk::look(llvm::StringRef path, Entry &entry) {
  FileStatus status = system.files.stat(path);
  entry.kind = status.kind;
  entry.device = status.id.device;
  entry.inode = status.id.inode;
  if (status.kind == FileStatus::Kind::None)
    entry.dangling = system.files.readLink(path).has_value();
  if (status.kind != FileStatus::Kind::Regular)
    return;
  auto file = system.files.open(path);
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
bool Disk::isNoExec(llvm::StringRef path, const Entry &entry) {
  std::call_once(mountsRead, [&] {
    mounted = std::make_unique<Mounted>();
    mounted->mounts = probe::Mounts::read(system.files);
  });
  if (!mounted->mounts.isNoExec(path, entry.device, system.files))
    return false;
  auto file = system.files.open(path);
  auto code = file ? binary::hasCode(**file, path) : file.takeError();
  if (code)
    return *code;
  llvm::consumeError(code.takeError());
  return false;
}

/// Adds the package that installed a damaged file, and the size that it recorded.
void Disk::askRecord(llvm::StringRef path, Entry &entry) {
  entry.detail = entry.damage->because;
  if (entry.damage->isTruncated())
    entry.detail = fmt::format("{} bytes", entry.damage->size);
  if (entry.damage->needed)
    entry.detail += fmt::format(", its segments end at {}", entry.damage->needed);
  auto recorded = probe::recordedFile(support::absolute(path, system.files), system.files);
  if (!recorded)
    return;
  entry.package = recorded->package;
  if (recorded->size && entry.damage->isTruncated())
    entry.detail += fmt::format(", RECORD of {} says {}", recorded->package, *recorded->size);
}

const BinaryFacts *Disk::read(llvm::StringRef path, Entry &entry) {
  entry.noExec = isNoExec(path, entry);
  {
    std::lock_guard lock(mutex);
    auto before = known.find({entry.device, entry.inode});
    if (before != known.end())
      return before->second;
  }
  auto file = system.files.open(path);
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
void Disk::judge(const Entry &entry, Candidate &candidate) {
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

Candidate Disk::open(llvm::StringRef path, uint16_t machine) {
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
    if (entry->dangling)
      candidate.reason = "dangling link";
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

void Disk::readCache() {
  cache = std::make_unique<Cache>();
  auto text = system.files.read("/etc/ld.so.cache");
  if (text)
    cache->text = probe::LoaderCache::read(std::move(*text));
  else
    llvm::consumeError(text.takeError());
}

bool Disk::cacheKnown() {
  std::call_once(cacheRead, [&] { readCache(); });
  return cache->text.has_value();
}

std::vector<std::pair<std::string, std::string>> Disk::cacheEntries() {
  std::vector<std::pair<std::string, std::string>> all;
  if (cacheKnown())
    for (const probe::LoaderCache::Entry &entry : cache->text->entries())
      all.emplace_back(entry.name.str(), entry.path.str());
  return all;
}

std::optional<std::string> Disk::cached(llvm::StringRef name, uint16_t machine) {
  if (!cacheKnown())
    return std::nullopt;
  loader::Situation usual;
  loader::setMachine(usual, machine);
  return cache->text->find(name, machine, usual.hwcaps);
}

} // namespace cudacc::pipeline
