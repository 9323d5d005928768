// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Machine.h"
#include "driver/binary/elf/Image.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::binary {

/// At most three index members (symbol tables, long names) precede the first object.
static constexpr unsigned MaxIndices = 4;
static constexpr uint64_t FirstHeader = 8, HeaderSize = 60;

static llvm::Expected<uint16_t> ofElf(core::ReadableFile &file, uint64_t offset, uint64_t size) {
  Bytes part(file, "", offset, size);
  auto identity = identify(part);
  if (!identity)
    return identity.takeError();
  return identity->machine;
}

static llvm::Expected<uint16_t> ofFirstMember(core::ReadableFile &file, Bytes &bytes) {
  uint64_t at = FirstHeader;
  for (unsigned i = 0; i != MaxIndices; ++i) {
    auto header = bytes.bytes(at, HeaderSize, "a member's header");
    if (!header)
      return header.takeError();
    llvm::StringRef name = llvm::StringRef(*header).take_front(16).rtrim(' ');
    uint64_t size, offset = at + HeaderSize;
    if (llvm::StringRef(*header).substr(48, 10).rtrim(' ').getAsInteger(10, size) ||
        !bytes.holds(offset, size))
      return uint16_t(0);
    if (name != "/" && name != "//" && name != "/SYM64/")
      return ofElf(file, offset, size);
    at = llvm::alignTo(offset + size, 2);
  }
  return uint16_t(0);
}

uint16_t machineOf(core::ReadableFile &file) {
  Bytes bytes(file, "", 0, file.size());
  auto machine = [&]() -> llvm::Expected<uint16_t> {
    auto identity = identify(bytes);
    if (!identity)
      return identity.takeError();
    bool members = identity->archive && !identity->thinArchive;
    return members ? ofFirstMember(file, bytes) : identity->machine;
  }();
  if (machine)
    return *machine;
  llvm::consumeError(machine.takeError());
  return 0;
}

} // namespace cudacc::binary
