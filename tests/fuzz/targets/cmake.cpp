// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Build.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

static void oneByOne(size_t count, llvm::function_ref<void(size_t)> work) {
  for (size_t index = 0; index != count; ++index)
    work(index);
}

/// A build directory of CMake, as Ninja and CMake left it. `../answers/build.ninja` is what Ninja
/// prints.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/b");
  fuzz::Answers ninja(folder.files, 4);
  cmake::isBuild(folder.files, "/b");
  auto model =
      fuzz::valueOf(cmake::readBuild(folder.files, ninja, "/b", {"/path/ninja", 1000}, oneByOne));
  if (!model)
    return;
  for (const audit::BuildCommand &command : model->commands)
    fuzz::expect(!command.target || *command.target < model->targets.size());
}

static const fuzz::Target target("cmake", run);
