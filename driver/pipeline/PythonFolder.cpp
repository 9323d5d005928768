// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/PythonFolder.h"
#include "driver/probe/python/PythonLink.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

std::optional<bool> isPythonFolder(System &system, const BinaryFacts &file, llvm::StringRef prefix,
                                   llvm::StringRef folder) {
  if (llvm::any_of(file.needed, [&](llvm::StringRef name) {
        return tables::libraryByFileName(name) &&
               system.files.stat(support::joinPath(folder, name)).exists();
      }))
    return false;
  return probe::isAddedByPython(folder, prefix, system.environment, system.files);
}

} // namespace cudacc::pipeline
