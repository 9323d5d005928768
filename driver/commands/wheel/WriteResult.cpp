// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/WriteResult.h"
#include "driver/binary/archive/WheelWriter.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/Signals.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::commands {

using namespace core;
using binary::WheelEntry;

namespace {

class ResultWriter {
public:
  ResultWriter(pipeline::System &system, const std::string &path, const SoundWheel &source,
               const SoundWheel &made, const std::map<std::string, std::string> &texts)
      : system(system), writer(system.files, path), source(source), made(made), texts(texts) {
    for (const WheelEntry &entry : source.wheel.entries)
      originals[entry.name] = &entry;
  }
  llvm::Error run();

private:
  pipeline::System &system;
  binary::WheelWriter writer;
  const SoundWheel &source, &made;
  const std::map<std::string, std::string> &texts;
  llvm::StringMap<const WheelEntry *> originals;
  std::vector<plan::RecordRow> rows;

  llvm::Error add(const WheelEntry &entry);
  llvm::Error addText(const std::string &name, const std::string &text, const WheelEntry &like);
  /// The same file in the source; null if it has none, or another content.
  const WheelEntry *originalOf(const WheelEntry &entry, const plan::RecordRow &row) const;
};

} // namespace

const WheelEntry *ResultWriter::originalOf(const WheelEntry &entry,
                                           const plan::RecordRow &row) const {
  const WheelEntry *original = originals.lookup(entry.name);
  auto known = source.records.rows.find(entry.name);
  bool same = original && known != source.records.rows.end() && original->size == entry.size &&
              original->crc == entry.crc &&
              llvm::StringRef(known->second.digest).rtrim('=') == row.digest;
  return same ? original : nullptr;
}

llvm::Error ResultWriter::add(const WheelEntry &entry) {
  auto row = made.records.rows.find(entry.name);
  if (row == made.records.rows.end())
    return makeError(Code::BrokenWheel, fmt::format("RECORD does not list {}", entry.name));
  rows.push_back({entry.name, row->second.digest, fmt::format("{}", entry.size)});
  if (const WheelEntry *original = originalOf(entry, row->second))
    return writer.copy(*source.wheel.file, *original, entry);
  auto content = binary::openEntry(*made.wheel.file, entry);
  if (!content)
    return content.takeError();
  auto digest = writer.add(entry.name, **content, entry);
  if (!digest)
    return digest.takeError();
  if (*digest != row->second.digest)
    return makeError(Code::BrokenWheel,
                     fmt::format("RECORD states another digest of {}", entry.name));
  return llvm::Error::success();
}

llvm::Error ResultWriter::addText(const std::string &name, const std::string &text,
                                  const WheelEntry &like) {
  auto digest = writer.add(name, text, like);
  if (!digest)
    return digest.takeError();
  rows.push_back({name, std::move(*digest), fmt::format("{}", text.size())});
  return llvm::Error::success();
}

llvm::Error ResultWriter::run() {
  std::string record = fmt::format("{}/RECORD", made.records.folder);
  WheelEntry like;
  size_t done = 0;
  for (const WheelEntry &entry : made.wheel.entries) {
    if (run::SignalsHeld::received())
      return makeError(Code::CannotWrite, "interrupted");
    if (system.progress)
      system.progress->begin("writing", ++done, made.wheel.entries.size(), entry.name);
    if (entry.name == record) {
      like = entry;
      continue;
    }
    if (texts.count(entry.name))
      continue;
    if (llvm::Error error = add(entry))
      return error;
  }
  for (const auto &[name, text] : texts)
    if (llvm::Error error = addText(name, text, like))
      return error;
  rows.push_back({record, "", ""});
  auto digest = writer.add(record, plan::printRecord(rows), like);
  if (!digest)
    return digest.takeError();
  return writer.finish();
}

llvm::Error writeResult(pipeline::System &system, const std::string &path, const SoundWheel &source,
                        const SoundWheel &made, const std::map<std::string, std::string> &texts) {
  return ResultWriter(system, path, source, made, texts).run();
}

} // namespace cudacc::commands
