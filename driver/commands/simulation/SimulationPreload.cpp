// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Simulation.h"
#include "driver/support/Paths.h"

namespace cudacc::commands {

using namespace core;
using support::nameOf;

/// Files of a package that may lead to one of them.
static constexpr size_t mostSiblings = 256;

/// What cannot be opened is for the file itself to miss.
void Simulation::openFirst(Process &process, llvm::ArrayRef<policy::Preloaded> files) {
  for (const policy::Preloaded &each : files) {
    Process::Outcome result = openOne(process, {each.path, each.isGlobal, each.package});
    if (!result.ok())
      notPreloaded[nameOf(each.path).str()] =
          result.binding ? result.binding->words : result.load.failure;
  }
}

/// Opened after what its package opens before it.
Process::Outcome Simulation::openAsPackage(Process &process, const Opened &file) {
  const policy::Preloading &preloading = simulator.packages.preloading(file.path);
  openFirst(process, preloading.first);
  Process::Outcome result = openOne(process, file);
  if (!result.ok() && !preloading.fallback.empty()) {
    openFirst(process, preloading.fallback);
    result = openOne(process, file);
  }
  return result;
}

/// A library that only files of its own package NEED comes into a process with these: numpy's
/// OpenBLAS finds its Fortran library by the search path of numpy's modules.
bool Simulation::openBySiblings(Process &process) {
  auto namesOf = [](llvm::StringRef path, const BinaryFacts *facts) {
    std::vector<std::string> names{nameOf(path).str()};
    if (facts && !facts->soname.empty())
      names.push_back(facts->soname);
    return names;
  };
  std::vector<std::string> wanted = namesOf(subject.path, &subject.facts);
  std::vector<std::string> siblings = simulator.packages.siblings(subject.path), leading;
  // Those that NEED it, those that NEED these, and so on.
  for (bool isNew = true; isNew && leading.size() < mostSiblings;) {
    isNew = false;
    for (const std::string &path : siblings) {
      if (llvm::is_contained(leading, path))
        continue;
      const BinaryFacts *other = simulator.fileCache.disk.open(path, subject.facts.machine).facts;
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

/// What the package opens by itself is no reason to reject: only running its code shows why. But
/// where it is known what that code opens, so is why it fails.
void Simulation::addOpener(const Process &now, std::vector<Finding> &findings) {
  std::string library = outcome.load.missing, words = outcome.load.failure;
  // Of a library that was found, too, where the environment has another copy for that code to open,
  // and it is not known when it opens that.
  if (library.empty() && outcome.binding) {
    library = policy::blamed(process);
    words = outcome.binding->words;
    const TargetLibrary *taken = target.find(library);
    std::string other = simulator.packages.placeOf(library);
    const policy::Preloading &preloading = simulator.packages.preloading(subject.path);
    if (other.empty() || !taken || real(taken->path) == real(other) || preloading.isKnown(library))
      return;
  }
  auto isAboutIt = [&](const Finding &each) { return policy::isForWantOf(each, library); };
  if (library.empty() || facts.kind == BinaryKind::Executable || llvm::none_of(findings, isAboutIt))
    return;
  if (auto it = notPreloaded.find(library); it != notPreloaded.end()) {
    for (Finding &each : findings)
      if (isAboutIt(each))
        each.facts.push_back({"opened first", it->second});
    return;
  }
  // Where that name leads a file without a search path.
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
