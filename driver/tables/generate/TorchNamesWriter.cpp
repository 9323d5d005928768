// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/TorchNamesWriter.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/TorchNamesFormat.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <unordered_set>

namespace cudacc::tables {

using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using namespace torchnames;

static llvm::Error impossible(std::string why) {
  return core::makeError(core::Code::BrokenFacts, std::move(why));
}

static void append(std::string &bytes, uint64_t number, unsigned size) {
  for (unsigned i = 0; i != size; ++i)
    bytes += char(number >> 8 * i);
}

static void appendNumber(std::string &bytes, size_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes += char(number | 0x80);
  bytes += char(number);
}

static void pad(std::string &bytes, size_t to) { bytes.resize(aligned(bytes.size(), to)); }

/// The number of the build's column, which is created or cleared.
size_t TorchNamesWriter::columnOf(TorchNames::Build build) {
  auto wanted = versions::Version::parse(build.release);
  for (Column &each : columns)
    if (each.build.machine == build.machine &&
        versions::Version::parse(each.build.release) == wanted) {
      for (auto &[hash, values] : names)
        if (each.number < values.size())
          values[each.number] = 0;
      each.build = std::move(build);
      return each.number;
    }
  columns.push_back({std::move(build), columns.size()});
  return columns.back().number;
}

llvm::Error TorchNamesWriter::add(TorchNames::Build build, llvm::ArrayRef<Name> added) {
  auto version = versions::Version::parse(build.release);
  if (!version || !version->local.empty() || build.release.size() > 0xff ||
      build.pythons.size() > 0xff)
    return impossible(fmt::format("'{}' is not a release of torch", build.release));
  std::unordered_set<uint64_t> seen;
  for (const Name &each : added) {
    if (!each.entry.libraries)
      return impossible(fmt::format("no library exports '{}'", each.name));
    if (isLeftOut(each.name))
      return impossible(fmt::format("'{}' is left out of the table", each.name));
    if (!seen.insert(hashOf(each.name)).second)
      return impossible(fmt::format("'{}' appears twice, or shares its hash", each.name));
  }
  build.names = unsigned(added.size());
  size_t column = columnOf(std::move(build));
  for (const Name &each : added) {
    Values &values = names[hashOf(each.name)];
    values.resize(columns.size());
    values[column] = uint16_t(each.entry.libraries | (each.entry.isVariable ? Variable : 0) |
                              (each.entry.everyPython ? 0 : SomePythons));
  }
  return llvm::Error::success();
}

llvm::Error TorchNamesWriter::add(const TorchNames &table) {
  std::vector<size_t> numbers;
  for (const TorchNames::Build &build : table.builds())
    numbers.push_back(columnOf(build));
  uint64_t next = 0;
  for (uint64_t bucket = 0; bucket != BucketCount; ++bucket)
    for (uint64_t end = read32le(table.buckets.data() + 4 * bucket); next < end; ++next) {
      if (next >= table.hashes.size() / 4)
        return impossible("the table of torch's names contradicts itself: its index is broken");
      auto values = table.valuesOf(read16le(table.numbers.data() + 2 * next));
      if (!values)
        return impossible("the table of torch's names contradicts itself: a pattern is broken");
      Values &mine = names[bucket << 32 | read32le(table.hashes.data() + 4 * next)];
      mine.resize(columns.size());
      for (auto [number, value] : llvm::zip_equal(numbers, *values))
        mine[number] = value;
    }
  return llvm::Error::success();
}

std::vector<TorchNamesWriter::Column> TorchNamesWriter::inOrder() const {
  auto sorted = columns;
  llvm::sort(sorted, [](const Column &a, const Column &b) {
    if (a.build.machine != b.build.machine)
      return a.build.machine < b.build.machine;
    return *versions::Version::parse(a.build.release) < *versions::Version::parse(b.build.release);
  });
  return sorted;
}

static std::string patternOf(llvm::ArrayRef<uint16_t> values, llvm::ArrayRef<size_t> order) {
  auto value = [&](size_t i) { return order[i] < values.size() ? values[order[i]] : 0; };
  std::string bytes;
  for (size_t first = 0, end = 0; first != order.size(); first = end) {
    for (end = first + 1; end != order.size() && value(end) == value(first);)
      ++end;
    appendNumber(bytes, end - first);
    appendNumber(bytes, value(first));
  }
  return bytes;
}

llvm::Expected<std::string> TorchNamesWriter::bytes() const {
  auto builds = inOrder();
  std::vector<size_t> order;
  for (const Column &each : builds)
    order.push_back(each.number);

  // Sort hashes and patterns, so that the bytes do not depend on the order of insertion.
  std::map<std::string, size_t> patterns;
  std::vector<std::pair<uint64_t, const std::string *>> sorted;
  for (const auto &[hash, values] : names)
    if (llvm::any_of(values, [](uint16_t value) { return value != 0; }))
      sorted.emplace_back(hash, &patterns.try_emplace(patternOf(values, order)).first->first);
  llvm::sort(sorted, llvm::less_first());
  if (patterns.size() > 0x10000)
    return impossible(fmt::format(
        "torch's names have {} patterns, and the format has room for 65536", patterns.size()));

  std::string list, ends, texts, index, hashes, numbers;
  for (const Column &each : builds) {
    append(list, each.build.machine, 2);
    append(list, each.build.oldStrings, 2);
    append(list, each.build.names, 4);
    for (StringRef text : {StringRef(each.build.release), StringRef(each.build.pythons)}) {
      append(list, text.size(), 1);
      list += text;
    }
  }
  size_t count = 0;
  for (auto &[text, number] : patterns) {
    number = count++;
    texts += text;
    append(ends, texts.size(), 4);
  }
  size_t next = 0;
  for (uint64_t bucket = 0; bucket != BucketCount; ++bucket) {
    for (; next != sorted.size() && bucketOf(sorted[next].first) == bucket; ++next) {
      append(hashes, sorted[next].first, 4);
      append(numbers, patterns.at(*sorted[next].second), 2);
    }
    append(index, next, 4);
  }

  std::string body;
  for (size_t number : {builds.size(), list.size(), patterns.size(), texts.size(), sorted.size()})
    append(body, number, 4);
  body.resize(HeaderSize - AtBuilds);
  body += list;
  pad(body, 4);
  body += ends + texts;
  pad(body, 4);
  body += index + hashes + numbers;

  std::string out = Magic.str();
  append(out, Schema, 4);
  append(out, AtBuilds + body.size(), 4);
  append(out, llvm::xxh3_64bits(body), 8);
  return out + body;
}

} // namespace cudacc::tables
