// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/nvlink/NvlinkCall.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// The arguments of nvlink, one per line, and its option files.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/w");
  llvm::SmallVector<llvm::StringRef> arguments;
  folder.text.split(arguments, '\n');
  auto call = fuzz::valueOf(commands::readNvlinkCall(
      arguments, [&](llvm::StringRef path) { return folder.files.read(path); }));
  if (call)
    commands::registerText(call->files);
}

static const fuzz::Target target("nvlink", run);
