// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Build.h"
#include "driver/versions/Format.h"
#include "plugins/cmake/Cache.h"
#include "plugins/cmake/FileApi.h"
#include "plugins/cmake/Generators.h"
#include "plugins/cmake/Script.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::cmake {

using namespace core;
using audit::BuildModel;
using llvm::StringRef;

static constexpr StringRef cacheName = "CMakeCache.txt";

bool isBuild(Files &files, StringRef build) {
  return files.stat(fmt::format("{}/{}", build, cacheName)).kind == FileStatus::Kind::Regular;
}

/// Reads what the File API reply lacks: the link driver, or everything if there is no reply. CMake
/// keeps it in `CMakeFiles/<its version>`; folders of older CMakes stay beside it.
static llvm::Error readCompilerFile(Files &files, const std::string &path, StringRef language,
                                    BuildModel &model) {
  auto text = files.read(path);
  if (!text)
    return text.takeError();
  std::string prefix = fmt::format("CMAKE_{}_", language);
  audit::Toolchain read;
  read.language = language.str();
  readScript(*text, [&](const ScriptCommand &command) {
    if (command.name != "set" || command.arguments.size() < 2)
      return;
    StringRef name = command.arguments[0];
    const std::string &value = command.arguments[1];
    if (!name.consume_front(prefix))
      return;
    if (name == "COMPILER")
      read.compiler = value;
    else if (name == "COMPILER_VERSION")
      read.version = value;
    else if (name == "HOST_LINK_LAUNCHER")
      read.linkDriver = value;
    else if (name == "COMPILER_TOOLKIT_ROOT")
      read.root = value;
  });
  for (audit::Toolchain &each : model.toolchains)
    if (each.language == language) {
      each.linkDriver = read.linkDriver;
      each.root = read.root;
      return llvm::Error::success();
    }
  if (!read.compiler.empty())
    model.toolchains.push_back(std::move(read));
  return llvm::Error::success();
}

static llvm::Error readCompilers(Files &files, const Cache &cache, BuildModel &model) {
  std::string version =
      llvm::join(llvm::ArrayRef<std::string>{cache.get("CMAKE_CACHE_MAJOR_VERSION").str(),
                                             cache.get("CMAKE_CACHE_MINOR_VERSION").str(),
                                             cache.get("CMAKE_CACHE_PATCH_VERSION").str()},
                 ".");
  std::string folder = fmt::format("{}/CMakeFiles/{}", model.build, version);
  // The folder of a development version has a suffix: `3.31.20250101-gabcdef`.
  if (!files.stat(folder).exists())
    for (const std::string &name : files.list(model.build + "/CMakeFiles"))
      if (StringRef(name).starts_with(version))
        folder = fmt::format("{}/CMakeFiles/{}", model.build, name);
  for (const std::string &name : files.list(folder)) {
    StringRef language = name;
    if (language.consume_front("CMake") && language.consume_back("Compiler.cmake"))
      if (llvm::Error error =
              readCompilerFile(files, fmt::format("{}/{}", folder, name), language, model))
        return error;
  }
  return llvm::Error::success();
}

/// Called before install scripts are read, because without a reply the commands add the targets.
static llvm::Error readCommands(Files &files, Runner &runner, const Cache &cache,
                                const TrustedTools &around, BuildModel &model) {
  StringRef generator = cache.get("CMAKE_GENERATOR");
  if (generator.starts_with("Ninja"))
    return readNinja(files, runner, cache, around, model);
  if (generator.ends_with("Makefiles"))
    return readMakefiles(files, model);
  return llvm::Error::success();
}

/// The path under which the build was configured, as the paths in its files begin with it.
static std::string configuredAs(Files &files, StringRef build, const Cache &cache) {
  StringRef path = cache.get("CMAKE_CACHEFILE_DIR");
  FileStatus here = files.stat(build), there = files.stat(path);
  bool same =
      there.exists() && here.id.device == there.id.device && here.id.inode == there.id.inode;
  return same ? path.str() : build.str();
}

/// Install scripts name the linked file, the File API the link to it (`libx.so`): uses the latter
/// in all edits.
static void renameEdited(BuildModel &model) {
  llvm::StringMap<StringRef> described;
  for (const audit::BuildCommand &command : model.commands)
    if (command.kind == audit::BuildCommand::Kind::Link && command.target && !command.isOwn)
      if (const audit::BuildTarget &target = model.targets[*command.target];
          !target.artefacts.empty())
        described[command.output] = target.artefacts.front();
  for (audit::PathEdit &edit : model.edits)
    if (auto found = described.find(edit.artefact); found != described.end())
      edit.artefact = found->second.str();
}

llvm::Expected<BuildModel> readBuild(Files &files, Runner &runner, StringRef build,
                                     const TrustedTools &around, ForEach forEach) {
  auto text = files.read(fmt::format("{}/{}", build, cacheName), 64 << 20);
  if (!text)
    return text.takeError();
  Cache cache(*text);
  BuildModel model;
  model.build = configuredAs(files, build, cache);
  if (StringRef configured = cache.get("CMAKE_CACHEFILE_DIR"); configured != model.build)
    model.configuredAs = configured.rtrim('/').str();
  model.source = cache.get("CMAKE_HOME_DIRECTORY").str();
  model.system = "CMake";
  if (StringRef generator = cache.get("CMAKE_GENERATOR"); !generator.empty())
    model.system += fmt::format(", {}", generator);
  auto described = readFileApi(files, model.build, model, forEach);
  if (!described)
    return described.takeError();
  if (llvm::Error error = readCompilers(files, cache, model))
    return error;
  if (llvm::Error error = readCommands(files, runner, cache, around, model))
    return error;
  if (llvm::Error error = readInstallScripts(files, model))
    return error;
  renameEdited(model);
  return model;
}

llvm::Expected<std::vector<std::string>> prepare(Files &files, StringRef build) {
  std::vector<std::string> written;
  for (StringRef query : queries()) {
    std::string path = fmt::format("{}/{}/{}", build, queryFolder, query);
    if (files.stat(path).exists())
      continue;
    if (llvm::Error error = files.write(path, ""))
      return error;
    written.push_back(std::move(path));
  }
  return written;
}

} // namespace cudacc::cmake
