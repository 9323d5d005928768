// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Generators.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "plugins/buildsys/NinjaCommands.h"
#include "plugins/cmake/Commands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::cmake {

using namespace core;
using llvm::StringRef;

/// A recipe's line as sh gets it: `$$` becomes `$`. Variables of CMake's makefiles hold flags,
/// which do not matter here, and are removed.
static std::string recipe(StringRef line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '$' || i + 1 == line.size()) {
      out += line[i];
    } else if (line[i + 1] == '$') {
      out += '$';
      ++i;
    } else if (line[i + 1] == '(') {
      size_t end = line.find(')', i);
      out += line.slice(i, i + 16) == "$(CMAKE_COMMAND)" ? "cmake" : "";
      i = std::min(end, line.size() - 1);
    }
  }
  return out;
}

namespace {

class MakefileReader {
public:
  MakefileReader(Files &files, audit::BuildModel &model)
      : files(files), model(model), commands(files, model) {}
  llvm::Error read(StringRef folder);

private:
  Files &files;
  audit::BuildModel &model;
  CMakeCommands commands;

  llvm::Error readScript(StringRef folder, StringRef name, const CMakeCommands::From &from);
  llvm::Error readRecipes(StringRef folder, CMakeCommands::From from);
};

} // namespace

/// The file exists only if the target has such a step.
llvm::Error MakefileReader::readScript(StringRef folder, StringRef name,
                                       const CMakeCommands::From &from) {
  std::string path = fmt::format("{}/{}", folder, name);
  if (!files.stat(path).exists())
    return llvm::Error::success();
  auto text = files.read(path);
  if (!text)
    return text.takeError();
  for (StringRef line : llvm::split(*text, '\n'))
    // A leading colon marks links; here every line belongs to the target.
    if (llvm::Error error = commands.add(fmt::format(": && {}", line), from))
      return error;
  return llvm::Error::success();
}

llvm::Error MakefileReader::readRecipes(StringRef folder, CMakeCommands::From from) {
  std::string path = fmt::format("{}/build.make", folder);
  if (!files.stat(path).exists())
    return llvm::Error::success();
  auto text = files.read(path, 256 << 20);
  if (!text)
    return text.takeError();
  // Recipes run in the build directory, or begin with `cd`.
  from.directory = model.build;
  from.isScript = false;
  std::string objects = fmt::format("{}.dir/", from.target);
  for (StringRef line : llvm::split(*text, '\n')) {
    if (!line.consume_front("\t") || line.starts_with("@"))
      continue;
    from.isRule = line.contains(objects);
    if (llvm::Error error = commands.add(recipe(line), from))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error MakefileReader::read(StringRef folder) {
  // `<binary dir>/CMakeFiles/<target>.dir`
  auto [above, name] = folder.rsplit("/CMakeFiles/");
  if (!name.consume_back(".dir") || name.contains('/'))
    return llvm::Error::success();
  CMakeCommands::From from;
  from.directory = above;
  from.target = name;
  from.isRule = from.isScript = true;
  for (StringRef script : {"dlink.txt", "link.txt"})
    if (llvm::Error error = readScript(folder, script, from))
      return error;
  return readRecipes(folder, from);
}

llvm::Error readMakefiles(Files &files, audit::BuildModel &model) {
  auto folders = files.read(model.build + "/CMakeFiles/TargetDirectories.txt", 64 << 20);
  if (!folders)
    return folders.takeError();
  MakefileReader reader(files, model);
  bool any = false, isOurs = false;
  for (StringRef folder : llvm::split(*folders, '\n')) {
    // In a copied build directory the paths are those of the original.
    std::string here = folder.str();
    if (!model.configuredAs.empty() && support::isBelow(folder, model.configuredAs))
      here = fmt::format("{}{}", model.build, folder.drop_front(model.configuredAs.size()));
    any |= !folder.empty();
    if (!support::isBelow(here, model.build))
      continue;
    isOurs = true;
    if (llvm::Error error = reader.read(here))
      return error;
  }
  model.hasCommands = isOurs || !any;
  return llvm::Error::success();
}

/// The targets to query. Without names Ninja prints only what it builds by default.
static std::vector<std::string> names(const audit::BuildModel &model) {
  constexpr size_t mostBytes = 512 << 10;
  size_t bytes = 0;
  std::vector<std::string> out = {"all"};
  llvm::StringSet<> seen;
  for (const audit::BuildTarget &target : model.targets)
    if (seen.insert(target.name).second) {
      bytes += target.name.size() + 1;
      out.push_back(target.name);
    }
  return model.isDescribed && bytes < mostBytes ? out : std::vector<std::string>();
}

/// A value or an output with Ninja's escapes resolved.
static std::string unescaped(StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    i += text[i] == '$' && i + 1 < text.size();
    out += text[i];
  }
  return out;
}

/// The first output of `build A B | C: RULE ...`.
static std::string firstOutput(StringRef line) {
  size_t end = 0;
  while (end < line.size() && line[end] != ' ' && line[end] != ':')
    end += line[end] == '$' && end + 1 < line.size() ? 2 : 1;
  return unescaped(line.take_front(end));
}

/// Assigns custom commands to targets by their outputs, which `-t commands` does not print.
static llvm::Error placeCommands(Files &files, const audit::BuildModel &model, StringRef file,
                                 CMakeCommands &commands) {
  std::vector<std::string> lost = commands.unplaced();
  if (lost.empty())
    return llvm::Error::success();
  llvm::StringSet<> wanted;
  for (const std::string &line : lost)
    wanted.insert(line);
  // Builds with several configurations keep their rules below CMakeFiles.
  std::string rules = fmt::format("{}/CMakeFiles/impl-{}", model.build, file.substr(6));
  std::string path = files.stat(rules).exists() ? rules : fmt::format("{}/{}", model.build, file);
  auto text = files.read(path, buildsys::largestNinjaFile);
  if (!text)
    return text.takeError();
  StringRef build;
  for (StringRef line : llvm::split(*text, '\n')) {
    if (line.consume_front("build "))
      build = line;
    else if (line.consume_front("  COMMAND = "))
      if (std::string command = unescaped(line); wanted.contains(command))
        commands.place(command, support::resolvePath(model.build, firstOutput(build)));
  }
  return llvm::Error::success();
}

/// Why the file is not started; null if it may be. Whoever can write it, or a folder above it,
/// decides what runs.
static const char *reasonAgainst(Files &files, StringRef program, const audit::BuildModel &model,
                                 unsigned uid) {
  StringRef name = support::nameOf(program);
  if (!program.starts_with("/") || !(name.starts_with("ninja") || name == "samu"))
    return "no absolute path of a Ninja";
  auto real = files.realPath(program);
  if (!real || !files.executable(*real))
    return "no program is there";
  // The source directory in the cache may be false; a build directory usually lies in the sources.
  StringRef above = StringRef(model.build).rsplit('/').first;
  for (StringRef tree : {StringRef(model.build), StringRef(model.source), above})
    for (StringRef path : {program, StringRef(*real)})
      if (tree.size() > 1 && support::isBelow(path, files.realPath(tree).value_or(tree.str())))
        return "it lies in the project";
  constexpr unsigned othersMayWrite = 022, sticky = 01000;
  for (StringRef path = *real; !path.empty(); path = path.rsplit('/').first) {
    FileStatus status = files.stat(path);
    if (status.owner != uid && status.owner != 0)
      return "it, or a folder above, belongs to somebody else";
    bool isSticky = status.kind == FileStatus::Kind::Directory && (status.mode & sticky);
    if ((status.mode & othersMayWrite) && !isSticky)
      return "others can write it, or a folder above";
  }
  return nullptr;
}

llvm::Error readNinja(Files &files, Runner &runner, const Cache &cache, const TrustedTools &around,
                      audit::BuildModel &model) {
  StringRef ninja = cache.get("CMAKE_MAKE_PROGRAM");
  // Anyone may have written the build directory: it cannot decide alone which program is started.
  if (const char *reason = reasonAgainst(files, ninja, model, around.uid)) {
    if (around.ninja.empty())
      return makeError(Code::UnreadableFile, "no Ninja prints the commands of the build",
                       {{"searched", "NINJA, PATH"},
                        {"in the cache", ninja.empty() ? "none" : ninja.str()},
                        {"not started", reason}},
                       {"put ninja on PATH"});
    ninja = around.ninja;
  }
  std::vector<std::pair<std::string, std::string>> descriptions;
  for (StringRef name : llvm::split(cache.get("CMAKE_CONFIGURATION_TYPES"), ';')) {
    std::string file = fmt::format("build-{}.ninja", name);
    if (!name.empty() && files.stat(fmt::format("{}/{}", model.build, file)).exists())
      descriptions.emplace_back(file, name.str());
  }
  if (descriptions.empty())
    descriptions.emplace_back("build.ninja", "");
  CMakeCommands commands(files, model);
  for (const auto &[file, configuration] : descriptions) {
    auto text = buildsys::ninjaCommands(runner, {ninja, model.build, file}, names(model));
    if (!text)
      return text.takeError();
    CMakeCommands::From from;
    from.directory = model.build;
    from.configuration = descriptions.size() > 1 ? StringRef(configuration) : StringRef();
    for (StringRef line : llvm::split(*text, '\n')) {
      // Custom commands begin with `cd`.
      from.isRule = !line.starts_with("cd ");
      if (llvm::Error error = commands.add(line, from))
        return error;
    }
    if (llvm::Error error = placeCommands(files, model, file, commands))
      return error;
  }
  model.hasCommands = true;
  return llvm::Error::success();
}

} // namespace cudacc::cmake
