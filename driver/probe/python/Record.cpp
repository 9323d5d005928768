// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Record.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using core::FileStatus;
using llvm::StringRef;

/// How many parent directories of a file are searched.
static constexpr unsigned highest = 16;

std::pair<std::string, std::optional<uint64_t>> splitRecordLine(StringRef line) {
  std::string path;
  StringRef rest;
  line = line.rtrim('\r');
  if (line.consume_front("\"")) {
    size_t at = 0;
    for (; at < line.size(); ++at) {
      if (line[at] == '"' && !line.substr(at + 1).starts_with("\""))
        break;
      at += line[at] == '"';
      path += line[at];
    }
    rest = line.drop_front(std::min(at + 1, line.size()));
    rest.consume_front(",");
  } else {
    auto [front, back] = line.split(',');
    path = front.str();
    rest = back;
  }
  uint64_t size = 0;
  StringRef text = rest.rsplit(',').second.trim();
  if (text.empty() || text.getAsInteger(10, size))
    return {std::move(path), std::nullopt};
  return {std::move(path), size};
}

bool recordHas(StringRef record, StringRef path) {
  // In quotes if it has a comma or a quote; another installer may quote more.
  std::string quoted = "\"";
  for (char c : path)
    quoted.append(c == '"' ? 2 : 1, c);
  quoted += "\",";
  for (const std::string &line : {fmt::format("{},", path), quoted})
    if (record.starts_with(line) || record.contains("\n" + line))
      return true;
  return false;
}

static bool isMetadata(StringRef name) {
  return name.consume_back(".dist-info") && versions::Requirement::isName(name.rsplit('-').first);
}

std::string RecordedFile::package() const {
  return version.empty() ? dist : fmt::format("{}=={}", dist, version);
}

struct InstallerRecords::Site {
  struct File {
    /// Index into `distributions`.
    size_t distribution;
    std::optional<uint64_t> size;
  };
  /// As of a file without a size.
  std::vector<RecordedFile> distributions;
  /// By path below the folder, of the first distribution that lists it.
  llvm::StringMap<File> files;

  std::optional<RecordedFile> find(StringRef path) const {
    auto found = files.find(path);
    if (found == files.end())
      return std::nullopt;
    RecordedFile file = distributions[found->second.distribution];
    file.size = found->second.size;
    return file;
  }
};

InstallerRecords::InstallerRecords(Files &files) : files(files) {}
InstallerRecords::~InstallerRecords() = default;

std::unique_ptr<InstallerRecords::Site> InstallerRecords::read(StringRef folder) {
  std::unique_ptr<Site> site;
  for (const std::string &name : files.list(folder)) {
    if (!isMetadata(name))
      continue;
    if (!site)
      site = std::make_unique<Site>();
    auto record = llvm::expectedToOptional(
        files.read(joinPath(joinPath(folder, name), "RECORD"), largestRecord));
    auto [dist, version] = StringRef(name).drop_back(StringRef(".dist-info").size()).rsplit('-');
    site->distributions.push_back(
        {versions::Requirement::normalise(dist), version.str(), folder.str(), {}});
    for (StringRef line : llvm::split(record ? StringRef(*record) : "", '\n')) {
      auto [path, size] = splitRecordLine(line);
      site->files.try_emplace(path, Site::File{site->distributions.size() - 1, size});
    }
  }
  return site;
}

const InstallerRecords::Site *InstallerRecords::at(StringRef folder) {
  auto [it, isNew] = folders.try_emplace(folder);
  if (isNew)
    it->second = read(folder);
  return it->second.get();
}

std::optional<RecordedFile> InstallerRecords::find(StringRef path) {
  std::lock_guard lock(mutex);
  StringRef folder = parentOf(path);
  for (unsigned i = 0; i != highest && folder.size() > 1; ++i, folder = parentOf(folder)) {
    if (const Site *site = at(folder))
      return site->find(path.drop_front(folder.size() + 1));
  }
  return std::nullopt;
}

std::optional<RecordedFile> InstallerRecords::findIn(llvm::ArrayRef<std::string> sitePackages,
                                                     StringRef path) {
  std::lock_guard lock(mutex);
  for (const std::string &folder : sitePackages) {
    StringRef below = pathBelow(path, folder);
    const Site *site = below.empty() ? nullptr : at(folder);
    if (auto found = site ? site->find(below) : std::nullopt)
      return found;
  }
  return std::nullopt;
}

std::vector<std::string> besides(llvm::StringRef folder, llvm::StringRef name, core::Files &files) {
  std::vector<std::string> found;
  llvm::StringRef parent = parentOf(folder);
  for (const std::string &entry : files.list(parent)) {
    std::string path = joinPath(joinPath(parent, entry), name);
    if (llvm::StringRef(entry).ends_with(".libs") && entry != nameOf(folder) &&
        files.stat(path).kind == FileStatus::Kind::Regular)
      found.push_back(std::move(path));
  }
  return found;
}

} // namespace cudacc::probe
