// SPDX-License-Identifier: Apache-2.0
#include "plugins/buildsys/NinjaCommands.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include <csignal>

namespace cudacc::buildsys {

using namespace core;
using llvm::StringRef;

static llvm::Expected<Runner::Answer> ask(Runner &runner, const NinjaBuild &build,
                                          llvm::ArrayRef<std::string> names) {
  core::Command command;
  command.program = build.ninja.str();
  command.outputLimit = largestNinjaFile;
  // A description may name what never ends, as a FIFO. 100,000 targets take 3 seconds.
  command.mostSeconds = 60;
  command.argv = {build.ninja, "-C", build.folder, "-f", build.file, "-t", "commands"};
  command.argv.addAll(names);
  return runner.ask(command);
}

llvm::Expected<std::string> ninjaCommands(Runner &runner, const NinjaBuild &build,
                                          llvm::ArrayRef<std::string> names) {
  auto answer = ask(runner, build, names);
  // The build file lacks a target of the description.
  if (answer && answer->ended.status != 0 && StringRef(answer->err).contains("unknown target"))
    answer = ask(runner, build, {});
  if (!answer)
    return answer.takeError();
  if (answer->ended.signal == SIGKILL)
    return makeError(Code::LimitReached, "Ninja does not end reading the build",
                     {{"build", build.folder.str()}, {"killed", "after 60 seconds, or by another"}},
                     {"look for an include or subninja that is no ordinary file"});
  if (!answer->ended.ok()) {
    StringRef said = StringRef(answer->err).trim();
    std::string asked =
        fmt::format("{} -C {} -f {} -t commands", build.ninja, build.folder, build.file);
    return makeError(
        Code::UnreadableFile, "Ninja cannot read the build",
        {{"asked", asked}, {"answer", said.empty() ? "nothing" : said.split('\n').first.str()}},
        {"configure again"});
  }
  if (answer->out.size() >= largestNinjaFile)
    return makeError(Code::LimitReached, "the build has more commands than can be read",
                     {{"build", build.folder.str()}});
  return std::move(answer->out);
}

} // namespace cudacc::buildsys
