#include "driver/tools/CheckLoad.h"
#include "driver/facts/Libraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace cudacc::tools {

using namespace core;
namespace path = llvm::sys::path;

CheckLoad::CheckLoad(World &world, Disk &disk, const Inputs &inputs, llvm::ArrayRef<ReadFile> files)
    : world(world), disk(disk), inputs(inputs), files(files) {
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

std::optional<size_t> CheckLoad::fileAt(size_t file, llvm::StringRef asked) const {
  llvm::SmallString<256> plain(asked);
  path::remove_dots(plain, true);
  llvm::StringRef below = plain;
  if (!below.consume_front("site-packages/"))
    return std::nullopt;
  const Package &package = packages[inputs.packageOf(inputs.files[file])];
  auto found = package.indices.find(below);
  return found == package.indices.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> CheckLoad::placeOf(size_t file, llvm::StringRef name) const {
  for (const auto &[place, index] : packages[inputs.packageOf(inputs.files[file])].indices)
    if (path::filename(place) == name)
      return "site-packages/" + place;
  return std::nullopt;
}

Files &CheckLoad::filesOf(size_t file) {
  std::lock_guard lock(mutex);
  size_t package = inputs.packageOf(inputs.files[file]);
  std::unique_ptr<MountedFiles> &slot = mounted[package];
  if (!slot) {
    slot = std::make_unique<MountedFiles>(world.files);
    for (const auto &[place, index] : packages[package].indices) {
      FileId id;
      id.inode = index + 1;
      slot->mount("site-packages/" + place, id, [this, index = index] {
        return tools::open(world, inputs, inputs.files[index]);
      });
    }
  }
  return *slot;
}

/// A copy of NVIDIA's that lies where the search path of a file leads goes along with it. Other
/// libraries are taken as given.
void CheckLoad::addNeighbours(const Input &input, const BinaryFacts &facts) {
  std::string folder = path::parent_path(input.path).str();
  for (llvm::StringRef element : facts.hasRunpath ? facts.runpath : facts.rpath) {
    llvm::StringRef below = element;
    if (!below.consume_front("$ORIGIN") && !below.consume_front("${ORIGIN}"))
      continue;
    for (const std::string &name : facts.needed) {
      if (!facts::libraryByFileName(name) || below.contains("nvidia/"))
        continue;
      std::string real = (folder.empty() ? "." : folder) + below.str() + "/" + name;
      if (world.files.stat(real).kind != FileStatus::Kind::Regular)
        continue;
      loader::Candidate beside = disk.open(real, facts.machine);
      if (beside.facts)
        for (llvm::StringRef place : input.places)
          packages[inputs.packageOf(input)].files.try_emplace(
              (path::parent_path(place) + below + "/" + name).str(), beside.facts);
    }
  }
}

const loader::WheelTree &CheckLoad::treeOf(const Target &target, size_t package, uint16_t machine) {
  std::lock_guard lock(mutex);
  std::unique_ptr<loader::WheelTree> &tree = trees[{&target, package, machine}];
  if (!tree) {
    tree = std::make_unique<loader::WheelTree>(target, machine);
    if (package < inputs.wheels.size() && inputs.wheels[package].requiresTorch)
      tree->alwaysAfterFramework();
    for (const auto &[place, facts] : packages[package].files)
      tree->add(place, *facts);
  }
  return *tree;
}

/// The reader knows the file by its own name, and site-packages by that word.
static void tidy(LoadResult &result, llvm::StringRef name) {
  std::string self = result.steps.empty() ? "" : result.steps.front().path;
  std::string site = loader::WheelTree::Site.str() + "/";
  auto rename = [&](std::string &path) {
    if (path == self)
      path = name.str();
    else if (llvm::StringRef(path).starts_with(site))
      path.replace(0, site.size(), "site-packages/");
  };
  for (LoadStep &step : result.steps)
    for (std::string *path : {&step.askedBy, &step.path, &step.elementOf})
      rename(*path);
  rename(result.askedBy);
  for (std::string &path : result.searched)
    rename(path);
}

LoadResult CheckLoad::loadFromWheels(const Input &input, const BinaryFacts &facts,
                                     const Target &target) {
  std::vector<std::string> places;
  for (llvm::StringRef place : input.places)
    places.push_back((loader::WheelTree::Site + "/" + path::parent_path(place)).str());
  LoadResult result = treeOf(target, inputs.packageOf(input), facts.machine).load(facts, places);
  tidy(result, facts.path);
  return result;
}

std::optional<LoadResult> CheckLoad::load(size_t file, const Target &target) {
  const Input &input = inputs.files[file];
  const BinaryFacts &facts = files[file].facts;
  bool loaded = facts.kind == BinaryKind::SharedObject || facts.kind == BinaryKind::Executable;
  if (!loaded || input.places.empty() || !target.asWheels || !target.sitePackages.empty())
    return std::nullopt;
  return loadFromWheels(input, facts, target);
}

} // namespace cudacc::tools
