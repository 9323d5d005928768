#include "driver/Driver.h"
#include "driver/run/RealFiles.h"
#include "driver/run/RealRunner.h"
#include "llvm/ADT/SmallVector.h"
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  using namespace cudacc;
  run::RealFiles files;
  run::RealRunner runner;
  run::RealConsole console;
  // Where /proc is not mounted, the kernel still says what it was asked to execute.
  std::string self = files.readLink("/proc/self/exe").value_or("");
  if (self.empty())
    self = files.realPath(reinterpret_cast<const char *>(getauxval(AT_EXECFN))).value_or("");
  World world{files, runner, console, {}, self, probe::Self(self, files), getuid()};
  for (char **entry = environ; *entry; ++entry)
    world.environment.entries.push_back(*entry);
  llvm::SmallVector<llvm::StringRef, 64> words(argv, argv + argc);
  int status = Driver(world).run(words);
  // No destructor has work left, and what the exit handlers of the libraries do costs time.
  _exit(status);
}
