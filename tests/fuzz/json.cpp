#include "driver/elf/Json.h"
#include "Input.h"
#include "driver/elf/Note.h"

using namespace cudacc;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  std::string problem;
  auto value = elf::Json::parse(text, problem);
  if (!value) {
    if (problem.empty())
      __builtin_trap();
    return 0;
  }
  // What was read is written, and read again, as it was.
  std::string once = value->str();
  auto again = elf::Json::parse(once, problem);
  if (!again || again->str() != once)
    __builtin_trap();
  auto link = elf::parseLinkRecord(text, problem);
  if (link && !elf::parseLinkRecord(elf::toJson(*link), problem))
    __builtin_trap();
  auto object = elf::parseObjectRecord(text, problem);
  if (object && !elf::parseObjectRecord(elf::toJson(*object), problem))
    __builtin_trap();
  return 0;
}
