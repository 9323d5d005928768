#include "driver/tools/CheckRuntimes.h"
#include "driver/Declared.h"
#include "driver/Environments.h"
#include "driver/policy/Runtimes.h"
#include "driver/probe/Environment.h"
#include "driver/probe/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tools {

using namespace core;

static Setting<std::string> fromOption(std::string text, const char *option) {
  return {std::move(text), {Origin::Kind::Option, option}};
}

static bool beginsWithOperator(llvm::StringRef text) {
  return !text.empty() && llvm::StringRef("<>=!~").contains(text.front());
}

/// `sm_80`, `80,90a`, `>=80` and `sm>=80` as requirements of a declaration.
static std::vector<Setting<std::string>> gpusOf(llvm::ArrayRef<std::string> values) {
  std::vector<Setting<std::string>> out;
  std::string listed;
  for (llvm::StringRef value : values) {
    if (beginsWithOperator(value)) {
      out.push_back(fromOption(("sm" + value).str(), "--gpu"));
    } else if (value.starts_with("sm") && beginsWithOperator(value.drop_front(2).ltrim())) {
      out.push_back(fromOption(value.str(), "--gpu"));
    } else {
      for (llvm::StringRef each : llvm::split(value, ',')) {
        each = each.trim();
        each.consume_front("sm_");
        listed += (listed.empty() ? "sm=" : ",") + each.str();
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
  return (beginsWithOperator(value) ? "driver" : "driver>=") + value.str();
}

static std::vector<Setting<std::string>> parts(llvm::StringRef text, const Origin &origin) {
  std::vector<Setting<std::string>> out;
  for (llvm::StringRef part : llvm::split(text, ';'))
    if (!part.trim().empty())
      out.push_back({part.trim().str(), origin});
  return out;
}

/// An environment without any of NVIDIA's wheels is a place all the same: what is there is loaded
/// there, and nothing is known of a CUDA line. \p error is why the declaration does not resolve.
static llvm::Expected<Target> withoutCuda(World &world, probe::Store &store,
                                          const Declaration &declaration, llvm::Error error) {
  Finding problem = takeFinding(std::move(error));
  llvm::StringRef text =
      declaration.runtime.size() == 1 ? declaration.runtime.front().value : llvm::StringRef();
  bool isPlace = text == "env" || text.starts_with("env:");
  if (problem.code != Code::UnknownRelease || !isPlace)
    return fail(std::move(problem));
  std::string prefix;
  if (text.consume_front("env:")) {
    prefix = probe::absolute(text, world.files);
  } else {
    auto active = probe::activeEnvironment(world.environment, world.files);
    if (!active) {
      llvm::consumeError(active.takeError());
      return fail(std::move(problem));
    }
    prefix = std::move(*active);
  }
  auto read = readEnvironment(world, store, prefix);
  if (!read) {
    llvm::consumeError(read.takeError());
    return fail(std::move(problem));
  }
  Target target;
  target.declaredAs = declaration.runtime;
  target.sitePackages = read->sitePackages;
  target.machine = read->machine;
  return target;
}

static llvm::Expected<Runtime> resolveOne(World &world, probe::Store &store,
                                          const Arguments &arguments, Declaration declaration) {
  Runtime runtime;
  runtime.name = llvm::join(
      llvm::map_range(declaration.runtime, [](const auto &each) { return each.value; }), ";");
  for (Setting<std::string> &gpu : gpusOf(arguments.gpu))
    declaration.runtime.push_back(std::move(gpu));
  if (arguments.driver)
    declaration.runtime.push_back(fromOption(driverRequirement(*arguments.driver), "--driver"));
  auto target = resolveDeclaration(world, store, declaration);
  if (target)
    runtime.target = std::move(*target);
  else if (auto bare = withoutCuda(world, store, declaration, target.takeError()))
    runtime.target = std::move(*bare);
  else
    return bare.takeError();
  // What the loader takes is compared by path: one name per file.
  auto real = [&](std::string &path) {
    if (!path.empty())
      path = world.files.realPath(path).value_or(path);
  };
  for (TargetLibrary &library : runtime.target.libraries)
    real(library.path);
  for (std::string &folder : runtime.target.sitePackages)
    real(folder);
  return runtime;
}

static Runtime resolveOrNot(World &world, probe::Store &store, const Arguments &arguments,
                            const Declaration &declaration, std::string name) {
  auto runtime = resolveOne(world, store, arguments, declaration);
  if (runtime)
    return std::move(*runtime);
  Runtime broken;
  broken.name = std::move(name);
  broken.problem = takeFinding(runtime.takeError());
  return broken;
}

llvm::Expected<std::vector<Runtime>> runtimesOf(World &world, const Arguments &arguments,
                                                const Declaration &declaration) {
  probe::Store store(world.environment, world.files, world.uid);
  std::vector<Runtime> runtimes;
  Declaration one = declaration;
  Origin option{Origin::Kind::Option, "--runtime"};
  for (const std::string &text : arguments.runtime) {
    one.runtime = parts(text, option);
    if (one.runtime.empty())
      return fail(Code::Usage, "--runtime is empty", {}, {"--runtime torch==2.5.1"});
    auto runtime = resolveOne(world, store, arguments, one);
    if (!runtime)
      return runtime.takeError();
    if (llvm::none_of(runtimes, [&](const Runtime &each) { return each.name == runtime->name; }))
      runtimes.push_back(std::move(*runtime));
  }
  if (arguments.againstAll) {
    auto more = readSupplement(world, declaration);
    if (!more)
      return more.takeError();
    for (const std::string &text : policy::knownRuntimes(*more ? &**more : nullptr)) {
      one.runtime = {{text, {Origin::Kind::Option, "--against"}}};
      runtimes.push_back(resolveOrNot(world, store, arguments, one, text));
    }
  }
  if (runtimes.empty() && declaration.declared()) {
    auto runtime = resolveOne(world, store, arguments, declaration);
    if (!runtime)
      return runtime.takeError();
    runtimes.push_back(std::move(*runtime));
  }
  return runtimes;
}

Runtime runtimeOfManifest(World &world, const Arguments &arguments, const Declaration &declaration,
                          llvm::StringRef path, llvm::StringRef spec) {
  probe::Store store(world.environment, world.files, world.uid);
  Declaration one = declaration;
  one.runtime = parts(spec, {Origin::Kind::File, ("the manifest of " + path).str()});
  return resolveOrNot(world, store, arguments, one, spec.str());
}

} // namespace cudacc::tools
