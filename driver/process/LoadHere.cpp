// SPDX-License-Identifier: Apache-2.0
#include "driver/process/LoadHere.h"
#include "driver/probe/host/LibraryEvidence.h"
#include "driver/process/LibraryOutline.h"
#include "driver/process/Process.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Machine.h"

namespace cudacc::process {

using namespace core;

static constexpr unsigned mostStrangers = 256;

LoadResult loadHere(loader::Tree &tree, const BinaryFacts &file, llvm::StringRef path,
                    std::string workingDirectory, std::vector<std::string> libraryPath,
                    const Target *target) {
  Process process(tree, file.machine, std::move(workingDirectory), Process::Depth::Search);
  process.surround(std::move(libraryPath), {});
  LoadResult result;
  for (unsigned i = 0; i != mostStrangers; ++i) {
    result = file.kind == BinaryKind::Executable
                 ? std::move(process.start(path, path, file, false).load)
                 : std::move(process.open(path, false, "").load);
    if (result.ok() || result.missing.empty() || tables::runtimeLibrary(result.missing))
      break;
    process.assume(result.missing);
  }
  if (target && result.ok())
    for (const FoundPart &part : partsOf(process, *target, path))
      if (!part.found.ok())
        result.notOpened.push_back(part.notOpened());
  if (result.askedBy == path)
    result.askedBy = file.path;
  for (LoadStep &step : result.steps)
    for (std::string *each : {&step.askedBy, &step.path, &step.elementOf})
      if (*each == path)
        *each = file.path;
  return result;
}

/// 0.0 if two sources disagree.
static versions::CudaVersion releaseOf(Files &files, const std::string &path,
                                       llvm::StringRef home) {
  auto names = [&](llvm::StringRef file) { return libraryNames(files, file); };
  auto suffix = [&](llvm::StringRef file) { return newestNvJitLink(files, file); };
  probe::LibraryReader reader{names, suffix};
  LinkedLibrary library;
  library.path = path;
  library.soname = names(path).soname;
  probe::LibraryEvidence(files, reader, home.str()).identify(library);
  return library.conflict.empty() ? library.cuda : versions::CudaVersion{};
}

std::optional<policy::LoadedHere> loadedHere(DiskTree &disk, const BinaryFacts &file,
                                             llvm::StringRef path, llvm::StringRef home) {
  auto self = disk.files.realPath(path);
  if (!self || file.machine != versions::ownMachine().elf)
    return std::nullopt;
  policy::LoadedHere here;
  here.load = loadHere(disk, file, *self, disk.files.workingDirectory());
  for (const LoadStep &step : here.load.steps)
    if (here.load.ok() && tables::runtimeLibrary(step.name))
      if (auto [place, isNew] = here.releases.try_emplace(step.path); isNew)
        place->second = releaseOf(disk.files, step.path, home);
  return here;
}

} // namespace cudacc::process
