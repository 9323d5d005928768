// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/LibraryInventory.h"
#include "driver/process/LibraryOutline.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
namespace path = llvm::sys::path;

static bool isShared(llvm::StringRef name) {
  auto known = tables::libraryByFileName(name);
  return known && !known->archive && name.contains(".so.");
}

LibraryInventory::LibraryInventory(process::DiskTree &disk, std::string home)
    : disk(disk), namesOf([this](llvm::StringRef file) {
        return process::libraryNames(this->disk.files, file);
      }),
      suffixOf([this](llvm::StringRef file) {
        return process::newestNvJitLink(this->disk.files, file);
      }),
      reader{namesOf, suffixOf}, evidence(disk.files, reader, std::move(home)) {}

void LibraryInventory::add(policy::FoundCopy copy) {
  std::string real = disk.real(copy.path);
  // A file that is found in several places is listed under the first.
  if (places.try_emplace(real, list.size()).second)
    list.push_back(std::move(copy));
}

void LibraryInventory::add(std::string path, std::string soname, const char *where) {
  add(copyAt(std::move(path), std::move(soname), where));
}

void LibraryInventory::addEnvironment(const PythonEnvironment &environment) {
  for (const resolve::PlacedLibrary &placed : resolve::placedLibraries(environment)) {
    const InstalledLibrary &library = *placed.library;
    policy::FoundCopy copy;
    copy.soname = library.soname;
    copy.path = library.path;
    copy.where = library.bundled ? "bundled with torch" : "environment";
    copy.dist = library.dist;
    copy.version = library.version;
    copy.cuda = placed.line;
    add(std::move(copy));
  }
}

void LibraryInventory::addLibraryPath(llvm::ArrayRef<std::string> elements) {
  for (const std::string &element : elements)
    for (const std::string &name : disk.files.list(element.empty() ? "." : element)) {
      std::string path = fmt::format("{}/{}", element.empty() ? "." : element, name);
      // The loader finds a library only by the name in NEEDED, which has the major version.
      if (isShared(name) && !tables::majorsOf(name).empty() &&
          disk.files.stat(path).kind == FileStatus::Kind::Regular)
        add(std::move(path), name, "LD_LIBRARY_PATH");
    }
}

void LibraryInventory::addCache() {
  for (const auto &[name, file] : disk.cacheEntries()) {
    if (!isShared(name) || !tables::runtimeLibrary(name) ||
        disk.files.stat(file).kind != FileStatus::Kind::Regular)
      continue;
    add(file, name, "loader's cache");
  }
}

LinkedLibrary LibraryInventory::identify(std::string path, std::string soname) {
  LinkedLibrary library;
  library.path = std::move(path);
  library.soname = std::move(soname);
  evidence.identify(library);
  return library;
}

policy::FoundCopy LibraryInventory::copyAt(std::string path, std::string soname,
                                           const char *where) {
  LinkedLibrary library = identify(std::move(path), std::move(soname));
  policy::FoundCopy copy;
  copy.soname = std::move(library.soname);
  copy.path = std::move(library.path);
  copy.where = where;
  copy.dist = library.dist;
  copy.version = library.version;
  copy.cuda = library.cuda;
  return copy;
}

const policy::FoundCopy &LibraryInventory::of(llvm::StringRef file) {
  std::string real = disk.real(file);
  if (auto found = places.find(real); found != places.end())
    return list[found->second];
  auto [place, isNew] = others.try_emplace(real);
  if (isNew)
    place->second = copyAt(file.str(), path::filename(file).str());
  return place->second;
}

} // namespace cudacc::commands
