// SPDX-License-Identifier: Apache-2.0
#include "plugins/meson/Build.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Files.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "plugins/audit/BuildModel.h"
#include "plugins/buildsys/Calls.h"
#include "plugins/buildsys/NinjaCommands.h"
#include "plugins/meson/Introspection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace cudacc::meson {

using namespace core;
using audit::BuildModel;
using llvm::StringRef;
using namespace audit;
using audit::BuildCommand;
using support::resolvePath;

namespace {

/// Adds the shell lines that Meson wrote for Ninja to the commands of a model whose targets are
/// described: those that start a compiler for CUDA, or link.
class MesonCommands {
public:
  MesonCommands(core::Files &files, audit::BuildModel &model);
  llvm::Error add(llvm::StringRef line);

private:
  audit::BuildModel &model;
  buildsys::Calls calls;
  llvm::StringMap<size_t> byArtefact;

  bool mayMatter(llvm::StringRef line) const;
  std::optional<size_t> ownerOf(llvm::StringRef path) const;
  bool isRule(std::optional<size_t> target) const;
  llvm::Error addCommand(std::vector<std::string> words);
};

} // namespace

MesonCommands::MesonCommands(core::Files &files, BuildModel &model)
    : model(model), calls(files, model.toolchains) {
  for (size_t i = 0; i != model.targets.size(); ++i)
    for (const std::string &path : model.targets[i].artefacts)
      byArtefact.try_emplace(path, i);
}

/// Skips most lines, which compile C++ and do not matter here.
bool MesonCommands::mayMatter(StringRef line) const {
  return !line.contains(" -c ") || line.contains("nvcc") || line.contains("cuda") ||
         line.contains(".cu") || llvm::any_of(model.toolchains, [&](const Toolchain &each) {
           return each.language == "CUDA" && line.contains(each.compiler);
         });
}

/// The target that makes the file, or in whose object directory it lies: the objects of
/// `sub/libx.so` are in `sub/libx.so.p`.
std::optional<size_t> MesonCommands::ownerOf(StringRef path) const {
  static constexpr StringRef marker = ".p/";
  if (auto made = byArtefact.find(path); made != byArtefact.end())
    return made->second;
  for (size_t at = path.find(marker); at != StringRef::npos; at = path.find(marker, at + 1))
    if (auto made = byArtefact.find(path.take_front(at)); made != byArtefact.end())
      return made->second;
  return std::nullopt;
}

/// Compiles and links of described targets are Meson's rules; all other commands are the project's.
bool MesonCommands::isRule(std::optional<size_t> target) const {
  return target &&
         (model.targets[*target].isLinked() || model.targets[*target].type == TargetType::Static);
}

llvm::Error MesonCommands::add(StringRef line) {
  if (!mayMatter(line))
    return llvm::Error::success();
  for (std::vector<std::string> &words : support::splitShellLine(line))
    if (llvm::Error error = addCommand(std::move(words)))
      return error;
  return llvm::Error::success();
}

/// Removes the wrapper from `meson --internal exe --capture FILE -- COMMAND`. Returns the file that
/// captures the output; empty if none does.
static std::string unwrap(std::vector<std::string> &words) {
  std::string capture;
  auto internal = llvm::find(words, "--internal");
  auto end = std::find(internal, words.end(), "--");
  if (end == words.end() || std::next(internal) == end || *std::next(internal) != "exe")
    return capture;
  auto option = std::find(internal, end, "--capture");
  if (option != end && std::next(option) != end)
    capture = *std::next(option);
  words.erase(words.begin(), std::next(end));
  return capture;
}

/// The output by the words: the value of `-o`, else from the name of a response file, as in `c++
/// @libx.so.rsp`. Such a file holds all words of a long line and is removed after the build.
static std::string outputOf(llvm::ArrayRef<std::string> words, StringRef build) {
  auto option = llvm::find(words, "-o");
  if (option != words.end() && std::next(option) != words.end())
    return resolvePath(build, *std::next(option));
  for (StringRef word : words)
    if (word.consume_front("@") && word.consume_back(".rsp"))
      return resolvePath(build, word);
  return "";
}

llvm::Error MesonCommands::addCommand(std::vector<std::string> words) {
  std::string capture = unwrap(words);
  std::string output = outputOf(words, model.build);
  auto read = calls.read(words, model.build, isRule(ownerOf(output)));
  if (!read)
    return read.takeError();
  if (!*read)
    return llvm::Error::success();
  BuildCommand &command = **read;
  if (!capture.empty())
    command.output = resolvePath(model.build, capture);
  else if (isRule(ownerOf(output)))
    command.output = output;
  command.target = ownerOf(command.output);
  // A compile whose words were all in the response file.
  bool isArtefact = byArtefact.count(command.output);
  if (command.kind == BuildCommand::Kind::Link && isRule(command.target) && !isArtefact)
    return llvm::Error::success();
  command.isOwn = !isRule(command.target);
  for (StringRef word : words)
    if (!command.target)
      if (auto made = byArtefact.find(resolvePath(model.build, word)); made != byArtefact.end())
        command.target = made->second;
  model.commands.push_back(std::move(command));
  return llvm::Error::success();
}

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
