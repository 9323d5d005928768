#include "driver/tools/Tree.h"
#include "driver/core/Diagnostic.h"
#include "driver/elf/Reader.h"
#include "driver/probe/LoaderCache.h"
#include <array>

namespace cudacc::tools {

using namespace core;
using loader::Candidate;

struct Disk::Entry {
  std::once_flag looked, read;
  FileStatus::Kind kind = FileStatus::Kind::None;
  uint64_t device = 0, inode = 0;
  bool dangling = false;
  /// Why it cannot be opened; empty: it can.
  std::string denied;
  /// The first bytes, by which the loader tells what it is.
  std::string start;
  const BinaryFacts *facts = nullptr;
  std::string problem;
};

struct Disk::Cache {
  std::optional<probe::LoaderCache> text;
};

Disk::Disk(World &world, bool imports) : world(world), imports(imports) {}
Disk::~Disk() = default;

void Disk::know(uint64_t device, uint64_t inode, const BinaryFacts &facts) {
  known.try_emplace({device, inode}, &facts);
}

void Disk::look(llvm::StringRef path, Entry &entry) {
  FileStatus status = world.files.stat(path);
  entry.kind = status.kind;
  entry.device = status.id.device;
  entry.inode = status.id.inode;
  if (status.kind == FileStatus::Kind::None)
    entry.dangling = world.files.readLink(path).has_value();
  if (status.kind != FileStatus::Kind::Regular)
    return;
  auto file = world.files.open(path);
  if (!file) {
    entry.denied = takeFinding(file.takeError()).message;
    return;
  }
  std::array<char, 64> start{};
  auto got = (*file)->readAt(0, start);
  if (got)
    entry.start.assign(start.data(), *got);
  else
    entry.denied = takeFinding(got.takeError()).message;
}

const BinaryFacts *Disk::read(llvm::StringRef path, Entry &entry) {
  {
    std::lock_guard lock(mutex);
    auto before = known.find({entry.device, entry.inode});
    if (before != known.end())
      return before->second;
  }
  elf::ReadOptions options;
  options.imports = imports;
  options.thorough = false;
  auto file = world.files.open(path);
  llvm::Expected<BinaryFacts> facts = file ? elf::read(**file, path, options) : file.takeError();
  if (!facts) {
    entry.problem = takeFinding(facts.takeError()).message;
    return nullptr;
  }
  std::lock_guard lock(mutex);
  owned.push_back(std::make_unique<BinaryFacts>(std::move(*facts)));
  return known.try_emplace({entry.device, entry.inode}, owned.back().get()).first->second;
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
    candidate.reason = "it is no file";
    return candidate;
  case FileStatus::Kind::Regular:
    break;
  }
  if (!entry->denied.empty()) {
    candidate.reason = entry->denied;
    return candidate;
  }
  candidate = loader::judgeHeader(entry->start, machine);
  if (candidate.kind == Candidate::Kind::Good) {
    std::call_once(entry->read, [&] { entry->facts = read(path, *entry); });
    candidate.facts = entry->facts;
    if (!candidate.facts) {
      candidate.kind = Candidate::Kind::Unreadable;
      candidate.reason = entry->problem;
    }
  }
  candidate.device = entry->device;
  candidate.inode = entry->inode;
  return candidate;
}

void Disk::readCache() {
  cache = std::make_unique<Cache>();
  auto text = world.files.read("/etc/ld.so.cache");
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

} // namespace cudacc::tools
