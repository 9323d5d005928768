#include "driver/tools/InstalledTree.h"
#include "driver/facts/Libraries.h"
#include "driver/facts/Torch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace cudacc::tools {

using namespace core;
using loader::Candidate;

/// Stands in front of the names of driver libraries that are not on this machine.
static constexpr llvm::StringLiteral driverFolder = "/driver/";

bool InstalledTree::has(llvm::StringRef path) const {
  return llvm::any_of(target.sitePackages, [&](llvm::StringRef folder) {
    llvm::StringRef below = path;
    return below.consume_front(folder) && below.starts_with("/");
  });
}

Candidate InstalledTree::open(llvm::StringRef path, uint16_t machine) const {
  if (!path.starts_with(driverFolder))
    return disk.open(path, machine);
  Candidate candidate;
  candidate.kind = Candidate::Kind::Good;
  return candidate;
}

std::optional<std::string> InstalledTree::cached(llvm::StringRef name, uint16_t machine) const {
  if (auto found = disk.cached(name, machine))
    return found;
  auto known = facts::libraryByFileName(name);
  if (known && known->origin == facts::LibraryOrigin::Driver)
    return (driverFolder + name).str();
  return std::nullopt;
}

loader::Situation InstalledTree::importTorch(uint16_t machine) const {
  loader::Situation torch;
  loader::setMachine(torch, machine);
  auto open = [&](llvm::StringRef path) { return this->open(path, machine); };
  auto cache = [&](llvm::StringRef name) { return cached(name, machine); };
  for (const std::string &folder : target.sitePackages)
    for (const char *name : {"libtorch_global_deps.so", "libtorch_python.so"}) {
      std::string path = (folder + "/" + facts::torchFolder + "/" + name).str();
      if (open(path).kind != Candidate::Kind::Good)
        continue;
      LoadResult result = loader::load(path, torch, open, cache);
      // What fails to load is unmapped again, with all it brought.
      if (result.ok())
        torch = loader::after(std::move(torch), result, open);
    }
  return torch;
}

const loader::Situation &InstalledTree::withTorch(uint16_t machine) {
  std::lock_guard lock(mutex);
  auto found = torch.find(machine);
  if (found == torch.end())
    found = torch.emplace(machine, importTorch(machine)).first;
  return found->second;
}

} // namespace cudacc::tools
