// SPDX-License-Identifier: Apache-2.0
#include "Input.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Exports.h"

using namespace cudacc;

/// Look-ups in the export table must not crash for names that the reader listed.
static void ask(const core::BinaryFacts &facts, const uint8_t *data, size_t size) {
  auto table = binary::ExportTable::open(std::make_unique<fuzz::Input>(data, size), "x");
  if (!table)
    return fuzz::expectFinding(table.takeError());
  (*table)->versioned();
  (*table)->find("cudaMalloc", "");
  for (size_t i = 0; i < facts.exports.size() && i < 8; ++i) {
    (*table)->find(facts.exports[i].symbol, facts.exports[i].version);
    (*table)->find(facts.exports[i].symbol, "");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Input file(data, size);
  binary::ReadOptions options;
  options.exports = options.device = options.deep = options.verify = true;
  binary::NotePositions positions;
  auto facts = binary::read(file, "x", options, &positions);
  if (!facts) {
    fuzz::expectFinding(facts.takeError());
    return 0;
  }
  ask(*facts, data, size);
  auto light = binary::read(file, "x");
  // Without options less is read, so reading cannot fail if it succeeded with all options.
  bool isDevice = facts->kind == core::BinaryKind::DeviceCode;
  // A file of device code is recognised as such only if options.device is set.
  auto kind = isDevice ? core::BinaryKind::Other : facts->kind;
  if (!light || light->kind != kind || light->soname != facts->soname)
    __builtin_trap();
  return 0;
}
