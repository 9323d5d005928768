// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/StepLauncher.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;

/// What `PROGRAM --version` says, kept in \p folder while the program is the same.
static std::string versionText(System &system, StringRef program, StringRef folder) {
  FileId id = system.files.stat(program).id;
  std::string path =
      fmt::format("{}/sccache-{}", folder,
                  plan::digest(fmt::format("{} {} {} {}", program, id.inode, id.size, id.mtime)));
  if (auto kept = llvm::expectedToOptional(system.files.read(path)))
    return std::move(*kept);
  auto answer =
      llvm::expectedToOptional(system.runner.ask({program.str(), {program, "--version"}, {}, {}}));
  if (!answer)
    return "";
  llvm::consumeError(system.files.write(path, answer->out, 0600));
  return std::move(answer->out);
}

/// sccache knows cicc and ptxas from 0.10 on.
static bool cachesDeviceCode(System &system, StringRef program, StringRef folder) {
  if (support::nameOf(program) != "sccache")
    return false;
  std::string text = versionText(system, program, folder);
  auto version = versions::Version::parse(StringRef(text).trim().split(' ').second);
  return version && *version >= *versions::Version::parse("0.10");
}

void launchCompiles(System &system, const StepLauncher &launcher, StringRef folder,
                    plan::StepGraph &graph) {
  if (launcher.program.empty())
    return;
  bool withDevice = cachesDeviceCode(system, launcher.program, folder);
  for (plan::Step &step : graph.steps) {
    bool isDevice =
        step.kind == plan::StepKind::DeviceCompile || step.kind == plan::StepKind::Assemble;
    step.isLaunched = step.kind == plan::StepKind::HostCompile || (withDevice && isDevice);
    if (step.isLaunched)
      step.command.insert(0, launcher.words);
  }
}

} // namespace cudacc::pipeline
