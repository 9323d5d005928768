#include "driver/elf/Note.h"
#include "Input.h"
#include "driver/elf/Dlopen.h"

using namespace cudacc;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  for (const elf::FoundRecord &record : elf::findRecords(bytes)) {
    if (record.offset < elf::NoteHeaderSize || record.offset > size ||
        record.descriptor.size() > size - record.offset)
      __builtin_trap();
    std::string problem;
    elf::decodeSummary(record.descriptor);
    auto json = elf::jsonText(record.descriptor, problem);
    if (!json)
      continue;
    elf::parseLinkRecord(*json, problem);
    elf::parseObjectRecord(*json, problem);
  }
  elf::DlopenNotes dlopens;
  dlopens.add(bytes);
  return 0;
}
