// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Wheel.h"
#include "tests/fuzz/Input.h"
#include "tests/fuzz/Mutate.h"

using namespace cudacc;

static void readSome(core::ReadableFile &file) {
  char some[4096];
  uint64_t size = file.size();
  // Reads forwards, then backwards. Positions beyond 4 MiB only cost time.
  for (uint64_t at : {uint64_t(0), uint64_t(1) << 20, uint64_t(64), size - size / 3}) {
    if (at > size || at > 4 << 20)
      continue;
    auto got = file.readAt(at, some);
    if (!got)
      fuzz::expectFinding(got.takeError());
    else if (*got != std::min<uint64_t>(sizeof(some), size - at))
      __builtin_trap();
  }
}

static void run(llvm::StringRef bytes) {
  fuzz::Input file(bytes);
  binary::looksLikeWheel(file);
  auto entries = binary::readWheel(file, "x.whl");
  if (!entries) {
    fuzz::expectFinding(entries.takeError());
    return;
  }
  for (size_t i = 0; i < entries->size() && i < 16; ++i) {
    auto opened = binary::openEntry(file, (*entries)[i]);
    if (!opened) {
      fuzz::expectFinding(opened.takeError());
      continue;
    }
    readSome(**opened);
    if (llvm::Error error = (*opened)->verify())
      fuzz::expectFinding(std::move(error));
  }
}

static const fuzz::Target target("zip", run, fuzz::mutateZip);
