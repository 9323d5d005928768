// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/TorchTables.h"

namespace cudacc::pipeline {

const policy::TorchTable &TorchTables::operator()() {
  std::call_once(once, [this] {
    auto search = findFacts(system, facts);
    if (!search)
      llvm::consumeError(search.takeError());
    else if (search->package)
      file.prefer(search->package->torchNamesFile());
    table.names = file.names();
    table.problem = file.problem();
  });
  return table;
}

} // namespace cudacc::pipeline
