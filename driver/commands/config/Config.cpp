// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/config/RuntimeFlags.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/RuntimeFiles.h"
#include "driver/plan/command/Coupled.h"
#include "driver/plan/command/RuntimePath.h"
#include "driver/report/json/Json.h"

namespace cudacc::commands {

using namespace core;

namespace {

struct ConfigArguments : Arguments {
  /// What to print.
  bool cflags = false, libs = false, rpath = false, cmake = false;
};

} // namespace

namespace {

/// A library named on the command line.
struct Wanted {
  tables::KnownLibrary known;
  /// Null for archives and the driver's libraries.
  const TargetLibrary *row = nullptr;
};

class Config {
public:
  Config(pipeline::System &system, const Declaration &declaration, const Target &target,
         cache::Store &store, const ToolchainDirectory *directory)
      : declaration(declaration), target(target),
        runtime(system, store, declaration, target, directory) {}

  llvm::Error want(llvm::StringRef name);
  llvm::Error findHeaders();
  llvm::Error findLibraries();
  void findSearchPath();
  RuntimeFlags take();

private:
  const Declaration &declaration;
  const Target &target;
  pipeline::RuntimeFiles runtime;
  std::vector<Wanted> wanted;
  RuntimeFlags flags;

  llvm::Error notThere(const tables::KnownLibrary &known) const;
  void include(const std::string &folder);
};

} // namespace

static llvm::Error unknownName(llvm::StringRef name) {
  std::vector<llvm::StringRef> names = tables::linkNames();
  llvm::StringRef near = nearest(name, names);
  // Case counts after -l, and is the most common mistake.
  for (llvm::StringRef each : names)
    if (each.equals_insensitive(name))
      near = each;
  return makeError(Code::Usage, fmt::format("'{}' is not a library of CUDA", name), {},
                   {near.empty() ? "names as after -l: cudart, cublas, nvJitLink"
                                 : fmt::format("write {}", near)});
}

llvm::Error Config::notThere(const tables::KnownLibrary &known) const {
  std::string line = target.line.known() ? fmt::format(", CUDA {}", target.line) : "";
  Finding finding;
  finding.code = Code::NotFound;
  finding.library = fmt::format("lib{}.so", known.name);
  finding.message = fmt::format("the runtime has no {}", finding.library);
  finding.facts = {{"runtime", target.describe() + line}};
  finding.fixes = {"cuda-cc target lists what it has"};
  return makeError(std::move(finding));
}

llvm::Error Config::want(llvm::StringRef name) {
  auto known = tables::libraryByLinkName(name);
  if (!known)
    return unknownName(name);
  if (llvm::any_of(wanted, [&](const Wanted &each) { return each.known.name == known->name; }))
    return llvm::Error::success();
  Wanted one{*known, nullptr};
  for (const TargetLibrary &row : target.libraries)
    if (auto of = tables::libraryByFileName(row.soname); of && of->name == known->name && !one.row)
      one.row = &row;
  if (!one.row && !known->archive && known->origin != tables::LibraryOrigin::Driver)
    return notThere(*known);
  wanted.push_back(one);
  flags.libraries.push_back(
      {known->name.str(), one.row ? one.row->soname : "", "", known->archive, false});
  return llvm::Error::success();
}

void Config::include(const std::string &folder) {
  if (!folder.empty() && !llvm::is_contained(flags.includes, folder))
    flags.includes.push_back(folder);
}

llvm::Error Config::findHeaders() {
  for (const Wanted &each : wanted) {
    tables::HeaderProbe header = tables::headerOf(each.known.name);
    if (header.file.empty())
      continue;
    auto folder = runtime.includeFolder(header, each.row);
    if (!folder)
      return folder.takeError();
    include(*folder);
  }
  // Most headers include CUDA's own and those of the compiler, which wheels of CUDA 12 have in
  // another distribution. A header that needs neither, such as nvJitLink.h, is usable without them.
  include(runtime.includeFolderIfAny(tables::headerOf("cudart")));
  include(runtime.includeFolderIfAny({"crt/host_defines.h", "include"}));
  for (const std::string &folder : flags.includes)
    flags.cflags.push_back("-I" + folder);
  return llvm::Error::success();
}

llvm::Error Config::findLibraries() {
  for (auto [each, library] : llvm::zip_equal(wanted, flags.libraries)) {
    auto path = runtime.library(each.known, each.row);
    if (!path)
      return path.takeError();
    library.path = std::move(*path);
  }
  for (const Wanted &each : wanted) {
    if (!each.row)
      continue;
    for (const TargetLibrary *row : plan::coupledTo(target, *each.row)) {
      auto known = tables::libraryByFileName(row->soname);
      if (!known || llvm::any_of(flags.libraries, [&](const FlaggedLibrary &library) {
            return library.soname == row->soname;
          }))
        continue;
      auto path = runtime.library(*known, row);
      if (!path)
        return path.takeError();
      flags.libraries.push_back({known->name.str(), row->soname, std::move(*path), false, true});
    }
  }
  flags.libs = linkWords(flags);
  return llvm::Error::success();
}

void Config::findSearchPath() {
  plan::RuntimeUse use;
  for (const Wanted &each : wanted)
    if (each.row)
      use.rows.push_back(each.row);
  std::vector<std::string> elements = plan::runtimePath(declaration, target, use);
  // Whether a program or a module is linked is not known here, so only a declared value counts.
  if (declaration.develop && declaration.develop->value)
    llvm::append_range(elements, plan::runtimePlaces(target, use));
  flags.rpath = searchPathWords(declaration, elements);
}

RuntimeFlags Config::take() {
  flags.runtime = runtimeName(declaration);
  flags.line = target.line;
  return std::move(flags);
}

static llvm::Error checkUsage(const ConfigArguments &arguments) {
  bool selects = arguments.cflags || arguments.libs || arguments.rpath;
  const char *problem = nullptr;
  if (arguments.words.empty())
    problem = "config needs a library";
  else if (!selects && !arguments.cmake && !arguments.json)
    problem = "config needs an option that selects what to print";
  else if (arguments.cmake && (selects || arguments.json))
    problem = "--cmake prints all there is, in a form of its own";
  if (!problem)
    return llvm::Error::success();
  return makeError(Code::Usage, problem, {{"print", "--cflags, --libs, --rpath, --cmake, --json"}},
                   {"cuda-cc config --cflags --libs --rpath cublas"});
}

static llvm::Expected<std::string> answer(pipeline::System &system,
                                          const ConfigArguments &arguments) {
  if (llvm::Error error = checkUsage(arguments))
    return error;
  auto declaration =
      requireDeclaration(system, arguments, "cuda-cc config --runtime torch==2.5.1 --rpath cublas");
  if (!declaration)
    return declaration.takeError();
  cache::Store store(system.environment, system.files, system.uid);
  auto target = pipeline::resolveDeclaration(system, store, *declaration);
  if (!target)
    return target.takeError();
  Config config(system, *declaration, *target, store, arguments.directory);
  for (llvm::StringRef name : arguments.words)
    if (llvm::Error error = config.want(name))
      return error;
  bool all = !arguments.cflags && !arguments.libs && !arguments.rpath;
  if (arguments.cflags || all)
    if (llvm::Error error = config.findHeaders())
      return error;
  if (arguments.libs || all)
    if (llvm::Error error = config.findLibraries())
      return error;
  if (arguments.rpath || all)
    config.findSearchPath();
  RuntimeFlags flags = config.take();
  if (arguments.cmake)
    return cmakeTargets(flags);
  return arguments.json ? report::print(flagsJson(flags)) : flagLine(flags);
}

static llvm::Expected<int> config(pipeline::System &system, const ConfigArguments &arguments) {
  auto text = answer(system, arguments);
  if (!text)
    return text.takeError();
  system.console.out(*text);
  return 0;
}

static constexpr Option<ConfigArguments> configOptions[] = {
    {"--format", &ConfigArguments::format, "text json"},
    {"--runtime", &ConfigArguments::runtime, "REQ"},
    {"--cflags", &ConfigArguments::cflags},
    {"--libs", &ConfigArguments::libs},
    {"--rpath", &ConfigArguments::rpath},
    {"--cmake", &ConfigArguments::cmake},
    {"--json", &ConfigArguments::json},
};

constexpr SubcommandBody configSubcommand = bodyOf<configOptions, config>();

} // namespace cudacc::commands
