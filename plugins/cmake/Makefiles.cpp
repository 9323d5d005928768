// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "plugins/cmake/Commands.h"
#include "plugins/cmake/Generators.h"
#include "llvm/ADT/StringExtras.h"

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

} // namespace cudacc::cmake
