// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Declared.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/pipeline/Environments.h"
#include "driver/policy/advice/Installer.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/coherence/GuardEnvironment.h"
#include "driver/probe/lock/Lock.h"
#include "driver/probe/python/Pip.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Fields.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace cudacc::pipeline {

using namespace core;
using namespace support;
using namespace versions;

namespace {

/// One resolution, and the files by which a later change of its inputs is noticed.
class Resolving {
public:
  Resolving(System &system, cache::Store &store, const Declaration &declaration,
            const Machine &machine);
  llvm::Expected<Target> target();

private:
  FileId identify(const std::string &path);
  llvm::Expected<std::string> placeOf(const resolve::DeclaredRequirement &requirement);
  std::string absolute(llvm::StringRef path);
  llvm::Expected<PythonEnvironment> readEnvironment(llvm::StringRef path);
  llvm::Expected<LockReading> readLock(llvm::StringRef path);
  llvm::Expected<Target> resolve();
  llvm::Error explained(llvm::Error error, const std::optional<PythonEnvironment> &installed) const;
  std::string question(llvm::StringRef place) const;

  System &system;
  cache::Store &store;
  const Machine &machine;
  /// Only the parts of the declaration that `question` covers, as a kept target depends on nothing
  /// else.
  Declaration asked;
  std::string file;
  probe::FactsSearch facts;
  std::vector<FileId> inputs;
};

} // namespace

Resolving::Resolving(System &system, cache::Store &store, const Declaration &declaration,
                     const Machine &machine)
    : system(system), store(store), machine(machine), file(declaration.file) {
  asked.runtime = declaration.runtime;
  asked.facts = declaration.facts;
}

FileId Resolving::identify(const std::string &path) {
  FileId id = system.files.stat(path).id;
  id.path = path;
  return id;
}

static std::string absolutePath(System &system, llvm::StringRef path) {
  std::string expanded = support::expandHome(path, system.environment.getOr("HOME"));
  return support::normalizePath(support::absolute(expanded, system.files), system.files);
}

std::string Resolving::absolute(llvm::StringRef path) { return absolutePath(system, path); }

llvm::Expected<std::string> environmentPrefix(System &system, llvm::StringRef path) {
  if (!path.empty())
    return absolutePath(system, path);
  auto active = config::activeEnvironment(system.environment, system.files);
  if (!active)
    return active.takeError();
  return absolutePath(system, *active);
}

llvm::Expected<PythonEnvironment> Resolving::readEnvironment(llvm::StringRef path) {
  auto prefix = environmentPrefix(system, path);
  if (!prefix)
    return prefix.takeError();
  auto environment = pipeline::readEnvironment(system, store, *prefix);
  if (environment)
    inputs.insert(inputs.end(), environment->inputs.begin(), environment->inputs.end());
  return environment;
}

llvm::Expected<LockReading> Resolving::readLock(llvm::StringRef path) {
  auto lock = probe::readLock(absolute(path), MarkerEnvironment::linux(machine.name), system.files);
  if (lock)
    inputs.insert(inputs.end(), lock->inputs.begin(), lock->inputs.end());
  return lock;
}

llvm::Expected<Target> Resolving::resolve() {
  auto more = readUserTables(system, asked.facts, facts);
  if (!more)
    return more.takeError();
  const tables::UserTables *rows = *more ? &**more : nullptr;
  std::optional<PythonEnvironment> installed;
  auto target = resolve::resolve(
      asked,
      [&](llvm::StringRef path) {
        auto environment = readEnvironment(path);
        if (environment)
          installed = *environment;
        return environment;
      },
      [&](llvm::StringRef path) { return readLock(path); }, rows);
  // An environment without CUDA adds nothing to the target.
  if (target && installed && !target->sitePackages.empty())
    llvm::append_range(target->problems, policy::judgeEnvironment(*installed, *target, rows));
  if (!target)
    return explained(target.takeError(), installed);
  llvm::append_range(target->problems, facts.refused);
  target->dataRelease =
      facts.package ? facts.package->release.release : tables::dataRelease().str();
  target->factsPackage = facts.package ? facts.package->path : "";
  return target;
}

/// With the packages that might have known the release, and commands for the environment.
llvm::Error Resolving::explained(llvm::Error error,
                                 const std::optional<PythonEnvironment> &installed) const {
  Finding finding = toFinding(std::move(error));
  if (installed && policy::namesInstaller(finding))
    policy::nameInstaller(
        probe::pipInstall(installed->prefix, installed->sitePackages, system.files), finding);
  if (finding.code == Code::UnknownRelease)
    for (const Finding &each : facts.refused)
      finding.addFact("see also", fmt::format("{} in {}", each.message, each.facts.front().text));
  return makeError(std::move(finding));
}

llvm::Expected<std::string> Resolving::placeOf(const resolve::DeclaredRequirement &requirement) {
  if (requirement.kind == resolve::RequirementKind::Lock)
    return absolute(requirement.path);
  return environmentPrefix(system, requirement.path);
}

/// Digest of everything the target depends on, except files. It includes where each requirement was
/// written, because findings name that.
std::string Resolving::question(llvm::StringRef place) const {
  FieldWriter out;
  out.line({place});
  for (const Setting<std::string> &each : asked.runtime)
    out.line({each.value, std::to_string(int(each.origin.kind)), each.origin.name,
              std::to_string(each.origin.line)});
  out.line({"facts", asked.facts.value, machine.name});
  if (facts.package)
    out.line({"package", facts.package->path, facts.package->release.release});
  for (const Finding &each : facts.refused)
    out.line({"refused", each.message, each.facts.front().text});
  std::string text = out.take();
  auto bytes = llvm::arrayRefFromStringRef(text);
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytes);
  return llvm::utohexstr(hash.high64) + llvm::utohexstr(hash.low64);
}

llvm::Expected<Target> Resolving::target() {
  if (llvm::Error error = findFacts(system, asked.facts).moveInto(facts))
    return error;
  std::string place;
  for (const Setting<std::string> &setting : asked.runtime) {
    auto requirement = resolve::parseRequirement(setting);
    if (!requirement)
      return requirement.takeError();
    if (!requirement->isPlace())
      continue;
    auto named = placeOf(*requirement);
    if (!named) {
      // resolve() reports that the place is wrong.
      llvm::consumeError(named.takeError());
      return resolve();
    }
    place = std::move(*named);
    break;
  }
  // Tables alone decide faster than a kept target is read, unless a package has to be parsed.
  if (place.empty() && !facts.package)
    return resolve();
  if (place.empty())
    place = facts.package->path;
  // Several projects may share an environment, several directories a project, and several cuda-cc
  // programs a directory.
  std::string key = place + '\n' + file + '\n' + system.self + '\n' + machine.name.str();
  for (const Setting<std::string> &setting : asked.runtime)
    key += '\n' + setting.value + '\n' + setting.origin.name;
  return store.target(key, question(place), [&]() -> llvm::Expected<cache::KeptTarget> {
    inputs.push_back(identify(system.self));
    if (!asked.facts.value.empty())
      inputs.push_back(identify(absolute(asked.facts.value)));
    if (facts.package)
      for (const std::string &each : {facts.package->releaseFile(), facts.package->tablesFile()})
        inputs.push_back(identify(each));
    auto target = resolve();
    if (!target)
      return target.takeError();
    return cache::KeptTarget{{}, std::move(*target), std::move(inputs)};
  });
}

llvm::Expected<Target> resolveDeclaration(System &system, cache::Store &store,
                                          const Declaration &declaration, const Machine &machine) {
  auto target = Resolving(system, store, declaration, machine).target();
  if (!target)
    return target;
  target->declared = declaration.declared();
  target->declaredAs = declaration.runtime;
  target->enforce = declaration.enforce.value;
  if (declaration.layout.origin)
    target->layout = declaration.layout;
  target->waivers = policy::recordedOverrides(declaration);
  return target;
}

} // namespace cudacc::pipeline
