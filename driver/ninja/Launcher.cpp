// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/Launcher.h"
#include "driver/cache/CommandInputs.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;

/// What `PROGRAM --version` says, kept while the program is the same.
static std::string versionText(run::Seams &seams, cache::Store &store, StringRef program) {
  FileId id = seams.files.stat(program).id;
  std::string question = fmt::format("{} {} {}", id.inode, id.size, id.mtime);
  cache::CurrentFiles current(seams.files, seams.environment);
  if (auto text = store.answer(program))
    if (auto kept = cache::answerIn(*text, question, current))
      return std::move(*kept);
  auto answer =
      llvm::expectedToOptional(seams.runner.ask({program.str(), {program, "--version"}, {}, {}}));
  if (!answer)
    return "";
  store.keepAnswer(program, cache::answerText({question, answer->out, {}}));
  return std::move(answer->out);
}

/// sccache knows cicc and ptxas from 0.10 on.
static bool cachesDeviceCode(run::Seams &seams, cache::Store &store, StringRef program) {
  if (support::nameOf(program) != "sccache")
    return false;
  std::string text = versionText(seams, store, program);
  auto version = versions::Version::parse(StringRef(text).trim().split(' ').second);
  return version && *version >= *versions::Version::parse("0.10");
}

void launchCompiles(run::Seams &seams, cache::Store &store, const NvccCompile &call,
                    StepGraph &graph) {
  if (!call.launcherWords)
    return;
  std::string words;
  for (size_t i = 0; i < call.launcherWords; ++i)
    words += fmt::format("{} ", support::shellWord(call.command.argv[i]));
  bool withDevice = cachesDeviceCode(seams, store, call.command.program);
  for (Step &step : graph.steps) {
    bool isDevice = step.kind == StepKind::DeviceCompile || step.kind == StepKind::Assemble;
    step.isLaunched = step.kind == StepKind::HostCompile || (withDevice && isDevice);
    if (step.isLaunched)
      step.command.insert(0, words);
  }
}

} // namespace cudacc::ninja
