// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Dlopen.h"
#include "driver/support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

namespace cudacc::binary {

/// The limits of RD-6 apply to these notes too.
static constexpr size_t MaxDlopenText = 64 << 10, MaxSonames = 4096;
static constexpr unsigned MaxDlopenDepth = 8;

void DlopenNotes::parse(llvm::StringRef json) {
  support::TextError error;
  support::JsonLimits limits;
  limits.bytes = MaxDlopenText;
  limits.depth = MaxDlopenDepth;
  auto value = support::readJson(json, error, limits);
  if (!value || !value->isList())
    return;
  for (const support::Value &entry : value->items) {
    const support::Value *names = entry.find("soname");
    if (!names || !names->isList())
      continue;
    for (const support::Value &name : names->items)
      if (name.isText() && !name.text.empty() && sonames.size() != MaxSonames &&
          !llvm::is_contained(sonames, name.text))
        sonames.push_back(name.text);
  }
}

void DlopenNotes::add(llvm::StringRef bytes) {
  // Type and owner of the note; the sizes of owner and descriptor precede them.
  static constexpr char pattern[] = {0x0a, 0x0c, 0x7c, 0x40, 'F', 'D', 'O', 0};
  llvm::StringRef mark(pattern, sizeof(pattern));
  for (size_t at = bytes.find(mark); at != llvm::StringRef::npos; at = bytes.find(mark, at)) {
    llvm::StringRef front = bytes.take_front(at);
    at += mark.size();
    if (front.size() < 8 || llvm::support::endian::read32le(front.end() - 8) != 4)
      continue;
    uint64_t size = llvm::support::endian::read32le(front.end() - 4);
    if (size > bytes.size() - at)
      continue;
    parse(bytes.substr(at, size).rtrim('\0'));
    at += size;
  }
}

} // namespace cudacc::binary
