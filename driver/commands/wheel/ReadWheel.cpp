// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/ReadWheel.h"
#include "driver/binary/archive/Digest.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/pipeline/Parallel.h"
#include "driver/support/ReadWhole.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <atomic>
#include <mutex>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// METADATA holds the project's description; the largest on PyPI have some hundred KB.
static constexpr uint64_t mostMetadata = 16 << 20, mostRecord = 64 << 20;

static llvm::Error broken(const OpenedWheel &wheel, std::string message,
                          std::vector<Fact> more = {}) {
  std::vector<Fact> facts{{"wheel", wheel.path}};
  facts.insert(facts.end(), more.begin(), more.end());
  return makeError(Code::BrokenWheel, std::move(message), std::move(facts));
}

/// The only folder `*.dist-info`.
static llvm::Expected<std::string> infoFolderOf(const OpenedWheel &wheel) {
  std::string folder;
  for (const binary::WheelEntry &entry : wheel.entries) {
    StringRef top = StringRef(entry.name).split('/').first;
    if (!top.ends_with(".dist-info") || top == folder || top.size() == entry.name.size())
      continue;
    if (!folder.empty())
      return broken(wheel, "the wheel has two dist-info folders",
                    {{"folders", fmt::format("{}, {}", folder, top)}});
    folder = top.str();
  }
  if (folder.empty())
    return broken(wheel, "the wheel has no dist-info folder");
  return folder;
}

llvm::Expected<std::string> readMember(const OpenedWheel &wheel, const std::string &name,
                                       uint64_t limit) {
  for (const binary::WheelEntry &entry : wheel.entries) {
    if (entry.name != name)
      continue;
    auto file = binary::openEntry(*wheel.file, entry);
    if (!file)
      return file.takeError();
    return support::readWhole(**file, name, limit);
  }
  return broken(wheel, fmt::format("the wheel has no {}", name));
}

static bool isSignature(StringRef name, StringRef folder) {
  return name.consume_front(folder) && (name == "/RECORD.jws" || name == "/RECORD.p7s");
}

static llvm::Expected<WheelRecords> readRecords(const OpenedWheel &wheel) {
  WheelRecords records;
  auto folder = infoFolderOf(wheel);
  if (!folder)
    return folder.takeError();
  records.folder = std::move(*folder);
  auto metadata = readMember(wheel, fmt::format("{}/METADATA", records.folder), mostMetadata);
  if (!metadata)
    return metadata.takeError();
  if (!llvm::json::isUTF8(*metadata))
    return broken(wheel, "METADATA is not UTF-8");
  records.metadata = std::move(*metadata);
  auto record = readMember(wheel, fmt::format("{}/RECORD", records.folder), mostRecord);
  if (!record)
    return record.takeError();
  auto rows = plan::parseRecord(*record);
  if (!rows)
    return broken(wheel, "RECORD is damaged");
  for (plan::RecordRow &row : *rows)
    records.rows.emplace(row.path, row);
  return records;
}

llvm::Error refuseSigned(const ReadWheel &read) {
  for (const binary::WheelEntry &entry : read.wheel().entries)
    if (isSignature(entry.name, read.records.folder))
      return makeError(Code::SignedWheel, fmt::format("{} is signed", read.wheel().path),
                       {{"signature", entry.name}}, {"repair the wheel before it is signed"});
  return llvm::Error::success();
}

/// The row of a file; std::nullopt for RECORD, its signature, and rows without a digest.
static llvm::Expected<std::optional<plan::RecordRow>> rowOf(const ReadWheel &read,
                                                            const binary::WheelEntry &entry) {
  auto row = read.records.rows.find(entry.name);
  if (entry.name == fmt::format("{}/RECORD", read.records.folder) ||
      isSignature(entry.name, read.records.folder))
    return std::nullopt;
  if (row == read.records.rows.end())
    return broken(read.wheel(), fmt::format("RECORD does not list {}", entry.name));
  if (row->second.digest.empty())
    return std::nullopt;
  if (!row->second.size.empty() && row->second.size != fmt::format("{}", entry.size))
    return broken(read.wheel(), fmt::format("RECORD states another size of {}", entry.name),
                  {{"in RECORD", row->second.size}, {"content", fmt::format("{}", entry.size)}});
  return row->second;
}

static llvm::Expected<std::string> digestOf(const OpenedWheel &wheel,
                                            const binary::WheelEntry &entry) {
  auto file = binary::openEntry(*wheel.file, entry);
  if (!file)
    return file.takeError();
  return binary::recordDigest(**file);
}

static llvm::Error compareDigest(const OpenedWheel &wheel, const binary::WheelEntry &entry,
                                 StringRef stated) {
  if (!stated.starts_with("sha256="))
    return broken(wheel, fmt::format("the digest of {} cannot be verified", entry.name),
                  {{"in RECORD", stated.str()}});
  auto digest = digestOf(wheel, entry);
  if (!digest)
    return digest.takeError();
  if (stated.rtrim('=') == *digest)
    return llvm::Error::success();
  return broken(wheel, fmt::format("RECORD states another digest of {}", entry.name),
                {{"in RECORD", stated.str()}, {"content", *digest}});
}

static llvm::Error verifyNames(const ReadWheel &read) {
  llvm::StringSet<> present;
  for (const binary::WheelEntry &entry : read.wheel().entries)
    present.insert(entry.name);
  for (const auto &[path, row] : read.records.rows)
    if (!present.contains(path))
      return broken(read.wheel(), fmt::format("RECORD lists {}, which the wheel lacks", path));
  return llvm::Error::success();
}

llvm::Error verifySizes(const ReadWheel &read) {
  for (const binary::WheelEntry &entry : read.wheel().entries)
    if (auto row = rowOf(read, entry); !row)
      return row.takeError();
  return verifyNames(read);
}

/// Compares every file with RECORD. \p added: gets the digests of rows that have none, by path;
/// null if such files are not read.
static llvm::Error verify(pipeline::System &system, const ReadWheel &read,
                          std::map<std::string, std::string> *added) {
  if (llvm::Error error = verifySizes(read))
    return error;
  const OpenedWheel &wheel = read.wheel();
  std::mutex mutex;
  auto verifyOne = [&](const binary::WheelEntry &entry) -> llvm::Error {
    auto row = rowOf(read, entry);
    if (!row)
      return row.takeError();
    if (*row)
      return compareDigest(wheel, entry, (*row)->digest);
    if (!added || entry.name == fmt::format("{}/RECORD", read.records.folder))
      return llvm::Error::success();
    auto digest = digestOf(wheel, entry);
    if (!digest)
      return digest.takeError();
    std::lock_guard lock(mutex);
    (*added)[entry.name] = std::move(*digest);
    return llvm::Error::success();
  };
  // The first in the order of the wheel, whatever the threads do.
  std::map<size_t, Finding> problems;
  std::atomic<size_t> begun = 0;
  pipeline::inParallel(wheel.entries.size(), [&](size_t index, unsigned) {
    const binary::WheelEntry &entry = wheel.entries[index];
    if (system.progress)
      system.progress->begin("verifying", ++begun, wheel.entries.size(), entry.name);
    llvm::Error error = verifyOne(entry);
    if (!error)
      return;
    std::lock_guard lock(mutex);
    problems.emplace(index, toFinding(std::move(error)));
  });
  return problems.empty() ? llvm::Error::success() : makeError(problems.begin()->second);
}

llvm::Error verifyRecords(pipeline::System &system, const ReadWheel &wheel) {
  return verify(system, wheel, nullptr);
}

llvm::Error completeRecords(pipeline::System &system, ReadWheel &wheel) {
  std::map<std::string, std::string> added;
  if (llvm::Error error = verify(system, wheel, &added))
    return error;
  for (auto &[path, digest] : added)
    if (auto row = wheel.records.rows.find(path); row != wheel.records.rows.end())
      row->second.digest = std::move(digest);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ReadWheel>> openWheel(pipeline::System &system,
                                                     const std::string &file) {
  auto read = std::make_unique<ReadWheel>();
  read->inputs = findInputs(system, file, std::nullopt);
  if (read->inputs.wheels.size() != 1) {
    if (!read->inputs.problems.empty())
      return makeError(read->inputs.problems.front().second);
    return makeError(Code::BrokenBinary, fmt::format("{} is not a wheel", file),
                     {{"because", "it is no zip file"}});
  }
  OpenedWheel &wheel = read->inputs.wheels.front();
  if (llvm::Error error = readRecords(wheel).moveInto(read->records))
    return error;
  wheel.metadata = readMetadata(wheel);
  return read;
}

llvm::Expected<std::unique_ptr<ReadWheel>> readWheel(pipeline::System &system,
                                                     const std::string &file, bool device) {
  auto read = openWheel(system, file);
  if (!read)
    return read;
  if (!(*read)->inputs.problems.empty())
    return makeError((*read)->inputs.problems.front().second);
  binary::ReadOptions options;
  options.device = device;
  (*read)->files = readInputs(system, (*read)->inputs, options);
  return read;
}

} // namespace cudacc::commands
