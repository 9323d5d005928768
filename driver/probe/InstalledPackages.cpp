#include "driver/probe/InstalledPackages.h"
#include "driver/probe/LibraryCalls.h"
#include "driver/probe/Metadata.h"
#include "driver/probe/Paths.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using llvm::StringRef;

/// RECORD of the largest distributions (tensorflow, 30,000 files) has 4 MB; sources of more than
/// these sizes, one by one or together, are not read.
static constexpr uint64_t largestRecord = 32 << 20, largestSource = 4 << 20, mostSource = 128 << 20;

/// The first field of a line of CSV.
static std::string firstField(StringRef line) {
  if (!line.consume_front("\""))
    return line.take_front(line.find(',')).str();
  std::string field;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && line.substr(i + 1, 1) != "\"")
      break;
    i += line[i] == '"';
    field += line[i];
  }
  return field;
}

void readRecord(StringRef text, InstalledPackage &package) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (!line.contains(".so") && !line.contains(".py,"))
      continue;
    std::string path = firstField(line.rtrim('\r'));
    if (!StringRef(path).starts_with("/") && !StringRef(path).starts_with(".."))
      addFile(std::move(path), package);
  }
}

void addFile(std::string path, InstalledPackage &package) {
  StringRef name = nameOf(path).empty() ? StringRef(path) : nameOf(path);
  if (name.ends_with(".py"))
    package.sources.push_back(std::move(path));
  else if (name.ends_with(".so") || name.contains(".so."))
    package.binaries.push_back(std::move(path));
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

void InstalledPackages::readSite(const std::string &site) {
  for (const std::string &folder : files.list(site)) {
    StringRef stem = folder;
    if (!stem.consume_back(".dist-info"))
      continue;
    InstalledPackage package;
    package.site = site;
    auto metadata = files.read(joinPath(site, folder + "/METADATA"));
    if (metadata) {
      DistributionMetadata parsed = parseMetadata(*metadata, machine, python);
      package.required = parsed.required();
      package.name = std::move(parsed.name);
      package.version = std::move(parsed.version);
    } else {
      llvm::consumeError(metadata.takeError());
    }
    auto [name, version] = stem.rsplit('-');
    if (package.name.empty())
      package.name = core::Requirement::normalise(name);
    if (package.version.empty())
      package.version = version.str();
    auto record = files.read(joinPath(site, folder + "/RECORD"), largestRecord);
    if (record)
      readRecord(*record, package);
    else
      llvm::consumeError(record.takeError());
    // Python takes the first of a name.
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
    StringRef rest = path;
    if (rest.consume_front(site) && rest.consume_front("/"))
      return rest.str();
    auto real = files.realPath(site);
    rest = path;
    if (real && rest.consume_front(*real) && rest.consume_front("/"))
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
  uint64_t total = 0;
  for (const std::string &path : package.sources) {
    std::string whole = joinPath(package.site, path);
    FileStatus status = files.stat(whole);
    total += status.id.size;
    auto text = total <= mostSource ? files.read(whole, largestSource)
                                    : llvm::Expected<std::string>(std::string());
    if (!text || total > mostSource) {
      // A file that is not there runs nothing.
      it->second.isComplete &= status.kind == FileStatus::Kind::None;
      if (!text)
        llvm::consumeError(text.takeError());
      continue;
    }
    llvm::append_range(it->second.calls, libraryCalls(*text, whole));
  }
  return it->second;
}

} // namespace cudacc::probe
