// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Fetched.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Trust.h"
#include "driver/tables/lookup/Fetched.h"
#include "driver/versions/Format.h"

namespace cudacc::pipeline {

using namespace core;

std::string cachePlace(const Environment &environment) {
  llvm::StringRef cache = environment.getOr("XDG_CACHE_HOME");
  if (cache.starts_with("/"))
    return support::joinPath(cache, "cuda-cc");
  llvm::StringRef home = environment.getOr("HOME");
  return home.starts_with("/") ? support::joinPath(home, ".cache/cuda-cc") : "";
}

std::string toolkitsPlace(llvm::StringRef cache) { return support::joinPath(cache, "toolkits"); }

std::optional<Finding> foreignCache(System &system, llvm::StringRef cache) {
  support::Trust trust(system.files, system.environment, system.uid);
  std::string toolkits = toolkitsPlace(cache);
  for (const std::string &place :
       {system.files.stat(toolkits).exists() ? toolkits : cache.str(),
        support::joinPath(toolkits, ".locks"), support::joinPath(toolkits, ".downloads")})
    if (FileStatus status = system.files.stat(place); status.exists())
      if (auto doubt = trust.doubt(place, status))
        return doubt->finding("a cache of toolkits that others can write to", {});
  return std::nullopt;
}

llvm::Expected<std::string> fetchedToolkit(System &system, llvm::StringRef cache,
                                           const FetchPlan &plan) {
  std::string folder = support::joinPath(toolkitsPlace(cache), plan.key);
  if (!system.files.executable(support::joinPath(folder, "bin/nvcc")))
    return std::string();
  support::Trust trust(system.files, system.environment, system.uid);
  if (auto doubt = trust.doubt(folder))
    return makeError(doubt->finding("a fetched toolkit that others can write to", {}));
  return folder;
}

std::optional<Finding> partsNotFetched(System &system, const Call &call, const Target &target) {
  if (!call.isNamed() || !llvm::StringRef(call.directory->nvcc)
                              .starts_with(toolkitsPlace(cachePlace(system.environment)) + "/"))
    return std::nullopt;
  const ToolchainDirectory &directory = *call.directory;
  auto isHere = [&](llvm::StringRef name) {
    std::vector<std::string> folders = {support::joinPath(directory.path, "lib64")};
    for (llvm::StringRef each : call.invocation.libraryDirs)
      folders.push_back(each.str());
    return llvm::any_of(folders, [&](const std::string &folder) {
      return system.files.stat(support::joinPath(folder, fmt::format("lib{}.so", name))).exists();
    });
  };
  std::vector<std::string> parts;
  for (const LinkInput &input : call.invocation.linkInputs)
    if (input.kind == LinkInput::Kind::Library && !isHere(input.text))
      if (llvm::StringRef part = tables::partOfLibrary(input.text, target.line.major);
          !part.empty() && !llvm::is_contained(parts, part))
        parts.push_back(part.str());
  if (parts.empty())
    return std::nullopt;
  Finding finding;
  finding.code = Code::PartNotFetched;
  finding.message = "the link names a library that was not fetched";
  finding.facts = {{"library", llvm::join(parts, ", ")}, {"directory", directory.path}};
  finding.fixes = {fmt::format("cuda-cc toolchain {} --add {}", support::shellWord(directory.path),
                               llvm::join(parts, ","))};
  return finding;
}

} // namespace cudacc::pipeline
