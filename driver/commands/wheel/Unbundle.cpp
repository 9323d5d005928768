// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Unbundle.h"
#include "driver/binary/archive/WheelWriter.h"
#include "driver/commands/wheel/Auditwheel.h"
#include "driver/core/Diagnostic.h"
#include "driver/policy/wheel/Bundled.h"
#include "driver/run/Signals.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::commands {

using namespace core;
using binary::WheelEntry;
using llvm::StringRef;

/// The SONAME that all runtimes bring; empty if one of them does not.
static std::string broughtByAll(StringRef file, llvm::ArrayRef<Runtime> runtimes) {
  std::string soname;
  for (const Runtime &runtime : runtimes) {
    std::string each = policy::broughtAs(file, runtime.target);
    if (each.empty() || (!soname.empty() && each != soname))
      return {};
    soname = std::move(each);
  }
  return soname;
}

Unbundling findBundled(const Inputs &inputs, llvm::ArrayRef<ReadFile> files,
                       llvm::ArrayRef<Runtime> runtimes) {
  Unbundling unbundling;
  // The names by which other files NEED the copies, and those of the runtime.
  llvm::StringMap<std::string> names;
  auto memberOf = [&](size_t file) -> const std::string & {
    return inputs.wheels.front().entries[inputs.files[file].entry].name;
  };
  auto isLibrary = [&](size_t file) {
    return files[file].state == ReadFile::State::Read &&
           files[file].facts.kind == BinaryKind::SharedObject;
  };
  std::vector<bool> gone(files.size());
  for (size_t i = 0; i != files.size(); ++i) {
    StringRef file = support::nameOf(memberOf(i));
    // The file may have been renamed in any way, its SONAME as well.
    std::string soname = isLibrary(i) ? broughtByAll(file, runtimes) : "";
    if (soname.empty() && isLibrary(i) && !files[i].facts.soname.empty())
      soname = broughtByAll(files[i].facts.soname, runtimes);
    if (soname.empty())
      continue;
    gone[i] = true;
    unbundling.removed.push_back(memberOf(i));
    names[file] = soname;
    if (!files[i].facts.soname.empty())
      names[files[i].facts.soname] = soname;
  }
  for (size_t i = 0; i != files.size(); ++i) {
    if (gone[i] || files[i].state != ReadFile::State::Read)
      continue;
    for (const std::string &needed : files[i].facts.needed)
      if (auto known = names.find(needed); known != names.end() && known->second != needed)
        unbundling.renamed[memberOf(i)].emplace_back(needed, known->second);
  }
  return unbundling;
}

static llvm::Error extract(pipeline::System &system, const OpenedWheel &wheel,
                           const WheelEntry &entry, const std::string &path) {
  static constexpr size_t pieceSize = 1 << 20;
  auto content = binary::openEntry(*wheel.file, entry);
  if (!content)
    return content.takeError();
  std::string piece(pieceSize, '\0');
  for (uint64_t at = 0; at < entry.size;) {
    auto got = (*content)->readAt(at, {piece.data(), piece.size()});
    if (!got)
      return got.takeError();
    if (llvm::Error error = system.files.append(path, StringRef(piece).take_front(*got)))
      return error;
    at += *got;
  }
  return llvm::Error::success();
}

/// Returns the digest of the file with other NEEDED names, and adds it to the wheel.
static llvm::Expected<plan::RecordRow>
addRenamed(pipeline::System &system, const OpenedWheel &wheel, const WheelEntry &entry,
           llvm::ArrayRef<std::pair<std::string, std::string>> names, const std::string &path,
           binary::WheelWriter &writer) {
  if (llvm::Error error = extract(system, wheel, entry, path))
    return error;
  std::vector<std::string> words;
  for (const auto &[from, to] : names)
    words.insert(words.end(), {"--replace-needed", from, to});
  if (llvm::Error error = runPatchelf(system, path, words))
    return error;
  auto file = system.files.open(path);
  if (!file)
    return file.takeError();
  uint64_t size = (*file)->size();
  auto digest = writer.add(entry.name, **file, entry);
  system.files.remove(path);
  if (!digest)
    return digest.takeError();
  return plan::RecordRow{entry.name, std::move(*digest), fmt::format("{}", size)};
}

llvm::Error writeUnbundled(pipeline::System &system, const ReadWheel &source,
                           const Unbundling &unbundling, WorkFolder &work,
                           const std::string &path) {
  binary::WheelWriter writer(system.files, path);
  std::string record = fmt::format("{}/RECORD", source.records.folder);
  std::vector<plan::RecordRow> rows;
  WheelEntry like;
  for (const WheelEntry &entry : source.wheel().entries) {
    if (entry.name == record)
      like = entry;
    if (entry.name == record || llvm::is_contained(unbundling.removed, entry.name))
      continue;
    auto renamed = unbundling.renamed.find(entry.name);
    if (renamed == unbundling.renamed.end()) {
      rows.push_back(source.records.rows.find(entry.name)->second);
      if (llvm::Error error = writer.copy(*source.wheel().file, entry, entry))
        return error;
      continue;
    }
    auto row = addRenamed(system, source.wheel(), entry, renamed->second,
                          support::joinPath(work.path(), "renamed.so"), writer);
    if (!row)
      return row.takeError();
    rows.push_back(std::move(*row));
  }
  rows.push_back({record, "", ""});
  auto digest = writer.add(record, plan::printRecord(rows), like);
  if (!digest)
    return digest.takeError();
  return writer.finish();
}

namespace {

class ResultWriter {
public:
  ResultWriter(pipeline::System &system, const std::string &path, const ReadWheel &source,
               const ReadWheel &made, const std::map<std::string, std::string> &texts)
      : system(system), writer(system.files, path), source(source), made(made), texts(texts) {
    for (const WheelEntry &entry : source.wheel().entries)
      originals[entry.name] = &entry;
  }
  llvm::Error run();

private:
  pipeline::System &system;
  binary::WheelWriter writer;
  const ReadWheel &source, &made;
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
    return writer.copy(*source.wheel().file, *original, entry);
  auto content = binary::openEntry(*made.wheel().file, entry);
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
  for (const WheelEntry &entry : made.wheel().entries) {
    if (run::SignalsHeld::received())
      return makeError(Code::CannotWrite, "interrupted");
    if (system.progress)
      system.progress->begin("writing", ++done, made.wheel().entries.size(), entry.name);
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

llvm::Error writeResult(pipeline::System &system, const std::string &path, const ReadWheel &source,
                        const ReadWheel &made, const std::map<std::string, std::string> &texts) {
  return ResultWriter(system, path, source, made, texts).run();
}

} // namespace cudacc::commands
