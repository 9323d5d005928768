// SPDX-License-Identifier: Apache-2.0
#include "Input.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Machine.h"

using namespace cudacc;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Input file(data, size);
  // Every member of a thin archive is the second half of the input, except one that does not exist.
  auto open = [&](llvm::StringRef name) -> llvm::Expected<std::unique_ptr<core::ReadableFile>> {
    if (name == "gone.o")
      return core::makeError(core::Code::UnreadableFile, "cannot read gone.o");
    return std::make_unique<fuzz::Input>(data + size / 2, size - size / 2);
  };
  binary::ReadOptions options;
  options.device = true;
  options.openMember = open;
  auto facts = binary::read(file, "lib.a", options);
  if (!facts)
    fuzz::expectFinding(facts.takeError());
  binary::machineOf(file);
  return 0;
}
