#include "driver/tools/InstalledLoad.h"
#include "driver/core/Machine.h"
#include "driver/facts/Libraries.h"
#include "driver/facts/Torch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace cudacc::tools {

using namespace core;
using loader::Candidate;
namespace path = llvm::sys::path;

namespace {

/// One file at one path.
class Simulation {
public:
  Simulation(World &world, Disk &disk, InstalledTree &tree, const Package &package,
             const Input &input, const BinaryFacts &facts)
      : world(world), disk(disk), tree(tree), package(package), input(input), facts(facts) {}

  LoadResult at(std::string path, std::string mount);

private:
  static constexpr unsigned mostStrangers = 256;

  World &world;
  Disk &disk;
  InstalledTree &tree;
  const Package &package;
  const Input &input;
  const BinaryFacts &facts;
  /// Path of the file.
  std::string self;
  /// What stands for `input.root`; empty: the file lies where it is.
  std::string mount;

  std::string spelled(llvm::StringRef path) const;
  Candidate open(llvm::StringRef asked) const;
  loader::Situation situation() const;
  LoadResult once(const loader::Situation &situation) const;
  void tidy(LoadResult &result) const;
};

} // namespace

static Candidate good(const BinaryFacts &facts) {
  Candidate candidate;
  candidate.kind = Candidate::Kind::Good;
  candidate.facts = &facts;
  return candidate;
}

/// The folder of a file that is not installed yet is not there to be left through `..`.
std::string Simulation::spelled(llvm::StringRef path) const {
  llvm::StringRef folder = path::parent_path(self);
  if (mount.empty() || !path.starts_with((folder + "/").str()))
    return path.str();
  llvm::SmallString<256> plain(path);
  path::remove_dots(plain, true);
  return plain.str().str();
}

Candidate Simulation::open(llvm::StringRef asked) const {
  std::string path = spelled(asked);
  if (path == self) {
    Candidate itself = good(facts);
    itself.device = input.device;
    itself.inode = input.inode;
    return itself;
  }
  llvm::StringRef below = path;
  bool inside = !mount.empty() && below.consume_front(tree.site()) && below.consume_front("/");
  if (inside)
    if (auto found = package.files.find(below); found != package.files.end())
      return good(*found->second);
  Candidate candidate = tree.open(path, facts.machine);
  llvm::StringRef beside = path;
  bool mounted = candidate.kind == Candidate::Kind::Absent && !mount.empty() &&
                 !input.root.empty() && beside.consume_front(mount) && beside.consume_front("/");
  return mounted ? disk.open((input.root + "/" + beside).str(), facts.machine) : candidate;
}

loader::Situation Simulation::situation() const {
  loader::Situation process;
  if (llvm::any_of(facts.needed, facts::isTorchLibrary))
    process = tree.withTorch(facts.machine);
  else
    loader::setMachine(process, facts.machine);
  if (facts.kind == BinaryKind::Executable) {
    process.program = &facts;
    process.programPath = self;
  }
  return process;
}

LoadResult Simulation::once(const loader::Situation &process) const {
  auto find = [&](llvm::StringRef path) { return open(path); };
  auto cache = [&](llvm::StringRef name) { return tree.cached(name, facts.machine); };
  return facts.kind == BinaryKind::Executable ? loader::start(process, find, cache)
                                              : loader::load(self, process, find, cache);
}

/// `x/lib/../../nvidia/y/lib/z` is to be compared with where the runtime has it; the reader knows
/// the file by its own name.
void Simulation::tidy(LoadResult &result) const {
  for (LoadStep &step : result.steps) {
    const TargetLibrary *library = tree.find(step.name);
    if (library && library->path != step.path)
      step.path = world.files.realPath(spelled(step.path)).value_or(step.path);
    for (std::string *path : {&step.askedBy, &step.path, &step.elementOf})
      if (*path == self)
        *path = facts.path;
  }
  if (result.askedBy == self)
    result.askedBy = facts.path;
}

/// Missing strangers are taken as found, so that what comes behind them is seen.
LoadResult Simulation::at(std::string path, std::string where) {
  self = std::move(path);
  mount = std::move(where);
  loader::Situation process = situation();
  std::optional<LoadResult> first;
  for (unsigned i = 0; i != mostStrangers; ++i) {
    LoadResult result = once(process);
    auto known = facts::libraryByFileName(result.missing);
    bool stranger = !result.ok() && !result.missing.empty() &&
                    (!known || known->origin == facts::LibraryOrigin::Driver);
    if (!stranger) {
      // What this machine lacks says nothing about another.
      if (result.ok() && first && facts.machine == ownMachine().elf)
        break;
      tidy(result);
      return result;
    }
    std::string name = result.missing;
    if (!first)
      first = std::move(result);
    process.present.push_back({"/missing/" + name, nullptr, 0, 0, {name}, std::nullopt});
  }
  tidy(*first);
  return std::move(*first);
}

LoadResult loadInstalled(World &world, Disk &disk, InstalledTree &tree, const Package &package,
                         const Input &input, const BinaryFacts &facts) {
  Simulation simulation(world, disk, tree, package, input, facts);
  std::optional<std::string> real;
  if (!input.member)
    real = world.files.realPath(input.path);
  if (real && (tree.has(*real) || facts.kind == BinaryKind::Executable))
    return simulation.at(*real, "");
  std::optional<LoadResult> first;
  std::string site = tree.site().str() + "/";
  for (size_t i = 0; i != input.places.size(); ++i) {
    std::string mount = site;
    if (i < input.rootPlaces.size())
      mount += input.rootPlaces[i];
    LoadResult result =
        simulation.at(site + input.places[i], llvm::StringRef(mount).rtrim('/').str());
    if (result.ok())
      return result;
    if (!first)
      first = std::move(result);
  }
  if (real)
    if (LoadResult result = simulation.at(*real, ""); result.ok())
      return result;
  return std::move(*first);
}

} // namespace cudacc::tools
