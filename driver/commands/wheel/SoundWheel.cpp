// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/SoundWheel.h"
#include "driver/binary/archive/Digest.h"
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

static llvm::Expected<std::string> contentOf(const OpenedWheel &wheel, const std::string &name,
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

llvm::Expected<WheelRecords> readRecords(const OpenedWheel &wheel) {
  WheelRecords records;
  auto folder = infoFolderOf(wheel);
  if (!folder)
    return folder.takeError();
  records.folder = std::move(*folder);
  for (const binary::WheelEntry &entry : wheel.entries)
    if (isSignature(entry.name, records.folder))
      return makeError(Code::SignedWheel, fmt::format("{} is signed", wheel.path),
                       {{"signature", entry.name}}, {"repair the wheel before it is signed"});
  auto metadata = contentOf(wheel, fmt::format("{}/METADATA", records.folder), mostMetadata);
  if (!metadata)
    return metadata.takeError();
  if (!llvm::json::isUTF8(*metadata))
    return broken(wheel, "METADATA is not UTF-8");
  records.metadata = std::move(*metadata);
  auto record = contentOf(wheel, fmt::format("{}/RECORD", records.folder), mostRecord);
  if (!record)
    return record.takeError();
  auto rows = plan::parseRecord(*record);
  if (!rows)
    return broken(wheel, "RECORD is damaged");
  for (plan::RecordRow &row : *rows)
    records.rows.emplace(row.path, row);
  return records;
}

/// What is wrong with a file's row.
static llvm::Error compare(const OpenedWheel &wheel, const binary::WheelEntry &entry,
                           const plan::RecordRow &row) {
  if (row.digest.empty())
    return llvm::Error::success();
  if (!row.size.empty() && row.size != fmt::format("{}", entry.size))
    return broken(wheel, fmt::format("RECORD states another size of {}", entry.name),
                  {{"in RECORD", row.size}, {"content", fmt::format("{}", entry.size)}});
  if (!StringRef(row.digest).starts_with("sha256="))
    return broken(wheel, fmt::format("the digest of {} cannot be verified", entry.name),
                  {{"in RECORD", row.digest}});
  auto file = binary::openEntry(*wheel.file, entry);
  if (!file)
    return file.takeError();
  auto digest = binary::recordDigest(**file);
  if (!digest)
    return digest.takeError();
  if (StringRef(row.digest).rtrim('=') == *digest)
    return llvm::Error::success();
  return broken(wheel, fmt::format("RECORD states another digest of {}", entry.name),
                {{"in RECORD", row.digest}, {"content", *digest}});
}

llvm::Error verifyRecords(pipeline::System &system, const OpenedWheel &wheel,
                          const WheelRecords &records) {
  llvm::StringSet<> present;
  for (const binary::WheelEntry &entry : wheel.entries)
    present.insert(entry.name);
  for (const auto &[path, row] : records.rows)
    if (!present.contains(path))
      return broken(wheel, fmt::format("RECORD lists {}, which the wheel lacks", path));
  std::string own = fmt::format("{}/RECORD", records.folder);
  std::mutex mutex;
  // The first in the order of the wheel, whatever the threads do.
  std::map<size_t, Finding> problems;
  std::atomic<size_t> begun = 0;
  pipeline::inParallel(wheel.entries.size(), [&](size_t index, unsigned) {
    const binary::WheelEntry &entry = wheel.entries[index];
    if (entry.name == own)
      return;
    if (system.progress)
      system.progress->begin("verifying", ++begun, wheel.entries.size(), entry.name);
    auto row = records.rows.find(entry.name);
    llvm::Error error = row == records.rows.end()
                            ? broken(wheel, fmt::format("RECORD does not list {}", entry.name))
                            : compare(wheel, entry, row->second);
    if (!error)
      return;
    std::lock_guard lock(mutex);
    problems.emplace(index, toFinding(std::move(error)));
  });
  return problems.empty() ? llvm::Error::success() : makeError(problems.begin()->second);
}

} // namespace cudacc::commands
