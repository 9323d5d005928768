// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Record.h"
#include "driver/probe/python/SitePackages.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
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

/// Turns `nvidia_cublas_cu12-12.4.5.8.dist-info` into `nvidia-cublas-cu12==12.4.5.8`.
static std::string packageOf(StringRef metadata) {
  metadata.consume_back(".dist-info");
  auto [name, version] = metadata.rsplit('-');
  std::string package = name.lower();
  std::replace(package.begin(), package.end(), '_', '-');
  return version.empty() ? package : fmt::format("{}=={}", package, version);
}

static std::optional<RecordedFile> lineOf(StringRef record, StringRef path) {
  for (size_t at = record.find(path); at != StringRef::npos; at = record.find(path, at + 1)) {
    size_t begin = record.rfind('\n', at);
    begin = begin == StringRef::npos ? 0 : begin + 1;
    if (at - begin > 1)
      continue;
    auto [name, size] = splitRecordLine(record.slice(begin, record.find('\n', at)));
    if (name == path)
      return RecordedFile{"", "", size};
  }
  return std::nullopt;
}

std::optional<RecordedFile> recordedFile(StringRef path, Files &files) {
  StringRef folder = parentOf(path);
  for (unsigned i = 0; i != highest && folder.size() > 1; ++i, folder = parentOf(folder)) {
    bool isSite = false;
    for (const std::string &name : files.list(folder)) {
      if (!isMetadata(name))
        continue;
      isSite = true;
      auto record = llvm::expectedToOptional(
          files.read(joinPath(joinPath(folder, name), "RECORD"), largestMetadata));
      if (!record)
        continue;
      if (auto found = lineOf(*record, path.drop_front(folder.size() + 1))) {
        found->package = packageOf(name);
        found->site = folder.str();
        return found;
      }
    }
    if (isSite)
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace cudacc::probe
