// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Cli.h"
#include "driver/commands/FirstContact.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/help/Help.h"
#include "driver/commands/nvlink/Nvlink.h"
#include "driver/musl/Memory.h"
#include "driver/ninja/Ninja.h"
#include "driver/pipeline/Compile.h"
#include "driver/pipeline/Reporter.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/run/Chain.h"
#include "driver/run/RealFiles.h"
#include "driver/run/RealRunner.h"
#include "driver/run/Signals.h"
#include "llvm/ADT/SmallVector.h"
#include <ctime>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

static uint64_t cpuTime() {
  timespec used{};
  // libc would look in the vDSO, which has only other clocks.
  syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &used);
  return uint64_t(used.tv_sec) * 1'000'000 + uint64_t(used.tv_nsec) / 1000;
}

/// Runs a compiler call or a subcommand; returns the exit status.
static int dispatch(cudacc::pipeline::System &system, llvm::ArrayRef<llvm::StringRef> argv) {
  using namespace cudacc;
  if (auto status = commands::nvlink(system, argv))
    return *status;
  if (auto status = ninja::runStep(system, argv))
    return *status;
  auto call = cli::parse(argv, system.environment, system.files);
  if (!call)
    return pipeline::failWith(system, call.takeError());
  if (auto shim = pipeline::shimBehind(system, *call))
    return pipeline::failWith(system, pipeline::startShim(system, *shim, *call, argv));
  if (call->own.help) {
    system.console.out(commands::help());
    return 0;
  }
  if (auto status = commands::answerForNvcc(system, *call, argv))
    return *status;
  auto place = pipeline::findDirectory(system);
  if (!place)
    return pipeline::failWith(system, place.takeError());
  if (call->role != core::Role::Tool)
    return pipeline::compile(system, std::move(*call), std::move(*place));
  auto &directory = place->directory;
  bool goesOn = commands::asksNoDeclaration(call->tool);
  if (llvm::Error error = pipeline::admit(directory, std::move(place->refused), goesOn))
    return pipeline::failWith(system, std::move(error));
  return commands::run(system, *call, directory ? &*directory : nullptr);
}

int main(int argc, char **argv) {
  using namespace cudacc;
  using core::Environment;
  if (makeRoom)
    makeRoom(argc);
  run::outliveFileSizeLimit();
  run::RealFiles files;
  run::RealRunner real;
  run::RealConsole console;
  // The path that was executed. /proc may not be mounted, and costs as much as 20 files elsewhere.
  auto *executed = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  std::string self = files.realPath(executed).value_or("");
  if (self.empty())
    self = files.readLink("/proc/self/exe").value_or("");
  Environment environment;
  for (char **entry = environ; *entry; ++entry)
    environment.entries.push_back(*entry);
  probe::Self selfFile(self, files);
  run::GuardedRunner runner(real, files, environment, {getppid, cpuTime},
                            [&](llvm::StringRef name, llvm::ArrayRef<std::string> passed) {
                              return probe::locateOther(name, environment, files, selfFile, passed);
                            });
  pipeline::System system{{files, runner, console, environment, self, getuid()}, selfFile};
  std::vector<std::string> kept;
  llvm::SmallVector<llvm::StringRef, 64> given(argv, argv + argc);
  llvm::SmallVector<llvm::StringRef, 64> words =
      plan::withUserCompiler(std::move(given), environment, files, kept);
  int status = commands::checkOutput(system, dispatch(system, words));
  // Skips destructors and the libraries' exit handlers: none has work to do, and they cost time.
  _exit(status);
}
