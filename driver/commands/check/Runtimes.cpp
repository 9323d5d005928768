// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/Runtimes.h"
#include "driver/commands/check/Against.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Environments.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;

static Setting<std::string> fromOption(std::string text, const char *option) {
  return {std::move(text), {Origin::Kind::Option, option}};
}

static bool beginsWithOperator(llvm::StringRef text) {
  return !text.empty() && llvm::StringRef("<>=!~").contains(text.front());
}

/// Turns `sm_80`, `80,90a`, `>=80` and `sm>=80` into requirements of a declaration.
static std::vector<Setting<std::string>> gpusOf(llvm::ArrayRef<std::string> values) {
  std::vector<Setting<std::string>> out;
  std::string listed;
  for (llvm::StringRef value : values) {
    if (beginsWithOperator(value)) {
      out.push_back(fromOption(fmt::format("sm{}", value), "--gpu"));
    } else if (value.starts_with("sm") && beginsWithOperator(value.drop_front(2).ltrim())) {
      out.push_back(fromOption(value.str(), "--gpu"));
    } else {
      for (llvm::StringRef each : llvm::split(value, ',')) {
        each = each.trim();
        each.consume_front("sm_");
        listed += fmt::format("{}{}", listed.empty() ? "sm=" : ",", each);
      }
    }
  }
  if (!listed.empty())
    out.push_back(fromOption(std::move(listed), "--gpu"));
  return out;
}

static std::string driverRequirement(llvm::StringRef value) {
  if (value.starts_with("driver"))
    return value.str();
  return fmt::format("{}{}", beginsWithOperator(value) ? "driver" : "driver>=", value);
}

static llvm::Error findEnvironment(pipeline::System &system, const Declaration &declaration,
                                   Runtime &runtime) {
  for (const Setting<std::string> &setting : declaration.runtime) {
    auto requirement = resolve::parseRequirement(setting);
    if (!requirement)
      return requirement.takeError();
    if (requirement->kind != resolve::RequirementKind::Environment)
      continue;
    if (llvm::Error error =
            pipeline::environmentPrefix(system, requirement->path).moveInto(runtime.environment))
      return error;
  }
  return llvm::Error::success();
}

/// Whether the environment alone determines the runtime. Other requirements would have to be met.
static bool isDeclaredAlone(const Declaration &declaration) {
  return llvm::count_if(declaration.runtime, [](const Setting<std::string> &setting) {
           auto requirement = llvm::expectedToOptional(resolve::parseRequirement(setting));
           return !requirement || requirement->isRuntime();
         }) == 1;
}

/// Target of an environment whose CUDA line is not known, for the reason \p error: it is damaged or
/// has no CUDA. Only the loader's rules apply to it. Errors: \p error, if the environment cannot be
/// read, or more is declared than the environment.
static llvm::Expected<Target> targetByLoader(pipeline::System &system, cache::Store &store,
                                             const Declaration &declaration, const Runtime &runtime,
                                             llvm::Error error) {
  auto environment = pipeline::readEnvironment(system, store, runtime.environment);
  if (!environment || environment->sitePackages.empty() || !isDeclaredAlone(declaration)) {
    if (!environment)
      llvm::consumeError(environment.takeError());
    return error;
  }
  Target target;
  target.sitePackages = environment->sitePackages;
  target.problems = environment->problems;
  target.problems.push_back(toFinding(std::move(error)));
  target.machine = environment->machine;
  if (environment->torch)
    target.torch = environment->torch->version;
  target.declaredAs = declaration.runtime;
  target.enforce = declaration.enforce.value;
  target.layout = declaration.layout;
  return target;
}

static llvm::Expected<Runtime> resolveOne(pipeline::System &system, cache::Store &store,
                                          const JudgeArguments &arguments,
                                          Declaration declaration) {
  Runtime runtime;
  runtime.name = runtimeName(declaration);
  for (Setting<std::string> &gpu : gpusOf(arguments.gpu))
    declaration.runtime.push_back(std::move(gpu));
  if (arguments.driver)
    declaration.runtime.push_back(fromOption(driverRequirement(*arguments.driver), "--driver"));
  if (llvm::Error error = findEnvironment(system, declaration, runtime))
    return error;
  auto target = pipeline::resolveDeclaration(system, store, declaration);
  if (!target && !runtime.environment.empty())
    target = targetByLoader(system, store, declaration, runtime, target.takeError());
  if (!target)
    return target.takeError();
  runtime.target = std::move(*target);
  // Paths are compared with those that the loader takes, so each file needs one name.
  auto real = [&](std::string &path) {
    if (!path.empty())
      path = system.files.realPath(path).value_or(path);
  };
  for (TargetLibrary &library : runtime.target.libraries) {
    std::string installed = library.path;
    real(library.path);
    runtime.places[library.path] = std::move(installed);
  }
  for (std::string &folder : runtime.target.sitePackages)
    real(folder);
  return runtime;
}

/// If the declaration cannot be resolved, the runtime has a `problem`.
static Runtime resolveOrNot(pipeline::System &system, cache::Store &store,
                            const JudgeArguments &arguments, const Declaration &declaration,
                            std::string name) {
  auto runtime = resolveOne(system, store, arguments, declaration);
  if (runtime)
    return std::move(*runtime);
  Runtime broken;
  broken.name = std::move(name);
  broken.problem = toFinding(runtime.takeError());
  return broken;
}

/// Adds the rows of `--against` that \p runtimes does not have.
static llvm::Error addAgainst(pipeline::System &system, cache::Store &store,
                              const JudgeArguments &arguments, Declaration declaration,
                              std::vector<Runtime> &runtimes) {
  auto more = pipeline::readUserTables(system, declaration);
  if (!more)
    return more.takeError();
  auto rows = rowsAgainst(arguments, *more ? &**more : nullptr);
  if (!rows)
    return rows.takeError();
  size_t begun = 0;
  for (const AgainstRow &row : *rows) {
    if (system.progress)
      system.progress->begin("resolving", ++begun, rows->size(), row.text);
    declaration.runtime = requirementsIn(row.text, {Origin::Kind::Option, "--against"});
    if (llvm::any_of(runtimes, [&](const Runtime &each) { return each.name == row.text; }))
      continue;
    Runtime runtime = resolveOrNot(system, store, arguments, declaration, row.text);
    // A release that the user named must be resolvable; one of a range gets a row that says why
    // not.
    if (row.named && runtime.problem)
      return makeError(std::move(*runtime.problem));
    runtimes.push_back(std::move(runtime));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Runtime>> runtimesOf(pipeline::System &system,
                                                const JudgeArguments &arguments,
                                                const Declaration &declaration) {
  cache::Store store(system.environment, system.files, system.uid);
  std::vector<Runtime> runtimes;
  Declaration one = declaration;
  Origin option{Origin::Kind::Option, "--runtime"};
  for (const std::string &text : arguments.runtime) {
    one.runtime = requirementsIn(text, option);
    if (one.runtime.empty())
      return makeError(Code::Usage, "--runtime is empty", {}, {"--runtime torch==2.5.1"});
    auto runtime = resolveOne(system, store, arguments, one);
    if (!runtime)
      return runtime.takeError();
    if (llvm::none_of(runtimes, [&](const Runtime &each) { return each.name == runtime->name; }))
      runtimes.push_back(std::move(*runtime));
  }
  if (!arguments.against.empty())
    if (llvm::Error error = addAgainst(system, store, arguments, declaration, runtimes))
      return error;
  if (runtimes.empty() && declaration.declared()) {
    auto runtime = resolveOne(system, store, arguments, declaration);
    if (!runtime)
      return runtime.takeError();
    runtimes.push_back(std::move(*runtime));
  }
  return runtimes;
}

std::string versionIn(llvm::ArrayRef<Runtime> runtimes, llvm::StringRef name,
                      llvm::StringRef soname) {
  for (const Runtime &each : runtimes)
    if (each.name == name)
      if (const TargetLibrary *library = each.target.find(soname))
        return library->version.release.empty() ? "" : library->version.str();
  return {};
}

void addRuntimesOfManifest(std::vector<Runtime> &runtimes, pipeline::System &system,
                           const JudgeArguments &arguments, const Declaration &declaration,
                           llvm::StringRef path, const BinaryFacts &file) {
  Declaration one = declaration;
  for (const LinkRecord &link : file.manifest.links) {
    const std::string &spec = link.targetSpec;
    if (spec.empty() ||
        llvm::any_of(runtimes, [&](const Runtime &each) { return each.name == spec; }))
      continue;
    cache::Store store(system.environment, system.files, system.uid);
    one.runtime =
        requirementsIn(spec, {Origin::Kind::File, fmt::format("the manifest of {}", path)});
    runtimes.push_back(resolveOrNot(system, store, arguments, one, spec));
  }
}

} // namespace cudacc::commands
