// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Driver.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/probe/host/Mounts.h"
#include "driver/probe/toolkit/Profile.h"
#include "driver/probe/toolkit/ToolVersion.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// What programs and the system print: compilers, linkers, /proc, nvcc.profile.
static void run(llvm::StringRef text) {
  probe::dialectOfAnswer(text);
  for (const std::string &folder : probe::parseIncludeList(text))
    fuzz::expect(!folder.empty());
  for (const std::string &folder : probe::parseLinkerDirs(text))
    fuzz::expect(!folder.empty());
  probe::kernelRelease(text);
  test::MemoryFiles files;
  files.file("/x/libx.so").file("/tool", text);
  probe::Mounts::parse(text).isNoExec("/x/libx.so", 1, files);
  for (llvm::StringRef folder : {"", "targets/x86_64-linux"})
    probe::parseProfile(text, "/cuda/bin", folder);
  auto version = probe::readToolVersion("/tool", files);
  fuzz::expect(version.version.empty() || version.cuda.known());
}

static const fuzz::Target target("answers", run);
