#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Driver.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;

/// A compiler of a toolchain directory finds it above its own folder (R11).
llvm::Error Driver::readDirectory() {
  llvm::StringRef bin = llvm::sys::path::parent_path(system.self);
  if (llvm::sys::path::filename(bin) != "bin")
    return llvm::Error::success();
  FileStatus status;
  auto found = directoryAt(system.files, llvm::sys::path::parent_path(bin), &status);
  if (!found)
    return found.takeError();
  directory = std::move(*found);
  // One that was made unseen is started by the call that found or made it.
  if (isNamed())
    directoryRefused = pipeline::refuseDirectory(system, *directory, status);
  return llvm::Error::success();
}

std::optional<Finding> Driver::refuseDirectory(bool goesOn) {
  auto refused = std::exchange(directoryRefused, std::nullopt);
  if (!refused || !goesOn)
    return refused;
  directory.reset();
  return std::nullopt;
}

/// A launcher in front of a toolchain directory's compiler, as where CXX and a linker launcher are
/// both set: that compiler is cuda-cc and knows its target; it does the work (R40).
bool Driver::standsBeforeShim() {
  llvm::StringRef path = call.compiler;
  if (call.role != Role::Launcher || !call.launchers.empty() || !path.contains('/') ||
      !system.selfFile.is(path))
    return false;
  llvm::StringRef root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(path));
  return system.files.stat((root + "/" + ToolchainDirectory::factsName).str()).exists();
}

/// The directory's headers stand behind all that the compiler finds elsewhere, so that nothing else
/// changes; a call of the same compiler by its own path then finds what an nvcc would.
void Driver::addOwnHeaders() {
  llvm::StringRef name = llvm::sys::path::filename(call.compiler);
  bool isOwn = isNamed() && call.dialect != Dialect::Nvcc && directory->compiler(name) &&
               (call.role == Role::Masquerade || name == llvm::StringRef(call.compiler));
  // With -v CMake learns which folders a compiler has by itself, and then leaves them out of every
  // line, where they would have stood in front (R18). Below nvcc they are on the line.
  if (!isOwn || call.sources.empty() || call.nostdinc || call.verbose ||
      call.kind == CallKind::Probe || system.environment.get("_HERE_"))
    return;
  ownHeaders = directory->path + "/include";
  // One that is named twice counts where it is named first: those of the caller stay in front.
  for (const IncludeDir &dir : call.includes)
    if (dir.kind == IncludeDir::Kind::After) {
      compiler.command.argv.add("-idirafter");
      compiler.command.argv.add(dir.path.str());
    }
  compiler.command.argv.add("-idirafter");
  compiler.command.argv.add(ownHeaders);
  call.includes.push_back({ownHeaders, IncludeDir::Kind::After});
}

} // namespace cudacc::pipeline
