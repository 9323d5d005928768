// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/TorchTables.h"

namespace cudacc::pipeline {

const policy::TorchTable &TorchTables::operator()() {
  std::call_once(once, [this] {
    table.names = file.names();
    table.problem = file.problem();
  });
  return table;
}

} // namespace cudacc::pipeline
