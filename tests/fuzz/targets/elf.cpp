// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Exports.h"
#include "tests/fuzz/Input.h"
#include "tests/fuzz/Mutate.h"

using namespace cudacc;

/// Look-ups in the export table must not crash for names that the reader listed.
static void ask(const core::BinaryFacts &facts, llvm::StringRef bytes) {
  auto table = binary::ExportTable::open(std::make_unique<fuzz::Input>(bytes), "x");
  if (!table)
    return fuzz::expectFinding(table.takeError());
  (*table)->versioned();
  (*table)->find("cudaMalloc", "");
  for (size_t i = 0; i < facts.exports.size() && i < 8; ++i) {
    (*table)->find(facts.exports[i].symbol, facts.exports[i].version);
    (*table)->find(facts.exports[i].symbol, "");
  }
}

static void run(llvm::StringRef bytes) {
  fuzz::Input file(bytes);
  binary::ReadOptions options;
  options.exports = options.device = options.deep = options.verify = true;
  binary::NotePositions positions;
  auto facts = binary::read(file, "x", options, &positions);
  if (!facts) {
    fuzz::expectFinding(facts.takeError());
    return;
  }
  ask(*facts, bytes);
  auto light = binary::read(file, "x");
  // Without options less is read, so reading cannot fail if it succeeded with all options.
  bool isDevice = facts->kind == core::BinaryKind::DeviceCode;
  // A file of device code is recognised as such only if options.device is set.
  auto kind = isDevice ? core::BinaryKind::Other : facts->kind;
  if (!light || light->kind != kind || light->soname != facts->soname)
    __builtin_trap();
}

static const fuzz::Target target("elf", run, fuzz::mutateElf);
