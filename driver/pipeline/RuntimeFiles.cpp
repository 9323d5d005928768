// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/RuntimeFiles.h"
#include "driver/pipeline/Compilers.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;
using support::grandparentOf;
using support::parentOf;

bool RuntimeFiles::isFile(const std::string &path) {
  return system.files.stat(path).kind == FileStatus::Kind::Regular;
}

/// The toolkit that would compile here, if it has the runtime's CUDA version; else null. Libraries
/// and headers of another version are what a declaration keeps out.
const Toolkit *RuntimeFiles::sameLine() {
  if (std::exchange(asked, true))
    return toolkit ? &*toolkit : nullptr;
  lacking = {"toolkit", "none was found"};
  auto nvcc = llvm::expectedToOptional(findCompiler(system, Invocation(), declaration, directory));
  if (!nvcc)
    return nullptr;
  auto found = readToolkit(system, store, nvcc->compiler, nvcc->foundBy, nvcc->driver);
  if (!found) {
    lacking.text = toFinding(found.takeError()).message;
    return nullptr;
  }
  CudaVersion version = found->version();
  if (!version.known() || version != target.line) {
    lacking.text =
        fmt::format("CUDA {} at {} ({})", version.known() ? version.str() : "of an unknown version",
                    found->root, nvcc->foundBy);
    return nullptr;
  }
  toolkit = std::move(*found);
  lacking.text = fmt::format("that of CUDA {} at {} lacks it", version, toolkit->root);
  return &*toolkit;
}

llvm::Error RuntimeFiles::missing(llvm::StringRef what) {
  std::string line = "CUDA " + (target.line.known() ? target.line.str() : "of an unknown version");
  std::vector<Fact> facts = {{"runtime", fmt::format("{}, {}", target.describe(), line)}};
  std::string places = llvm::join(target.sitePackages, ", ");
  facts.push_back({"environment", places.empty() ? "the runtime is not an environment" : places});
  facts.push_back(lacking);
  std::vector<std::string> fixes;
  if (places.empty())
    fixes.push_back("declare an environment that has it: env:PATH");
  fixes.push_back(fmt::format("name a toolkit of {}: --cudacc-toolkit=PATH", line));
  return makeError(Code::NoToolkit, fmt::format("{} was not found for {}", what, line),
                   std::move(facts), std::move(fixes));
}

/// Archives lie beside the shared libraries of the same wheel.
std::string RuntimeFiles::besideLibraries(llvm::StringRef file) {
  for (const TargetLibrary &row : target.libraries)
    if (!row.path.empty())
      if (std::string path = support::joinPath(parentOf(row.path), file); isFile(path))
        return path;
  return "";
}

std::string RuntimeFiles::inToolkit(const tables::KnownLibrary &known, const TargetLibrary *row) {
  const Toolkit *from = sameLine();
  if (!from)
    return "";
  bool driver = known.origin == tables::LibraryOrigin::Driver;
  std::vector<std::string> folders = from->libraryDirs;
  for (const char *folder : {"/lib64", "/lib"})
    folders.push_back(from->root + folder);
  std::string stem = fmt::format("lib{}", known.name);
  for (std::string folder : folders) {
    // The driver's libraries are not part of a toolkit, which has only stubs of them.
    folder += driver ? "/stubs/" : "/";
    for (const std::string &name : {row ? row->soname : "", stem + (known.archive ? ".a" : ".so")})
      if (!name.empty() && isFile(folder + name))
        return support::normalizePath(folder + name, system.files);
  }
  return "";
}

llvm::Expected<std::string> RuntimeFiles::library(const tables::KnownLibrary &known,
                                                  const TargetLibrary *row) {
  if (row && !row->path.empty())
    return row->path;
  std::string file = fmt::format("lib{}.a", known.name);
  if (known.archive)
    if (std::string path = besideLibraries(file); !path.empty())
      return path;
  if (std::string path = inToolkit(known, row); !path.empty())
    return path;
  return missing(row ? row->soname : known.archive ? file : fmt::format("lib{}.so", known.name));
}

/// The `include` folders beside the `lib` folders of the environment's libraries, also for their
/// link targets (conda links from the prefix into `targets`).
std::vector<std::string> RuntimeFiles::headerFolders(const TargetLibrary *row) {
  std::vector<std::string> folders;
  auto add = [&](llvm::StringRef path) {
    std::string folder = support::joinPath(grandparentOf(path), "include");
    if (!llvm::is_contained(folders, folder))
      folders.push_back(std::move(folder));
  };
  auto addRow = [&](const TargetLibrary &each) {
    if (each.path.empty())
      return;
    add(each.path);
    if (auto real = system.files.realPath(each.path); real && each.folder.empty())
      add(*real);
  };
  if (row)
    addRow(*row);
  for (const TargetLibrary &each : target.libraries)
    addRow(each);
  return folders;
}

llvm::Expected<std::string> RuntimeFiles::includeFolder(const tables::HeaderProbe &header,
                                                        const TargetLibrary *row) {
  std::string file = header.file.str();
  for (const std::string &folder : headerFolders(row))
    if (isFile(support::joinPath(folder, file)))
      return folder;
  // Some wheels contain only headers, such as nvcc's `crt`.
  for (const std::string &site : target.sitePackages)
    for (const std::string &name : system.files.list(site + "/nvidia"))
      if (std::string folder = fmt::format("{}/nvidia/{}/include", site, name);
          isFile(fmt::format("{}/{}", folder, file)))
        return folder;
  if (const Toolkit *from = sameLine()) {
    std::vector<std::string> folders;
    if (!header.toolkitFolder.empty())
      folders.push_back(support::joinPath(from->root, header.toolkitFolder));
    folders.insert(folders.end(), from->includeDirs.begin(), from->includeDirs.end());
    folders.insert(folders.end(), from->systemIncludeDirs.begin(), from->systemIncludeDirs.end());
    for (const std::string &folder : folders)
      if (isFile(support::joinPath(folder, file)))
        return support::normalizePath(folder, system.files);
  }
  return missing(header.file);
}

std::string RuntimeFiles::includeFolderIfAny(const tables::HeaderProbe &header) {
  return llvm::expectedToOptional(includeFolder(header, nullptr)).value_or("");
}

} // namespace cudacc::pipeline
