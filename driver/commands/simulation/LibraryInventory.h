// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/probe/host/LibraryEvidence.h"
#include "driver/process/DiskTree.h"
#include <functional>

namespace cudacc::commands {

/// The CUDA libraries that an import on this machine could find, with their releases.
class LibraryInventory {
public:
  /// \p home: of the user, empty if not known.
  LibraryInventory(process::DiskTree &disk, std::string home);

  void addEnvironment(const core::PythonEnvironment &environment);
  void addLibraryPath(llvm::ArrayRef<std::string> elements);
  void addCache();

  llvm::ArrayRef<policy::FoundCopy> all() const { return list; }
  /// The copy at any path, links resolved; examined now if it is not in all().
  const policy::FoundCopy &of(llvm::StringRef path);
  /// Determines the release of a file with LibraryEvidence.
  core::LinkedLibrary identify(std::string path, std::string soname);

private:
  process::DiskTree &disk;
  std::vector<policy::FoundCopy> list;
  /// Indices into `list`, by real path.
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
