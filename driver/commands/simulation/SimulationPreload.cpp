// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Simulation.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Paths.h"

namespace cudacc::commands {

using namespace core;
using support::nameOf;

/// Limit on the files of a package that NEED one of its libraries, directly or indirectly.
static constexpr size_t mostSiblings = 256;

const policy::Preloading &Simulation::preloading(llvm::StringRef path) {
  if (added.empty())
    return simulator.packages.preloading(path);
  auto it = preloadings.find(path);
  if (it == preloadings.end())
    it = preloadings.emplace(path.str(), simulator.packages.preloadingWith(path, added)).first;
  return it->second;
}

/// A file that cannot be opened is no error yet: the file itself may not need it.
void Simulation::openFirst(Process &process, llvm::ArrayRef<policy::Preloaded> files) {
  for (const policy::Preloaded &each : files) {
    Process::Outcome result = openOne(process, {each.path, each.isGlobal, each.package});
    if (!result.ok())
      notPreloaded.insert_or_assign(nameOf(each.path).str(), std::move(result));
  }
}

/// The failure of a library that a package opened first, if that is why the file fails: the process
/// ended, or the file lacks a library of which the environment's copy is damaged.
const process::Process::Outcome *
Simulation::failureBefore(const Process::Outcome &result,
                          llvm::ArrayRef<policy::Preloaded> first) const {
  for (const policy::Preloaded &each : first)
    if (auto it = notPreloaded.find(nameOf(each.path).str());
        it != notPreloaded.end() && it->second.load.endsProcess)
      return &it->second;
  auto it = result.ok() ? notPreloaded.end() : notPreloaded.find(result.load.missing);
  return it != notPreloaded.end() && policy::fileFailure(it->second.load) ? &it->second : nullptr;
}

/// Opens the file after the files that its package opens first.
process::Process::Outcome Simulation::openAsPackage(Process &process, const PreloadedFile &file) {
  const policy::Preloading &preloading = this->preloading(file.path);
  openFirst(process, preloading.first);
  Process::Outcome result = openOne(process, file);
  if (!result.ok() && !preloading.fallback.empty()) {
    openFirst(process, preloading.fallback);
    result = openOne(process, file);
  }
  if (const Process::Outcome *before = failureBefore(result, preloading.first))
    return *before;
  return result;
}

/// Opens what the package's code opens when it is used.
void Simulation::use(Process &now) {
  for (const policy::UsedLibrary &each : preloading(subject.path).used)
    if (llvm::none_of(each.names, [&](const std::string &name) {
          return openOne(now, {name, false, each.package}).ok();
        }))
      outcome.load.notOpened.push_back({each.library, each.package, each.raises});
}

/// A library that only files of its own package NEED is loaded with these: numpy's OpenBLAS finds
/// its Fortran library by the search path of numpy's modules. Returns whether that succeeds.
bool Simulation::openBySiblings(Process &process) {
  auto namesOf = [](llvm::StringRef path, const BinaryFacts *facts) {
    std::vector<std::string> names{nameOf(path).str()};
    if (facts && !facts->soname.empty())
      names.push_back(facts->soname);
    return names;
  };
  std::vector<std::string> wanted = namesOf(subject.path, &subject.facts);
  std::vector<std::string> siblings = simulator.packages.siblings(subject.path), leading;
  // Collect files that NEED it, directly or indirectly.
  for (bool isNew = true; isNew && leading.size() < mostSiblings;) {
    isNew = false;
    for (const std::string &path : siblings) {
      if (llvm::is_contained(leading, path))
        continue;
      const BinaryFacts *other = simulator.disk.open(path, subject.facts.machine).facts;
      if (!other || llvm::none_of(other->needed, [&](const std::string &name) {
            return llvm::is_contained(wanted, name);
          }))
        continue;
      llvm::append_range(wanted, namesOf(path, other));
      leading.push_back(path);
      isNew = true;
    }
  }
  for (const std::string &path : siblings) {
    if (!llvm::is_contained(leading, path) ||
        !openAsPackage(process, {path, false, nameOf(path).str()}).ok())
      continue;
    Process::Outcome now = openOne(process, {subject.path, false, ""});
    if (!now.ok())
      continue;
    outcome = std::move(now);
    return true;
  }
  return false;
}

/// A library that the package opens itself is no reason to reject, since only running its code
/// shows whether it is found. But if it is known what that code opens, it is known why it fails.
void Simulation::addOpener(const Process &now, std::vector<Finding> &findings) {
  std::string library = outcome.load.missing, words = outcome.load.failure;
  // The library may also have been found, if the environment has another copy which that code may
  // open, and it is not known when.
  if (library.empty() && outcome.binding) {
    library = policy::blamed(process);
    words = outcome.binding->words;
    const TargetLibrary *taken = target.find(library);
    std::string other = simulator.packages.placeOf(library);
    const policy::Preloading &preloading = this->preloading(subject.path);
    if (other.empty() || !taken || tree.real(taken->path) == tree.real(other) ||
        preloading.isKnown(library))
      return;
  }
  auto isAboutIt = [&](const Finding &each) { return policy::isForWantOf(each, library); };
  if (library.empty() || facts.kind == BinaryKind::Executable || llvm::none_of(findings, isAboutIt))
    return;
  if (auto it = notPreloaded.find(library); it != notPreloaded.end()) {
    const Process::Outcome &failed = it->second;
    std::string because = failed.binding ? failed.binding->words : failed.load.failure;
    for (Finding &each : findings)
      if (isAboutIt(each) && because != words)
        each.addFact("opened first", because);
    return;
  }
  // Whether a file without a search path finds a library of that name.
  bool byName = outcome.load.missing.empty() || now.find(library, "").ok();
  std::vector<std::string> lacks;
  for (const std::string &name : facts.needed)
    if (!outcome.load.missing.empty() && !now.find(name, subject.path).ok())
      lacks.push_back(name);
  auto finding = simulator.packages.opensItself(subject.path, subject.isMember ? "" : subject.name,
                                                library, words, lacks, byName);
  if (!finding)
    return;
  llvm::erase_if(findings, isAboutIt);
  findings.insert(findings.begin(), std::move(*finding));
}

} // namespace cudacc::commands
