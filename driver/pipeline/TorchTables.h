// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/probe/toolkit/TorchTable.h"

namespace cudacc::pipeline {

/// The installed table of torch's exported names, opened once, at the first use. Thread-safe.
class TorchTables {
public:
  explicit TorchTables(System &system) : file(system.self, system.files) {}
  const policy::TorchTable &operator()();

private:
  probe::TorchTable file;
  std::once_flag once;
  policy::TorchTable table;
};

} // namespace cudacc::pipeline
