// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Note.h"
#include "Input.h"
#include "driver/binary/elf/Dlopen.h"

using namespace cudacc;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  for (const binary::FoundRecord &record : binary::findRecords(bytes)) {
    if (record.offset < binary::NoteHeaderSize || record.offset > size ||
        record.descriptor.size() > size - record.offset)
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
  return 0;
}
