#pragma once

#include "driver/World.h"
#include "driver/policy/TorchImports.h"
#include "driver/probe/TorchTable.h"

namespace cudacc {

/// The installed table of torch's exported names, as rules ask for it: opened at the first question
/// and once. For several threads.
class TorchTables {
public:
  explicit TorchTables(World &world) : file(world.self, world.files) {}
  const policy::TorchTable &operator()();

private:
  probe::TorchTable file;
  std::once_flag once;
  policy::TorchTable table;
};

} // namespace cudacc
