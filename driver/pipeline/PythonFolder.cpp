#include "driver/pipeline/PythonFolder.h"
#include "driver/probe/python/PythonLink.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

std::optional<bool> isPythonFolder(World &world, const BinaryFacts &file, llvm::StringRef prefix,
                                   llvm::StringRef folder) {
  if (llvm::any_of(file.needed, [&](llvm::StringRef name) {
        return tables::libraryByFileName(name) &&
               world.files.stat(support::joinPath(folder, name)).exists();
      }))
    return false;
  return probe::isAddedByPython(folder, prefix, world.environment, world.files);
}

} // namespace cudacc::pipeline
