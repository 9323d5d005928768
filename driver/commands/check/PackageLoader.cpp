// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/PackageLoader.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/commands/simulation/Packages.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
namespace path = llvm::sys::path;

/// Stands for the folder into which the files will be installed.
static constexpr llvm::StringLiteral siteName = "site-packages/";

PackageLoader::PackageLoader(pipeline::System &system, pipeline::Disk &disk, const Inputs &inputs,
                             llvm::ArrayRef<ReadFile> files)
    : system(system), disk(disk), inputs(inputs), files(files) {
  for (size_t i = 0; i != files.size(); ++i) {
    const Input &input = inputs.files[i];
    if (files[i].state != ReadFile::State::Read)
      continue;
    if (input.inode)
      disk.know(input.device, input.inode, files[i].facts);
    size_t package = inputs.packageOf(input);
    if (packages.size() <= package)
      packages.resize(package + 1);
    for (llvm::StringRef place : input.places)
      if (!place.starts_with("nvidia/"))
        if (packages[package].files.try_emplace(place.str(), &files[i].facts).second)
          packages[package].indices[place.str()] = i;
    if (input.named && !input.member)
      addNeighbours(input, files[i].facts);
  }
}

std::optional<size_t> PackageLoader::fileAt(size_t file, llvm::StringRef asked) const {
  llvm::SmallString<256> plain(asked);
  path::remove_dots(plain, true);
  llvm::StringRef below = plain;
  if (!below.consume_front(siteName))
    return std::nullopt;
  const Package &package = packages[inputs.packageOf(inputs.files[file])];
  auto found = package.indices.find(below);
  return found == package.indices.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> PackageLoader::placeOf(size_t file, llvm::StringRef name) const {
  for (const auto &[place, index] : packages[inputs.packageOf(inputs.files[file])].indices)
    if (path::filename(place) == name)
      return siteName.str() + place;
  return std::nullopt;
}

pipeline::MountedFiles &PackageLoader::mountedFor(size_t package) {
  std::unique_ptr<pipeline::MountedFiles> &slot = mounted[package];
  if (!slot) {
    slot = std::make_unique<pipeline::MountedFiles>(system.files);
    for (const auto &[place, index] : packages[package].indices) {
      FileId id;
      id.inode = index + 1;
      slot->mount(siteName.str() + place, id, [this, index = index] {
        return commands::open(system, inputs, inputs.files[index]);
      });
    }
  }
  return *slot;
}

Files &PackageLoader::filesOf(size_t file) {
  std::lock_guard lock(mutex);
  return mountedFor(inputs.packageOf(inputs.files[file]));
}

probe::InstalledPackages &PackageLoader::distributionsOf(size_t wheel) {
  std::unique_ptr<probe::InstalledPackages> &slot = distributions[wheel];
  if (!slot) {
    pipeline::MountedFiles &sources = mountedFor(wheel);
    llvm::StringRef site = siteName.drop_back();
    mountSources(inputs.wheels[wheel], site, sources);
    slot = std::make_unique<probe::InstalledPackages>(packageOf(inputs.wheels[wheel], site.str()),
                                                      sources);
  }
  return *slot;
}

/// The runtime's libraries, each by name only: their paths are known to the wheel tree.
static std::vector<InstalledLibrary> librariesOf(const Target &target) {
  std::vector<InstalledLibrary> libraries;
  for (const TargetLibrary &row : target.libraries) {
    InstalledLibrary &library = libraries.emplace_back();
    library.soname = library.path = row.soname;
  }
  return libraries;
}

static std::vector<std::string> pathsOf(llvm::ArrayRef<policy::Preloaded> files) {
  std::vector<std::string> paths;
  for (const policy::Preloaded &file : files) {
    llvm::StringRef path = file.path;
    path.consume_front(siteName);
    paths.push_back(path.str());
  }
  return paths;
}

std::optional<Finding> PackageLoader::opensItself(size_t file, const Target &target,
                                                  const LoadResult &load) {
  const Input &input = inputs.files[file];
  if (!input.member || input.places.empty())
    return std::nullopt;
  std::lock_guard lock(mutex);
  std::vector<InstalledLibrary> libraries = librariesOf(target);
  return Packages(system, distributionsOf(input.wheel), libraries)
      .opensItself(siteName.str() + input.places.front(), "", load.missing, load.failure, {},
                   false);
}

/// Adds copies of NVIDIA's libraries to which the search path of a file leads. Other libraries are
/// not examined.
void PackageLoader::addNeighbours(const Input &input, const BinaryFacts &facts) {
  std::string folder = path::parent_path(input.path).str();
  for (llvm::StringRef element : facts.hasRunpath ? facts.runpath : facts.rpath) {
    llvm::StringRef below = element;
    if (!below.consume_front("$ORIGIN") && !below.consume_front("${ORIGIN}"))
      continue;
    for (const std::string &name : facts.needed) {
      if (!tables::libraryByFileName(name) || below.contains("nvidia/"))
        continue;
      std::string real = fmt::format("{}{}/{}", folder.empty() ? "." : folder, below, name);
      if (system.files.stat(real).kind != FileStatus::Kind::Regular)
        continue;
      loader::Candidate beside = disk.open(real, facts.machine);
      if (beside.facts)
        for (llvm::StringRef place : input.places)
          packages[inputs.packageOf(input)].files.try_emplace(
              fmt::format("{}{}/{}", path::parent_path(place), below, name), beside.facts);
    }
  }
}

const loader::WheelTree &PackageLoader::treeOf(const Target &target, size_t package,
                                               uint16_t machine) {
  std::lock_guard lock(mutex);
  std::unique_ptr<loader::WheelTree> &tree = trees[{&target, package, machine}];
  if (!tree) {
    tree = std::make_unique<loader::WheelTree>(target, machine);
    if (package < inputs.wheels.size() && requiresTorch(inputs.wheels[package].metadata))
      tree->alwaysAfterFramework();
    for (const auto &[place, facts] : packages[package].files)
      tree->add(place, *facts);
  }
  return *tree;
}

/// Replaces internal paths: the file's by its own name, the site folder's by `site-packages/`.
static void renamePaths(LoadResult &result, llvm::StringRef name) {
  std::string self = result.steps.empty() ? "" : result.steps.front().path;
  std::string site = fmt::format("{}/", loader::WheelTree::Site);
  auto rename = [&](std::string &path) {
    if (path == self)
      path = name.str();
    else if (llvm::StringRef(path).starts_with(site))
      path.replace(0, site.size(), siteName);
  };
  for (LoadStep &step : result.steps)
    for (std::string *path : {&step.askedBy, &step.path, &step.elementOf})
      rename(*path);
  rename(result.askedBy);
  for (std::string &path : result.searched)
    rename(path);
}

LoadResult PackageLoader::loadFromWheels(const Input &input, const BinaryFacts &facts,
                                         const Target &target) {
  std::vector<std::string> places;
  for (llvm::StringRef place : input.places)
    places.push_back(fmt::format("{}/{}", loader::WheelTree::Site, path::parent_path(place)));
  const loader::WheelTree &tree = treeOf(target, inputs.packageOf(input), facts.machine);
  if (!input.member || input.places.empty()) {
    LoadResult result = tree.load(facts, places);
    renamePaths(result, facts.path);
    return result;
  }
  policy::Preloading preloading;
  {
    std::lock_guard lock(mutex);
    std::vector<InstalledLibrary> libraries = librariesOf(target);
    preloading = Packages(system, distributionsOf(input.wheel), libraries)
                     .preloading(siteName.str() + input.places.front());
  }
  std::vector<std::string> opened = pathsOf(preloading.first);
  LoadResult result = tree.load(facts, places, nullptr, opened);
  if (!result.ok() && !preloading.fallback.empty()) {
    llvm::append_range(opened, pathsOf(preloading.fallback));
    result = tree.load(facts, places, nullptr, opened);
  }
  renamePaths(result, facts.path);
  return result;
}

std::optional<LoadResult> PackageLoader::load(size_t file, const Target &target) {
  const Input &input = inputs.files[file];
  const BinaryFacts &facts = files[file].facts;
  bool loaded = facts.kind == BinaryKind::SharedObject || facts.kind == BinaryKind::Executable;
  if (!loaded || input.places.empty() || !target.asWheels())
    return std::nullopt;
  return loadFromWheels(input, facts, target);
}

} // namespace cudacc::commands
