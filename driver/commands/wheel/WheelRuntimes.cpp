// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/WheelRuntimes.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;

llvm::Expected<std::vector<Runtime>> runtimesOfWheel(pipeline::System &system,
                                                     const WheelArguments &arguments,
                                                     const Declaration &declaration,
                                                     const Inputs &inputs,
                                                     llvm::ArrayRef<ReadFile> files) {
  auto runtimes = runtimesOf(system, arguments, declaration);
  if (!runtimes || !runtimes->empty())
    return runtimes;
  for (size_t i = 0; i != files.size(); ++i)
    addRuntimesOfManifest(*runtimes, system, arguments, declaration, inputs.files[i].name,
                          files[i].facts);
  for (const Runtime &runtime : *runtimes)
    if (runtime.problem)
      return makeError(*runtime.problem);
  std::string path = inputs.wheels.front().path;
  if (runtimes->empty())
    return makeError(Code::Usage, fmt::format("no runtime is declared for {}", path),
                     {{"manifest", "none that names a runtime"}},
                     {fmt::format("cuda-cc wheel repair --runtime torch==2.5.1 {}", path)});
  return runtimes;
}

} // namespace cudacc::commands
