// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/OutsideInputs.h"
#include "driver/commands/matrix/RunMatrix.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Bytes of names that Ninja may print.
static constexpr size_t mostNames = size_t(1) << 28;

/// What Ninja prints in \p tree. std::nullopt if it fails.
static std::optional<std::string> askNinja(pipeline::System &system, StringRef tree,
                                           llvm::ArrayRef<StringRef> words) {
  Command command;
  command.program = support::findProgram("ninja", system.environment, system.files);
  command.outputLimit = mostNames;
  for (StringRef word : {StringRef("ninja"), StringRef("-C"), tree})
    command.argv.add(word.str());
  for (StringRef word : words)
    command.argv.add(word.str());
  auto answer = llvm::expectedToOptional(system.runner.ask(command));
  if (!answer || answer->ended.status != 0 || answer->ended.signal)
    return std::nullopt;
  return std::move(answer->out);
}

/// A path as Ninja quotes it for sh, which has no quotes of its own in it.
static StringRef unquoted(StringRef path) {
  bool isQuoted = path.size() > 1 && path.starts_with("'") && path.ends_with("'");
  return isQuoted ? path.drop_front().drop_back() : path;
}

bool isOutsideNewer(pipeline::System &system, const plan::MatrixPlaces &places, StringRef folder) {
  FileStatus began = system.files.stat(support::joinPath(folder, matrixfile::began));
  std::string tree = support::joinPath(folder, "work");
  if (!began.exists() || !system.files.stat(tree).exists())
    return false;
  if (!system.files.stat(support::joinPath(tree, "build.ninja")).exists())
    return true;
  auto inputs = askNinja(system, tree, {"-t", "inputs", "all", "build.ninja"});
  // What compilers read besides, indented below each output.
  auto depended = askNinja(system, tree, {"-t", "deps"});
  if (!inputs || !depended)
    return true;
  llvm::StringSet<> seen;
  auto isNewer = [&](StringRef name) {
    if (!seen.insert(name).second)
      return false;
    std::string path = support::normalizePath(support::joinPath(tree, name), system.files);
    if (support::isBelow(path, places.project) || support::isBelow(path, places.folder))
      return false;
    FileStatus status = system.files.stat(path);
    return !status.exists() || status.id.mtime > began.id.mtime;
  };
  for (StringRef line : llvm::split(*inputs, '\n'))
    if (!line.empty() && isNewer(unquoted(line)))
      return true;
  for (StringRef line : llvm::split(*depended, '\n'))
    if (line.consume_front("    ") && isNewer(line))
      return true;
  return false;
}

} // namespace cudacc::commands
