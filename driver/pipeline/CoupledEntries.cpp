// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/CoupledEntries.h"
#include "driver/binary/elf/NeededEntries.h"
#include "driver/process/DiskTree.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

namespace {
/// Whether an output may use symbols of a library.
class Uses {
public:
  Uses(Files &files, const BinaryFacts &output, llvm::ArrayRef<LinkedLibrary> libraries)
      : disk(files), output(output), libraries(libraries) {}

  bool operator()(const plan::CoupledLibrary &library) {
    if (llvm::is_contained(output.versionFiles, library.soname) || mayBind(library.path))
      return true;
    return llvm::any_of(libraries, [&](const LinkedLibrary &named) {
      return named.soname == library.soname && mayBind(named.path);
    });
  }

private:
  process::DiskTree disk;
  const BinaryFacts &output;
  llvm::ArrayRef<LinkedLibrary> libraries;

  /// Names of a library without symbol versions show in the output by nothing but themselves.
  bool mayBind(const std::string &path) {
    if (disk.versioned(path).value_or(false))
      return false;
    return llvm::any_of(output.imports, [&](const Import &import) {
      return import.file.empty() &&
             disk.exported(path, import.symbol, "") != versions::Exported::No;
    });
  }
};
} // namespace

llvm::Expected<std::vector<binary::Patch>>
dropUnserved(Files &files, const Call &call, llvm::ArrayRef<LinkedLibrary> libraries,
             llvm::ArrayRef<plan::CoupledLibrary> coupled, ReadableFile &file, BinaryFacts &facts) {
  Uses uses(files, facts, libraries);
  std::vector<std::string> names =
      plan::unservedIn(facts, call.invocation, libraries, coupled, uses);
  if (names.empty())
    return std::vector<binary::Patch>();
  llvm::erase_if(facts.needed, [&](const auto &name) { return llvm::is_contained(names, name); });
  return binary::removeNeeded(file, facts.path, names);
}

} // namespace cudacc::pipeline
