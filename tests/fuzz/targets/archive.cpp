// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Machine.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

static void run(llvm::StringRef bytes) {
  fuzz::Input file(bytes);
  // Every member of a thin archive is the second half of the input, except one that does not exist.
  auto open = [&](llvm::StringRef name) -> llvm::Expected<std::unique_ptr<core::ReadableFile>> {
    if (name == "gone.o")
      return core::makeError(core::Code::UnreadableFile, "cannot read gone.o");
    return std::make_unique<fuzz::Input>(bytes.substr(bytes.size() / 2));
  };
  binary::ReadOptions options;
  options.device = true;
  options.openMember = open;
  auto facts = binary::read(file, "lib.a", options);
  if (!facts)
    fuzz::expectFinding(facts.takeError());
  binary::machineOf(file);
}

static const fuzz::Target target("archive", run);
