#include "driver/commands/simulation/LibraryInventory.h"
#include "driver/pipeline/Installed.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
namespace path = llvm::sys::path;

static bool isShared(llvm::StringRef name) {
  auto known = tables::libraryByFileName(name);
  return known && !known->archive && name.contains(".so.");
}

LibraryInventory::LibraryInventory(FileCache &fileCache)
    : fileCache(fileCache), namesOf([this](llvm::StringRef file) {
        return pipeline::libraryNames(this->fileCache.system.files, file);
      }),
      suffixOf([this](llvm::StringRef file) {
        return pipeline::newestNvJitLink(this->fileCache.system.files, file);
      }),
      reader{namesOf, suffixOf},
      evidence(fileCache.system.files, reader, fileCache.system.environment.getOr("HOME")) {}

void LibraryInventory::add(policy::FoundCopy copy) {
  const std::string &real = fileCache.real(copy.path);
  // The first place that has it is what it is known by.
  if (places.try_emplace(real, list.size()).second)
    list.push_back(std::move(copy));
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
    for (const std::string &name : fileCache.system.files.list(element.empty() ? "." : element)) {
      if (!isShared(name))
        continue;
      policy::FoundCopy copy;
      copy.path = (element.empty() ? "." : element) + "/" + name;
      // Only the name by which a library is asked for is found.
      if (fileCache.system.files.stat(copy.path).kind != FileStatus::Kind::Regular ||
          tables::majorsOf(name).empty())
        continue;
      copy.soname = name;
      copy.where = "LD_LIBRARY_PATH";
      learn(copy);
      add(std::move(copy));
    }
}

void LibraryInventory::addCache() {
  for (const auto &[name, file] : fileCache.disk.cacheEntries()) {
    auto known = tables::libraryByFileName(name);
    if (!isShared(name) || known->origin == tables::LibraryOrigin::Driver ||
        fileCache.system.files.stat(file).kind != FileStatus::Kind::Regular)
      continue;
    policy::FoundCopy copy;
    copy.soname = name;
    copy.path = file;
    copy.where = "loader's cache";
    learn(copy);
    add(std::move(copy));
  }
}

void LibraryInventory::learn(policy::FoundCopy &copy) {
  LinkedLibrary library;
  library.path = copy.path;
  library.soname = copy.soname;
  evidence.learn(library);
  copy.dist = library.dist;
  copy.version = library.version;
  copy.cuda = library.cuda;
}

const policy::FoundCopy &LibraryInventory::of(llvm::StringRef file) {
  const std::string &real = fileCache.real(file);
  if (auto found = places.find(real); found != places.end())
    return list[found->second];
  auto [place, isNew] = others.try_emplace(real);
  if (isNew) {
    place->second.soname = path::filename(file).str();
    place->second.path = file.str();
    learn(place->second);
  }
  return place->second;
}

} // namespace cudacc::commands
