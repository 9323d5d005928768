// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/InstalledPackages.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/python/LibraryCalls.h"
#include "driver/probe/python/Metadata.h"
#include "driver/probe/python/Record.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/ModuleName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using llvm::StringRef;

/// Sources above these limits, each or in total, are not read.
static constexpr uint64_t largestSource = 32 << 20, mostSource = 256 << 20;
/// Of a package of which no RECORD lists the sources.
static constexpr unsigned deepestSource = 8, mostSources = 20000;

void addFile(std::string path, InstalledPackage &package) {
  StringRef name = nameOf(path).empty() ? StringRef(path) : nameOf(path);
  if (name.ends_with(".py"))
    package.sources.push_back(std::move(path));
  else if (versions::isSharedObjectName(name))
    package.binaries.push_back(std::move(path));
}

void readRecord(StringRef text, InstalledPackage &package) {
  for (StringRef line : llvm::split(text, '\n')) {
    if (!line.contains(".so") && !line.contains(".py,"))
      continue;
    auto [path, rest] = splitRecordLine(line);
    if (!llvm::StringRef(path).starts_with("/") && !llvm::StringRef(path).starts_with(".."))
      addFile(path, package);
  }
}

InstalledPackages::InstalledPackages(llvm::ArrayRef<std::string> sites, std::string machine,
                                     std::string python, Files &files)
    : sites(sites.vec()), machine(std::move(machine)), python(std::move(python)), files(files) {}

InstalledPackages::InstalledPackages(InstalledPackage package, Files &files)
    : sites{package.site}, files(files), isRead(true) {
  for (const std::string &name : package.required) {
    InstalledPackage &required = packages[name];
    required.name = name;
    required.site = package.site;
  }
  add(std::move(package));
}

void InstalledPackages::add(InstalledPackage package) {
  read();
  for (const std::string &path : package.binaries)
    owners[path] = package.name;
  std::string name = package.name;
  packages.insert_or_assign(std::move(name), std::move(package));
}

/// A missing file is no problem; one that cannot be read is noted, since its contents are unknown.
std::optional<std::string> InstalledPackages::readOrNote(StringRef path,
                                                         const InstalledPackage &package) {
  auto text = files.read(path, largestRecord);
  if (text)
    return std::move(*text);
  std::string why = toFinding(text.takeError()).message;
  FileStatus status = files.stat(path);
  if (status.exists() || status.unreachable)
    unreadable.push_back({package.site, package.name, std::move(why)});
  return std::nullopt;
}

const InstalledPackages::Unreadable *InstalledPackages::unreadFor(StringRef package,
                                                                  StringRef path) {
  read();
  for (const Unreadable &each : unreadable) {
    if (package.empty() ? isBelow(path, each.site) : each.package == package)
      return &each;
  }
  return nullptr;
}

void InstalledPackages::readSite(const std::string &site) {
  for (const std::string &folder : files.list(site)) {
    StringRef stem = folder;
    if (!stem.consume_back(".dist-info"))
      continue;
    InstalledPackage package;
    package.site = site;
    auto [name, version] = stem.rsplit('-');
    if (!versions::Requirement::isName(name))
      continue;
    package.name = versions::Requirement::normalise(name);
    package.version = version.str();
    if (auto text = readOrNote(joinPath(site, folder + "/METADATA"), package)) {
      DistributionMetadata metadata = parseMetadata(*text, machine, python);
      package.required = metadata.required();
      if (!metadata.name.empty())
        package.name = std::move(metadata.name);
      if (!metadata.version.empty())
        package.version = std::move(metadata.version);
    }
    if (auto text = readOrNote(joinPath(site, folder + "/RECORD"), package))
      readRecord(*text, package);
    // If a name is installed twice, Python uses the first.
    for (const std::string &path : package.binaries)
      owners.try_emplace(path, package.name);
    std::string key = package.name;
    packages.try_emplace(std::move(key), std::move(package));
  }
}

void InstalledPackages::read() {
  if (std::exchange(isRead, true))
    return;
  for (const std::string &site : sites)
    readSite(site);
}

std::string InstalledPackages::below(StringRef path) {
  for (const std::string &site : sites) {
    StringRef rest = pathBelow(path, site);
    if (auto real = files.realPath(site); real && rest.empty())
      rest = pathBelow(path, *real);
    if (!rest.empty())
      return rest.str();
  }
  return {};
}

const InstalledPackage *InstalledPackages::ownerOf(StringRef path) {
  std::string place = below(path);
  if (place.empty())
    return nullptr;
  read();
  auto it = owners.find(place);
  return it == owners.end() ? nullptr : find(it->second);
}

void InstalledPackages::addSources(const std::string &folder, unsigned depth,
                                   InstalledPackage &package) {
  for (const std::string &name : files.list(folder)) {
    if (package.sources.size() == mostSources) {
      unreadable.push_back(
          {package.site, package.name,
           fmt::format("cannot read {}: more than {} sources", package.site, mostSources)});
      return;
    }
    std::string path = joinPath(folder, name);
    if (StringRef(name).ends_with(".py"))
      package.sources.push_back(pathBelow(path, package.site).str());
    else if (depth && !files.readLink(path) && files.stat(path).kind == FileStatus::Kind::Directory)
      addSources(path, depth - 1, package);
  }
}

const InstalledPackage *InstalledPackages::unowned(StringRef path) {
  StringRef root;
  for (StringRef folder = parentOf(path);
       folder != root && files.stat(joinPath(folder, "__init__.py")).exists();
       folder = parentOf(folder))
    root = folder;
  if (root.empty())
    return nullptr;
  auto [it, isNew] = folders.try_emplace(root.str());
  InstalledPackage &package = it->second;
  if (isNew) {
    package.name = package.site = root.str();
    addSources(package.site, deepestSource, package);
  }
  return &package;
}

const InstalledPackage *InstalledPackages::find(StringRef name) {
  read();
  auto it = packages.find(name);
  return it == packages.end() ? nullptr : &it->second;
}

std::vector<const InstalledPackage *>
InstalledPackages::requiredBy(const InstalledPackage &package) {
  std::vector<const InstalledPackage *> found;
  for (const std::string &name : package.required)
    if (const InstalledPackage *other = find(name); other && other != &package)
      found.push_back(other);
  return found;
}

std::vector<const InstalledPackage *> InstalledPackages::all() {
  read();
  std::vector<const InstalledPackage *> found;
  for (const auto &[name, package] : packages)
    found.push_back(&package);
  return found;
}

const InstalledPackages::Calls &InstalledPackages::callsOf(const InstalledPackage &package) {
  auto [it, isNew] = calls.try_emplace(package.name);
  if (!isNew)
    return it->second;
  Calls &found = it->second;
  auto leave = [&](std::string why) {
    if (found.unreadable.empty())
      found.unreadable = std::move(why);
  };
  uint64_t total = 0;
  for (const std::string &path : package.sources) {
    std::string whole = joinPath(package.site, path);
    FileStatus status = files.stat(whole);
    // A file that does not exist opens no library.
    if (!status.exists() && !status.unreachable)
      continue;
    total += status.id.size;
    if (total > mostSource) {
      leave(fmt::format("cannot read {}: the sources are larger than {} MiB", whole,
                        mostSource >> 20));
      break;
    }
    auto text = files.read(whole, largestSource);
    if (!text) {
      leave(toFinding(text.takeError()).message);
      continue;
    }
    if (std::string why = whyUnsearchable(*text); !why.empty())
      leave(fmt::format("cannot read {}: {}", whole, why));
    llvm::append_range(found.calls, libraryCalls(*text, whole));
  }
  return found;
}

} // namespace cudacc::probe
