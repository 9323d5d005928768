// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/KeptParts.h"
#include "tests/fuzz/Input.h"
#include "tests/fuzz/Mutate.h"

using namespace cudacc;

/// A large file of which the input is the start, twice; the rest does not arrive.
static void run(llvm::StringRef bytes) {
  std::string piece = bytes.str();
  piece.resize(bytes.size() / binary::KeptParts::CellSize * binary::KeptParts::CellSize +
               binary::KeptParts::CellSize);
  std::string passed = piece + piece;
  binary::KeptParts kept(passed.size() + (16 << 20));
  kept.see(piece);
  kept.see(piece);
  char some[100];
  for (size_t at = 0; at + sizeof(some) <= passed.size(); at += 64)
    if (kept.read(at, some))
      fuzz::expect(passed.compare(at, sizeof(some), some, sizeof(some)) == 0);
  fuzz::expect(!kept.read(passed.size(), some));
  if (auto names = kept.staticCudart())
    for (uint64_t at : *names)
      fuzz::expect(llvm::StringRef(passed).substr(at).starts_with("libcudart_static_"));
}

static const fuzz::Target target("parts", run, fuzz::mutateElf);
