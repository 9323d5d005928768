// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/JudgeFile.h"
#include "driver/probe/python/PythonLink.h"
#include "driver/process/LoadHere.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

/// Whether a search path entry comes only from the Python that built the file
/// (policy::FileCase::pythonFolders): Python's LDFLAGS add the folder, and it holds none of the
/// CUDA libraries that the file NEEDs (conda's CUDA packages do put them there). \p prefix: the
/// environment the file lies in, or empty. std::nullopt if it could not be determined.
static std::optional<bool> isPythonFolder(System &system, const BinaryFacts &file,
                                          llvm::StringRef prefix, llvm::StringRef folder) {
  if (llvm::any_of(file.needed, [&](llvm::StringRef name) {
        return tables::libraryByFileName(name) &&
               system.files.stat(support::joinPath(folder, name)).exists();
      }))
    return false;
  return probe::isAddedByPython(folder, prefix, system.environment, system.files);
}

static void addPythonFolders(System &system, policy::FileCase &input, llvm::StringRef prefix) {
  for (const auto *entries : {&input.facts->rpath, &input.facts->runpath})
    for (llvm::StringRef entry : *entries)
      if (entry.consume_front("/")) {
        std::string folder = fmt::format("/{}", entry.rtrim('/'));
        if (auto isPythons = isPythonFolder(system, *input.facts, prefix, folder))
          input.pythonFolders.try_emplace(std::move(folder), *isPythons);
      }
}

std::vector<Finding> judgeFile(System &system, TorchTables &torchTables, process::DiskTree &disk,
                               policy::FileCase input, const FilePlace &place,
                               policy::LookAround lookAround,
                               llvm::function_ref<policy::Others()> others) {
  if (policy::mayUseTorch(*input.facts))
    input.torchTable = &torchTables();
  if (!input.atLink)
    addPythonFolders(system, input, place.pythonPrefix);
  std::optional<policy::LoadedHere> here;
  if (!place.path.empty() && place.sitePackages.empty() && policy::asksHere(input))
    here = process::loadedHere(disk, *input.facts, place.path, system.environment.getOr("HOME"));
  input.here = here ? &*here : nullptr;
  std::vector<Finding> findings = policy::judgeBinary(input, lookAround);
  if (findings.empty() || (!others && place.sitePackages.empty()))
    return findings;
  if (others)
    input.others = others();
  // The user of a package is told something else than who builds it.
  if (!place.sitePackages.empty())
    if (auto recorded = disk.records().findIn({place.sitePackages},
                                              support::absolute(place.path, system.files)))
      input.package = recorded->dist;
  return policy::judgeBinary(input, lookAround);
}

} // namespace cudacc::pipeline
