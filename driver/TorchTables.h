#pragma once

#include "driver/World.h"
#include "driver/policy/TorchImports.h"
#include <mutex>

namespace cudacc {

/// The table of torch's exported names, opened at the first question and once. For several threads.
class TorchTables {
public:
  explicit TorchTables(World &world) : world(world) {}
  const policy::TorchTable &operator()();

private:
  World &world;
  std::once_flag once;
  std::string bytes;
  std::optional<facts::TorchNames> names;
  policy::TorchTable table;

  void open();
};

} // namespace cudacc
