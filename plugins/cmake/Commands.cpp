// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Commands.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "plugins/cmake/Paths.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::cmake {

using namespace audit;
using audit::BuildCommand;
using llvm::StringRef;
using support::resolvePath;

static std::string keyOf(StringRef configuration, StringRef name) {
  return (configuration + StringRef("\0", 1) + name).str();
}

CMakeCommands::CMakeCommands(core::Files &files, BuildModel &model)
    : model(model), calls(files, model.toolchains) {
  for (size_t i = 0; i != model.targets.size(); ++i)
    index(i);
}

void CMakeCommands::index(size_t target) {
  const BuildTarget &row = model.targets[target];
  byName.try_emplace(keyOf(row.configuration, row.name), target);
  for (const std::string &path : row.artefacts)
    byArtefact.try_emplace(path, target);
  for (const std::string &path : row.generated)
    byGenerated.try_emplace(path, target);
}

/// Skips most lines, which compile C++ and do not matter here. Links begin with a colon, custom
/// commands of the project with `cd`.
bool CMakeCommands::mayMatter(StringRef line) const {
  return line.starts_with(":") || line.starts_with("cd ") || line.contains("nvcc") ||
         line.contains("cuda") || line.contains(".cu") ||
         llvm::any_of(model.toolchains, [&](const Toolchain &each) {
           return each.language == "CUDA" && line.contains(each.compiler);
         });
}

llvm::Error CMakeCommands::add(StringRef line, const From &from) {
  if (!mayMatter(line))
    return llvm::Error::success();
  std::string directory = from.directory.str();
  size_t first = model.commands.size();
  for (std::vector<std::string> &words : support::splitShellLine(line)) {
    if (words[0] == "cd" && words.size() == 2) {
      directory = resolvePath(directory, words[1]);
      continue;
    }
    From own = from;
    own.directory = directory;
    if (llvm::Error error = addCommand(std::move(words), own))
      return error;
  }
  // Commands before or after a link on the same line belong to the same target.
  std::optional<size_t> target;
  for (size_t i = first; i != model.commands.size(); ++i)
    if (model.commands[i].target)
      target = model.commands[i].target;
  for (size_t i = first; i != model.commands.size(); ++i)
    if (target)
      model.commands[i].target = target;
    else
      lost[line].push_back(i);
  return llvm::Error::success();
}

std::vector<std::string> CMakeCommands::unplaced() const {
  std::vector<std::string> lines;
  for (const auto &entry : lost)
    lines.push_back(entry.first().str());
  return lines;
}

void CMakeCommands::place(StringRef line, StringRef output) {
  output.consume_back(".util");
  auto commands = lost.find(line);
  auto made = byGenerated.find(output);
  if (commands != lost.end() && made != byGenerated.end())
    for (size_t index : commands->second)
      model.commands[index].target = made->second;
}

llvm::Error CMakeCommands::addCommand(std::vector<std::string> words, const From &from) {
  auto command = calls.read(words, from.directory, from.isRule);
  if (!command)
    return command.takeError();
  if (!*command)
    return llvm::Error::success();
  place(**command, words, from);
  model.commands.push_back(std::move(**command));
  return llvm::Error::success();
}

size_t CMakeCommands::targetNamed(StringRef name, StringRef configuration) {
  std::string key = keyOf(configuration, name);
  if (auto found = byName.find(key); found != byName.end())
    return found->second;
  BuildTarget target;
  target.name = name.str();
  target.configuration = configuration.str();
  target.type = TargetType::Other;
  model.targets.push_back(std::move(target));
  byName[key] = model.targets.size() - 1;
  return model.targets.size() - 1;
}

/// The type of a target that the File API does not describe, by its link.
static TargetType typeOf(const BuildCommand &command, llvm::ArrayRef<std::string> words) {
  if (command.kind != BuildCommand::Kind::Link)
    return TargetType::Other;
  return llvm::is_contained(words, "-shared") || llvm::is_contained(words, "--shared")
             ? TargetType::Shared
             : TargetType::Program;
}

/// The target that a link belongs to, by the objects it reads: a versioned library is linked under
/// another name than the File API lists.
std::optional<size_t> CMakeCommands::linkedBy(const BuildCommand &command, const From &from) const {
  if (command.kind != BuildCommand::Kind::Link || !from.isRule || !model.isDescribed)
    return std::nullopt;
  auto named = [&](StringRef name) -> std::optional<size_t> {
    auto found = byName.find(keyOf(from.configuration, name));
    if (found == byName.end() || !model.targets[found->second].isLinked())
      return std::nullopt;
    return found->second;
  };
  if (from.isScript)
    return named(from.target);
  for (const std::string &input : command.inputs)
    if (StringRef name = targetOfObject(input); !name.empty())
      if (auto target = named(name))
        return target;
  return std::nullopt;
}

void CMakeCommands::place(BuildCommand &command, llvm::ArrayRef<std::string> words,
                          const From &from) {
  if (StringRef name = targetOfObject(command.output); !name.empty()) {
    // A file in a target's object directory counts as made by that target's rule, even if a custom
    // command makes it.
    command.target = targetNamed(name, from.configuration);
    return;
  }
  if (auto made = byArtefact.find(command.output); made != byArtefact.end()) {
    command.target = made->second;
    return;
  }
  if (auto target = linkedBy(command, from)) {
    command.target = target;
    return;
  }
  bool isLink = command.kind == BuildCommand::Kind::Link;
  if (isLink && from.isRule && !model.isDescribed) {
    std::string name =
        from.target.empty() ? support::nameOf(command.output).str() : from.target.str();
    if (from.target.empty())
      for (const std::string &input : command.inputs)
        if (StringRef object = targetOfObject(input); !object.empty()) {
          name = object.str();
          break;
        }
    command.target = targetNamed(name, from.configuration);
    BuildTarget &target = model.targets[*command.target];
    target.type = typeOf(command, words);
    if (target.artefacts.empty())
      target.artefacts.push_back(command.output);
    return;
  }
  command.isOwn = true;
  if (!from.target.empty()) {
    command.target = targetNamed(from.target, from.configuration);
    return;
  }
  for (StringRef word : words)
    if (auto made = byGenerated.find(resolvePath(from.directory, word)); made != byGenerated.end())
      command.target = made->second;
}

} // namespace cudacc::cmake
