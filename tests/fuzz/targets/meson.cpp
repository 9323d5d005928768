// SPDX-License-Identifier: Apache-2.0
#include "plugins/meson/Build.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// A build directory of Meson. `../answers/build.ninja` is what Ninja prints.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/b");
  fuzz::Answers ninja(folder.files, 4);
  meson::isBuild(folder.files, "/b");
  auto model = fuzz::valueOf(meson::readBuild(folder.files, ninja, "/b", "/path/ninja"));
  if (!model)
    return;
  for (const audit::BuildCommand &command : model->commands)
    fuzz::expect(!command.target || *command.target < model->targets.size());
}

static const fuzz::Target target("meson", run);
