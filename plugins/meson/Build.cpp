// SPDX-License-Identifier: Apache-2.0
#include "plugins/meson/Build.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "plugins/buildsys/NinjaCommands.h"
#include "plugins/meson/Commands.h"
#include "plugins/meson/Introspection.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::meson {

using namespace core;
using audit::BuildModel;
using llvm::StringRef;

bool isBuild(Files &files, StringRef build) {
  return files.stat(fmt::format("{}/meson-info/meson-info.json", build)).kind ==
         FileStatus::Kind::Regular;
}

static llvm::Error readCommands(Files &files, Runner &runner, StringRef ninja,
                                Introspection &read) {
  BuildModel &model = read.model;
  if (ninja.empty())
    return makeError(Code::UnreadableFile, "no Ninja prints the commands of the build",
                     {{"build", model.build}, {"searched", "NINJA, PATH"}}, {"put ninja on PATH"});
  std::vector<std::string> names = {"all"};
  for (const std::string &path : read.onDemand) {
    StringRef name = path;
    name.consume_front(model.build + "/");
    names.push_back(name.str());
  }
  auto text = buildsys::ninjaCommands(runner, {ninja, model.build, "build.ninja"}, names);
  if (!text)
    return text.takeError();
  MesonCommands commands(files, model);
  for (StringRef line : llvm::split(*text, '\n'))
    if (llvm::Error error = commands.add(line))
      return error;
  model.hasCommands = true;
  return llvm::Error::success();
}

/// With Meson 1.0 only the commands show what a link reads.
static void addLinkWords(BuildModel &model) {
  for (const audit::BuildCommand &command : model.commands)
    if (command.kind == audit::BuildCommand::Kind::Link && command.target && !command.isOwn)
      if (audit::BuildTarget &target = model.targets[*command.target]; target.linkWords.empty())
        target.linkWords = command.inputs;
}

llvm::Expected<BuildModel> readBuild(Files &files, Runner &runner, StringRef build,
                                     StringRef ninja) {
  auto read = readIntrospection(files, build);
  if (!read)
    return read.takeError();
  if (read->backend == "ninja")
    if (llvm::Error error = readCommands(files, runner, ninja, *read))
      return error;
  addLinkWords(read->model);
  return std::move(read->model);
}

} // namespace cudacc::meson
