#include "driver/Declared.h"
#include "driver/policy/Resolve.h"
#include "driver/probe/Environment.h"
#include "driver/probe/Lock.h"
#include "driver/probe/Paths.h"

namespace cudacc {

using namespace core;

llvm::Expected<Target> resolveDeclaration(World &world, probe::Store &store,
                                          const Declaration &declaration) {
  auto read = [&](llvm::StringRef path) -> llvm::Expected<PythonEnvironment> {
    std::string prefix = probe::expandHome(path, world.environment.getOr("HOME"));
    if (path.empty()) {
      auto active = probe::activeEnvironment(world.environment, world.files);
      if (!active)
        return active.takeError();
      prefix = std::move(*active);
    }
    prefix = probe::tidy(probe::absolute(prefix, world.files), world.files);
    return store.environment(prefix, [&] { return probe::readEnvironment(prefix, world.files); });
  };
  auto readLock = [&](llvm::StringRef path) -> llvm::Expected<LockReading> {
    std::string file = probe::expandHome(path, world.environment.getOr("HOME"));
    file = probe::tidy(probe::absolute(file, world.files), world.files);
    return probe::readLock(file, MarkerEnvironment::linux("x86_64"), world.files);
  };
  auto target = policy::resolve(declaration, read, readLock);
  if (target)
    target->asWheels = declaration.layout.value == Layout::Wheels;
  return target;
}

} // namespace cudacc
