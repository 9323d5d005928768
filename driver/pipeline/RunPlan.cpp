// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/RunPlan.h"
#include "driver/core/Diagnostic.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/run/Toolchain.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;

bool provide(System &system, cache::Store &store, const Plan &plan) {
  for (const PlannedDirectory &directory : plan.directories) {
    auto make = [&] {
      return run::makeDirectory(
          system.files, directory.path,
          {directory.entries, directory.programs, system.self, directory.trailer});
    };
    if (!store.provide(directory, make))
      return false;
  }
  auto provideFile = [&](const PlannedFile &file) { return store.provide(file); };
  return llvm::all_of(plan.kept, provideFile) && llvm::all_of(plan.files, provideFile);
}

llvm::Expected<ExitStatus> spawn(System &system, cache::Store &store, const Plan &plan) {
  llvm::Error error = llvm::Error::success();
  // Another link to the same output may have ended meanwhile.
  for (const PlannedFile &file : plan.files)
    if (!error && !store.provide(file))
      error = makeError(Code::CannotWrite, fmt::format("cannot write {}", file.path));
  llvm::Expected<ExitStatus> ended =
      error ? llvm::Expected<ExitStatus>(std::move(error)) : system.runner.spawn(plan.command);
  for (const PlannedFile &file : plan.files)
    system.files.remove(file.path);
  return ended;
}

std::unique_ptr<FileLock> lockOutput(System &system, cache::Store &store, const Call &call,
                                     Command &command) {
  std::string path = plan::outputOf(call.invocation);
  llvm::StringRef name = llvm::sys::path::filename(path);
  std::string folder = llvm::sys::path::parent_path(path).str();
  auto real = system.files.realPath(folder.empty() ? "." : folder);
  FileStatus::Kind kind = system.files.stat(path).kind;
  if (!real || (kind != FileStatus::Kind::None && kind != FileStatus::Kind::Regular))
    return nullptr;
  std::string key = plan::digest(fmt::format("{}/{}", *real, name));
  if (llvm::is_contained(call.nested.locks, key))
    return nullptr;
  Nested nested = call.nested;
  // This call prints the facts.
  nested.printsFacts = false;
  nested.locks.push_back(key);
  nested.pass(command);
  return store.lock(key);
}

} // namespace cudacc::pipeline
