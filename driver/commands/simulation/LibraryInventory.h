// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/Process.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/probe/host/LibraryEvidence.h"
#include <functional>

namespace cudacc::commands {

/// The CUDA libraries that an import on this machine could find, and of which release each is.
class LibraryInventory {
public:
  explicit LibraryInventory(FileCache &fileCache);

  void addEnvironment(const core::PythonEnvironment &environment);
  void addLibraryPath(llvm::ArrayRef<std::string> elements);
  void addCache();

  llvm::ArrayRef<policy::FoundCopy> all() const { return list; }
  /// That of any path, links resolved; looked into when it is none of those.
  const policy::FoundCopy &of(llvm::StringRef path);
  /// The release of a file, by LibraryEvidence.
  core::LinkedLibrary identify(std::string path, std::string soname);

private:
  FileCache &fileCache;
  std::vector<policy::FoundCopy> list;
  /// By real path.
  std::map<std::string, size_t> places;
  std::map<std::string, policy::FoundCopy> others;
  std::function<probe::LibraryNames(llvm::StringRef)> namesOf;
  std::function<versions::CudaVersion(llvm::StringRef)> suffixOf;
  probe::LibraryReader reader;
  probe::LibraryEvidence evidence;

  void add(policy::FoundCopy copy);
  void add(std::string path, std::string soname, const char *where);
  policy::FoundCopy copyAt(std::string path, std::string soname, const char *where = "");
};

} // namespace cudacc::commands
