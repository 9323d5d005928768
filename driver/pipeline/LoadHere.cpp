// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/LoadHere.h"
#include "driver/pipeline/Installed.h"
#include "driver/probe/host/LibraryEvidence.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Machine.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

static bool isOfToolkit(llvm::StringRef name) {
  auto known = tables::libraryByFileName(name);
  return known && known->origin != tables::LibraryOrigin::Driver;
}

std::optional<LoadResult> LoadHere::load(const BinaryFacts &facts, llvm::StringRef path,
                                         llvm::ArrayRef<std::string> libraryPath) {
  if (facts.machine != ownMachine().elf)
    return std::nullopt;
  auto self = system.files.realPath(path);
  if (!self)
    return std::nullopt;
  loader::Situation process;
  loader::setMachine(process, facts.machine);
  process.libraryPath = libraryPath.vec();
  process.workingDirectory = system.files.workingDirectory();
  bool isProgram = facts.kind == BinaryKind::Executable;
  if (isProgram) {
    process.program = &facts;
    process.programPath = *self;
  }
  auto open = [&](llvm::StringRef wanted) { return disk.open(wanted, facts.machine); };
  auto cached = [&](llvm::StringRef name) { return disk.cached(name, facts.machine); };
  LoadResult result;
  for (unsigned i = 0; i != mostStrangers; ++i) {
    result = isProgram ? loader::start(process, open, cached)
                       : loader::load(*self, process, open, cached);
    if (result.ok() || result.missing.empty() || isOfToolkit(result.missing))
      break;
    process.present.push_back(
        {"/missing/" + result.missing, nullptr, 0, 0, {result.missing}, std::nullopt});
  }
  if (result.askedBy == *self)
    result.askedBy = facts.path;
  for (LoadStep &step : result.steps)
    for (std::string *each : {&step.askedBy, &step.path, &step.elementOf})
      if (*each == *self)
        *each = facts.path;
  return result;
}

CudaVersion LoadHere::releaseOf(llvm::StringRef path) {
  std::lock_guard lock(mutex);
  if (auto known = releases.find(path); known != releases.end())
    return known->second;
  auto names = [&](llvm::StringRef file) { return libraryNames(system.files, file); };
  auto suffix = [&](llvm::StringRef file) { return newestNvJitLink(system.files, file); };
  probe::LibraryReader reader{names, suffix};
  LinkedLibrary library;
  library.path = path.str();
  library.soname = names(path).soname;
  std::string home = system.environment.getOr("HOME").str();
  probe::LibraryEvidence(system.files, reader, home).identify(library);
  // If two sources disagree, the release counts as unknown.
  CudaVersion release = library.conflict.empty() ? library.cuda : CudaVersion{};
  releases.emplace(path.str(), release);
  return release;
}

} // namespace cudacc::pipeline
