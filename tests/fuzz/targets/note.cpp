// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Note.h"
#include "driver/binary/elf/Dlopen.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

static void run(llvm::StringRef bytes) {
  for (const binary::FoundRecord &record : binary::findRecords(bytes)) {
    if (record.offset < binary::NoteHeaderSize || record.offset > bytes.size() ||
        record.descriptor.size() > bytes.size() - record.offset)
      __builtin_trap();
    std::string problem;
    binary::decodeSummary(record.descriptor);
    auto json = binary::jsonText(record.descriptor, problem);
    if (!json)
      continue;
    binary::parseLinkRecord(*json, problem);
    binary::parseObjectRecord(*json, problem);
  }
  binary::DlopenNotes dlopens;
  dlopens.add(bytes);
}

static const fuzz::Target target("note", run);
