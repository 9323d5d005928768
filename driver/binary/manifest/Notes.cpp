// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Notes.h"
#include "driver/binary/manifest/Note.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

namespace {
struct Range {
  uint64_t begin, end;
};

class Collector {
public:
  Collector(NoteBudget &budget, core::Manifest &manifest, DlopenNotes &dlopens,
            NotePositions *positions)
      : budget(budget), manifest(manifest), dlopens(dlopens), positions(positions) {}

  /// \p offset is that of \p bytes in the file. Returns false if there are too many records.
  bool add(llvm::StringRef bytes, uint64_t offset);
  /// Decodes each distinct object record once.
  void finish();
  bool found() const { return any; }
  /// Records only the first few problems; a hostile file has thousands.
  void problem(const llvm::Twine &text) {
    if (manifest.problems.size() < 16)
      manifest.problems.push_back(text.str());
  }

private:
  NoteBudget &budget;
  core::Manifest &manifest;
  DlopenNotes &dlopens;
  NotePositions *positions;
  std::map<std::string, uint64_t> objects;
  bool any = false, allSealed = true;

  void link(const FoundRecord &record, const FoundRecord *next, uint64_t offset);
  void summary(const FoundRecord &record);
};
} // namespace

/// The summary that immediately follows a link record (EN-11); std::nullopt if there is none.
static std::optional<core::SummaryRecord> summaryBehind(const FoundRecord &link,
                                                        const FoundRecord *next) {
  if (!next || next->type != SummaryNote ||
      next->offset != link.offset + link.descriptor.size() + NoteHeaderSize)
    return std::nullopt;
  return decodeSummary(next->descriptor);
}

void Collector::link(const FoundRecord &record, const FoundRecord *next, uint64_t offset) {
  std::string why;
  auto json = jsonText(record.descriptor, why);
  auto parsed = json ? parseLinkRecord(*json, why) : std::nullopt;
  auto summary = summaryBehind(record, next);
  bool flagged = summary && summary->flags & core::SummaryRecord::Sealed;
  allSealed &= parsed && flagged && summary->crcValid && summary->linkCrc == jsonCrc(*json);
  if (!parsed)
    return problem("a link record: " + why);
  if (positions && summary)
    positions->pairs.push_back({offset + record.offset, offset + next->offset,
                                uint32_t(record.descriptor.size()), *parsed, flagged});
  manifest.links.push_back(std::move(*parsed));
}

void Collector::summary(const FoundRecord &record) {
  if (auto decoded = decodeSummary(record.descriptor))
    manifest.summaries.push_back(*decoded);
  else
    problem("a summary record of less than 32 bytes");
}

bool Collector::add(llvm::StringRef bytes, uint64_t offset) {
  dlopens.add(bytes);
  std::vector<FoundRecord> records = findRecords(bytes, budget.records + 1);
  any |= !records.empty();
  for (size_t i = 0; i != records.size(); ++i) {
    if (!budget.records)
      return false;
    --budget.records;
    const FoundRecord &record = records[i];
    if (record.type == LinkNote) {
      link(record, i + 1 != records.size() ? &records[i + 1] : nullptr, offset);
    } else if (record.type == SummaryNote) {
      summary(record);
    } else if (record.type == ObjectNote) {
      std::string why;
      if (auto json = jsonText(record.descriptor, why))
        ++objects[json->str()];
      else
        problem("an object record: " + why);
    }
  }
  return true;
}

void Collector::finish() {
  for (const auto &[json, count] : objects) {
    std::string why;
    if (auto record = parseObjectRecord(json, why))
      manifest.objects.emplace_back(std::move(*record), count);
    else
      problem("an object record: " + why);
  }
  objects.clear();
  manifest.sealed = !manifest.links.empty() && allSealed;
}

/// Sorts the ranges and merges those that overlap or touch, so that no byte is searched twice.
static std::vector<Range> merged(std::vector<Range> ranges) {
  llvm::sort(ranges, [](const Range &a, const Range &b) { return a.begin < b.begin; });
  std::vector<Range> result;
  for (const Range &range : ranges) {
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  }
  return result;
}

static llvm::Error search(const Image &image, std::vector<Range> ranges, NoteBudget &budget,
                          Collector &collector) {
  for (const Range &range : merged(std::move(ranges))) {
    uint64_t size = range.end - range.begin;
    if (size > budget.bytes)
      return image.bytes.limit("more than 16 MiB of notes");
    auto bytes = image.bytes.bytes(range.begin, size, "a note");
    if (!bytes)
      return bytes.takeError();
    budget.bytes -= size;
    if (!collector.add(*bytes, range.begin))
      return image.bytes.limit("more than 65536 records");
  }
  return llvm::Error::success();
}

static llvm::Error addRange(const Image &image, uint64_t offset, uint64_t size,
                            std::vector<Range> &ranges) {
  if (!size)
    return llvm::Error::success();
  if (!image.bytes.holds(offset, size))
    return image.bytes.broken("a note reaches beyond the end", offset);
  ranges.push_back({offset, offset + size});
  return llvm::Error::success();
}

llvm::Error readNotes(const Image &image, NoteBudget &budget, core::Manifest &manifest,
                      DlopenNotes &dlopens, NotePositions *positions) {
  Collector collector(budget, manifest, dlopens, positions);
  std::vector<Range> ranges;
  for (const Elf64_Phdr &segment : image.segments)
    if (segment.p_type == PT_NOTE)
      if (auto error = addRange(image, segment.p_offset, segment.p_filesz, ranges))
        return error;
  if (auto error = search(image, std::move(ranges), budget, collector))
    return error;
  if (!collector.found()) {
    std::vector<Range> sections;
    if (auto error = image.eachSection([&](uint64_t, const Elf64_Shdr &section) -> llvm::Error {
          if (section.sh_type != SHT_NOTE)
            return llvm::Error::success();
          return addRange(image, section.sh_offset, section.sh_size, sections);
        }))
      return error;
    if (auto error = search(image, std::move(sections), budget, collector))
      return error;
    manifest.onlyInSections = collector.found() && image.header.e_type != ET_REL;
  }
  collector.finish();
  return llvm::Error::success();
}

} // namespace cudacc::binary
