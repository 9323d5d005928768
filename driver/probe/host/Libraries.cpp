// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Libraries.h"
#include "driver/probe/host/LibraryEvidence.h"
#include "driver/probe/toolkit/TorchRelease.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

namespace {
struct SearchFolder {
  std::string path;
  /// Named on the command line or one of nvcc's own: a sole `libX.so.N` is accepted.
  bool named = false;
  /// The linker does not search here, so libraries found here are passed by path.
  bool added = false;
  /// From LIBRARY_PATH: set by the user, but not for this command.
  bool variable = false;
};

class Linker {
public:
  Linker(const Invocation &call, const Toolkit *toolkit, const HostCompiler *host,
         const Environment &env, Files &files, const LibraryReader &reader);
  /// Returns path and byPathOnly of `-lNAME`; the path is empty if it was not found.
  std::pair<std::string, bool> find(llvm::StringRef name);

private:
  std::string inFolder(llvm::StringRef folder, llvm::StringRef name);
  std::string versioned(llvm::StringRef folder, llvm::ArrayRef<llvm::StringRef> sonames);
  llvm::SmallVector<llvm::StringRef, 4> sonamesOf(llvm::StringRef name);
  void addVariable(const Environment &env);
  void addNamed(llvm::StringRef dir);
  bool takes(llvm::StringRef path);

  Files &files;
  const LibraryReader &reader;
  bool archivesOnly;
  unsigned major = 0;
  llvm::SmallVector<SearchFolder, 16> folders;
  llvm::SmallVector<std::string, 4> toolkitDirs;
};
} // namespace

static bool isFolder(llvm::StringRef path, Files &files) {
  return files.stat(path).kind == FileStatus::Kind::Directory;
}

/// Returns the `lib` directory of CUDA 13 wheels if nvcc 13.0 or 13.1 names a missing `lib64`
/// (N17); otherwise empty.
static std::string libBeside(llvm::StringRef missing, Files &files) {
  if (nameOf(missing) != "lib64" || isFolder(missing, files))
    return "";
  std::string lib = joinPath(parentOf(missing), "lib");
  return isFolder(lib, files) ? lib : "";
}

Linker::Linker(const Invocation &call, const Toolkit *toolkit, const HostCompiler *host,
               const Environment &env, Files &files, const LibraryReader &reader)
    : files(files), reader(reader), archivesOnly(call.staticLink) {
  for (llvm::StringRef dir : call.libraryDirs)
    addNamed(dir);
  for (const std::string &dir : reader.behind)
    folders.push_back({dir, true, true});
  if (toolkit) {
    major = toolkit->version().major;
    toolkitDirs.append(toolkit->libraryDirs.begin(), toolkit->libraryDirs.end());
    std::string lib = libBeside(joinPath(toolkit->root, "lib64"), files);
    if (!toolkit->root.empty() && !lib.empty() && !llvm::is_contained(toolkitDirs, lib))
      toolkitDirs.push_back(lib);
    if (call.dialect == Dialect::Nvcc)
      for (const std::string &dir : toolkitDirs)
        folders.push_back({dir, true, dir == lib});
  }
  size_t count = host ? host->libraryDirs.size() : 0;
  for (size_t i = 0; i <= count; ++i) {
    if (i == std::min<size_t>(host ? host->libraryPathAt : 0, count))
      addVariable(env);
    if (i < count)
      folders.push_back({host->libraryDirs[i], false});
  }
}

void Linker::addNamed(llvm::StringRef dir) {
  if (std::string lib = libBeside(dir, files); !lib.empty())
    folders.push_back({std::move(lib), true, true});
  else
    folders.push_back({dir.str(), true});
}

void Linker::addVariable(const Environment &env) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef list = env.getOr("LIBRARY_PATH");
  if (list.empty())
    return;
  list.split(parts, ':');
  for (llvm::StringRef part : parts)
    folders.push_back({part.empty() ? "." : part.str(), false, false, true});
}

static bool isFile(llvm::StringRef path, Files &files) {
  return files.stat(path).kind == FileStatus::Kind::Regular;
}

bool Linker::takes(llvm::StringRef path) {
  return isFile(path, files) && (!reader.fits || reader.fits(path));
}

std::string Linker::inFolder(llvm::StringRef folder, llvm::StringRef name) {
  if (name.starts_with(":")) {
    std::string path = joinPath(folder, name.drop_front());
    return takes(path) ? path : "";
  }
  for (llvm::StringRef suffix : {".so", ".a"}) {
    if (archivesOnly && suffix == ".so")
      continue;
    std::string path = support::joinPath(folder, fmt::format("lib{}{}", name, suffix));
    if (takes(path))
      return path;
  }
  return "";
}

/// The SONAMEs `libNAME.so.N` to try: the toolkit's major version first, then newest first.
llvm::SmallVector<llvm::StringRef, 4> Linker::sonamesOf(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 4> sonames;
  if (archivesOnly || name.starts_with(":"))
    return sonames;
  llvm::SmallVector<unsigned, 4> majors;
  for (CudaVersion line : tables::toolkitLines())
    if (!llvm::is_contained(majors, line.major))
      majors.insert(majors.begin(), line.major);
  std::stable_partition(majors.begin(), majors.end(), [&](unsigned each) { return each == major; });
  for (unsigned each : majors) {
    auto those = tables::sonamesOf(name, each);
    for (llvm::StringRef soname : llvm::reverse(those))
      if (!llvm::is_contained(sonames, soname))
        sonames.push_back(soname);
  }
  return sonames;
}

std::string Linker::versioned(llvm::StringRef folder, llvm::ArrayRef<llvm::StringRef> sonames) {
  for (llvm::StringRef soname : sonames) {
    std::string path = joinPath(folder, soname);
    if (takes(path))
      return path;
  }
  return "";
}

std::pair<std::string, bool> Linker::find(llvm::StringRef name) {
  auto sonames = sonamesOf(name);
  for (const SearchFolder &folder : folders) {
    if (std::string path = inFolder(folder.path, name); !path.empty())
      return {path, folder.added};
    if (!folder.named)
      continue;
    if (std::string path = versioned(folder.path, sonames); !path.empty())
      return {path, true};
  }
  for (const std::string &dir : toolkitDirs) {
    if (std::string path = inFolder(dir, name); !path.empty())
      return {path, true};
    if (std::string path = versioned(dir, sonames); !path.empty())
      return {path, true};
  }
  // The linker would fail here: a sole `libX.so.N` in LIBRARY_PATH is the last resort.
  for (const SearchFolder &folder : folders)
    if (std::string path = folder.variable ? versioned(folder.path, sonames) : ""; !path.empty())
      return {path, true};
  return {};
}

static bool isNvidia(const LinkInput &input) {
  if (input.kind == LinkInput::Kind::File)
    return tables::libraryByFileName(nameOf(input.text)).has_value();
  if (input.text.starts_with(":"))
    return tables::libraryByFileName(input.text.drop_front()).has_value();
  return tables::libraryByLinkName(input.text).has_value();
}

/// A file with another name may be a symbolic link to an NVIDIA library (T4).
static bool isNvidiaBehindLink(const LinkInput &input, Files &files) {
  if (input.kind != LinkInput::Kind::File || !input.text.contains(".so"))
    return false;
  auto real = files.realPath(input.text);
  return real && tables::libraryByFileName(nameOf(*real)).has_value();
}

/// The input as written on the command line.
static std::string spelled(const LinkInput &input) {
  return fmt::format("{}{}", input.kind == LinkInput::Kind::Library ? "-l" : "", input.text);
}

static LinkedLibrary describe(const LinkInput &input, const std::string &path, bool byPathOnly,
                              Files &files, const LibraryReader &reader) {
  LinkedLibrary library;
  library.word = input.word;
  library.spelled = spelled(input);
  library.path = path.empty() ? "" : normalizePath(absolute(path, files), files);
  library.byPathOnly = byPathOnly;
  library.shared = input.shared;
  llvm::StringRef file =
      library.path.empty() ? llvm::StringRef(input.text).ltrim(':') : nameOf(library.path);
  library.isArchive = file.ends_with(".a");
  library.isStub = nameOf(parentOf(library.path)) == "stubs";
  if (!library.isArchive && !library.path.empty()) {
    LibraryNames names = reader.namesOf(library.path);
    library.soname = std::move(names.soname);
    library.needed = std::move(names.needed);
  }
  if (library.soname.empty())
    library.soname = file.str();
  return library;
}

std::vector<LinkedLibrary> findLibraries(const Invocation &call, const Toolkit *toolkit,
                                         const HostCompiler *host, const Environment &env,
                                         Files &files, const LibraryReader &reader) {
  std::vector<LinkedLibrary> found;
  std::optional<Linker> linker;
  LibraryEvidence evidence(files, reader, env.getOr("HOME").str());
  for (const LinkInput &input : call.linkInputs) {
    if (!isNvidia(input) && !isNvidiaBehindLink(input, files))
      continue;
    std::string path;
    bool byPathOnly = false;
    if (input.kind == LinkInput::Kind::Library) {
      if (!linker)
        linker.emplace(call, toolkit, host, env, files, reader);
      std::tie(path, byPathOnly) = linker->find(input.text);
    } else if (isFile(input.text, files)) {
      path = input.text.str();
    }
    found.push_back(describe(input, path, byPathOnly, files, reader));
    if (!found.back().path.empty())
      evidence.identify(found.back());
  }
  return found;
}

bool namesTorch(const LinkInput &input) {
  StringRef name = nameOf(input.text);
  bool isFile = name.consume_front(":") || input.kind == LinkInput::Kind::File;
  return tables::isTorchLibrary(isFile ? name.str() : fmt::format("lib{}.so", name));
}

/// Reads the version from `libtorch.so.2.6.0`, as Linux distributions name the file.
static bool readTorchName(StringRef path, FoundTorch &torch) {
  auto version = Version::parse(nameOf(path).split(".so.").second);
  if (!version || version->release.size() < 2)
    return false;
  torch.release.release = version->release;
  return true;
}

/// Reads the release from the files around the library directory \p folder.
static bool readTorchAround(StringRef folder, Files &files, FoundTorch &torch) {
  std::string above = parentOf(folder).str();
  return readTorchFolder(above, files, torch) ||
         readTorchHeaders(joinPath(above, "include"), files, torch);
}

std::vector<FoundTorch> findTorchLibraries(const Invocation &call, const Toolkit *toolkit,
                                           const HostCompiler *host, const Environment &env,
                                           Files &files, const LibraryReader &reader) {
  std::vector<FoundTorch> found;
  std::optional<Linker> linker;
  for (const LinkInput &input : call.linkInputs) {
    if (!namesTorch(input))
      continue;
    FoundTorch torch;
    if (input.kind == LinkInput::Kind::Library) {
      if (!linker)
        linker.emplace(call, toolkit, host, env, files, reader);
      torch.path = linker->find(input.text).first;
    } else if (isFile(input.text, files)) {
      torch.path = input.text.str();
    }
    if (torch.path.empty() || StringRef(torch.path).ends_with(".a"))
      continue;
    torch.path = normalizePath(absolute(torch.path, files), files);
    std::string real = files.realPath(torch.path).value_or(torch.path);
    bool known = readTorchAround(parentOf(torch.path), files, torch) ||
                 readTorchAround(parentOf(real), files, torch) || readTorchName(real, torch);
    torch.foundBy = spelled(input);
    // libc10, libtorch and libtorch_cpu of one directory count as one.
    bool again = llvm::any_of(found, [&](const FoundTorch &other) {
      return parentOf(other.path) == parentOf(torch.path);
    });
    if (known && torch.known() && !again)
      found.push_back(std::move(torch));
  }
  return found;
}

} // namespace cudacc::probe
