// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Seal.h"
#include "driver/binary/manifest/Note.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::binary {

static bool placeholderOf(const NotePair &pair, const core::LinkRecord &record) {
  return !pair.sealed && pair.record.tool == record.tool && pair.record.policy == record.policy &&
         pair.record.targetCuda == record.targetCuda && pair.record.targetSpec == record.targetSpec;
}

bool hasPlaceholder(const NotePositions &positions, const core::LinkRecord &record) {
  return llvm::any_of(positions.pairs,
                      [&](const NotePair &pair) { return placeholderOf(pair, record); });
}

llvm::Expected<std::vector<Patch>> seal(const NotePositions &positions,
                                        const core::LinkRecord &record,
                                        const core::SummaryRecord &summary) {
  const NotePair *ours = nullptr;
  for (const NotePair &pair : positions.pairs) {
    if (!placeholderOf(pair, record))
      continue;
    if (ours)
      return core::makeError(core::Code::BrokenBinary, "two unsealed link records in one output");
    ours = &pair;
  }
  if (!ours)
    return core::makeError(core::Code::BrokenBinary,
                           "the link record of this link is not in its output");
  auto json = fitJson(record, ours->capacity);
  if (!json)
    return json.takeError();
  core::SummaryRecord sealed = summary;
  sealed.flags |= core::SummaryRecord::Sealed;
  sealed.linkCrc = jsonCrc(*json);
  json->resize(ours->capacity);
  return std::vector<Patch>{{ours->link, std::move(*json)}, {ours->summary, encodeSummary(sealed)}};
}

} // namespace cudacc::binary
