// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Repair.h"

namespace cudacc::commands {

llvm::Expected<int> wheel(pipeline::System &system, const Arguments &arguments) {
  llvm::ArrayRef<std::string> words = arguments.words;
  if (words.empty() || words.front() != "repair")
    return usageError("cuda-cc wheel takes repair");
  return repairWheel(system, arguments, words.drop_front());
}

} // namespace cudacc::commands
