#include "driver/tools/PythonFolder.h"
#include "driver/facts/Libraries.h"
#include "driver/probe/Paths.h"
#include "driver/probe/PythonLink.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tools {

using namespace core;

std::optional<bool> isPythonFolder(World &world, const BinaryFacts &file, llvm::StringRef prefix,
                                   llvm::StringRef folder) {
  if (llvm::any_of(file.needed, [&](llvm::StringRef name) {
        return facts::libraryByFileName(name) &&
               world.files.stat(probe::joinPath(folder, name)).exists();
      }))
    return false;
  return probe::isAddedByPython(folder, prefix, world.environment, world.files);
}

} // namespace cudacc::tools
