// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixInputs.h"
#include "driver/commands/matrix/RunMatrix.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Bytes of names that git or Ninja may print.
static constexpr size_t mostNames = size_t(1) << 30;

/// What \p program prints in \p folder. std::nullopt if it fails, or is not on PATH.
static std::optional<std::string> ask(pipeline::System &system, StringRef program,
                                      const std::string &folder,
                                      llvm::ArrayRef<std::string> words) {
  Command command;
  command.program = support::findProgram(program, system.environment, system.files);
  command.outputLimit = mostNames;
  command.argv = {program, "-C", folder};
  command.argv.addAll(words);
  if (command.program.empty())
    return std::nullopt;
  auto answer = llvm::expectedToOptional(system.runner.ask(command));
  return answer && answer->ended.ok() ? std::optional(std::move(answer->out)) : std::nullopt;
}

/// What `git ls-files` prints for \p project. False without git, or if this is none of its trees.
static bool addByGit(pipeline::System &system, const std::string &project,
                     std::vector<std::string> words, std::vector<std::string> &paths) {
  words.insert(words.begin(), {"ls-files", "-z"});
  auto names = ask(system, "git", project, words);
  if (!names)
    return false;
  for (StringRef name : llvm::split(*names, '\0'))
    if (!name.empty())
      paths.push_back(name.str());
  return true;
}

static void addBelow(Files &files, const std::string &project, const std::string &folder,
                     std::vector<std::string> &paths) {
  for (const std::string &name : files.list(support::joinPath(project, folder))) {
    if (name == ".git")
      continue;
    std::string path = folder.empty() ? name : support::joinPath(folder, name);
    std::string whole = support::joinPath(project, path);
    bool isFolder = files.stat(whole).kind == FileStatus::Kind::Directory && !files.readLink(whole);
    if (isFolder)
      addBelow(files, project, path, paths);
    else
      paths.push_back(std::move(path));
  }
}

/// Of a folder, as for the project; sorted.
static std::vector<std::string> filesOf(pipeline::System &system, const std::string &folder) {
  std::vector<std::string> paths, byGit;
  // A project in a folder that the repository around it ignores is none of git's.
  if (addByGit(system, folder, {"--cached", "--recurse-submodules"}, byGit) && !byGit.empty() &&
      addByGit(system, folder, {"--others", "--exclude-standard"}, byGit))
    paths = std::move(byGit);
  else
    addBelow(system.files, folder, "", paths);
  llvm::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

/// Empty if there is no such file, nor a link of that name.
static std::string inputLine(Files &files, StringRef whole, StringRef shown) {
  std::string link = files.readLink(whole).value_or("");
  FileStatus status = files.stat(whole);
  if (!status.exists() && link.empty())
    return "";
  return fmt::format("{}\n{}\n{} {} {}\n", shown, link, status.id.size, status.id.mtime,
                     status.mode);
}

MatrixInputFiles matrixInputs(pipeline::System &system, const std::string &project,
                              llvm::ArrayRef<std::string> beside, const std::string &results,
                              const MatrixReports &reports) {
  MatrixInputFiles found;
  found.paths = filesOf(system, project);
  std::string text, real = system.files.realPath(project).value_or(project);
  llvm::erase_if(found.paths, [&](const std::string &path) {
    std::string whole = support::joinPath(project, path);
    std::string state = inputLine(system.files, whole, path);
    if (support::isBelow(whole, results) || state.empty() ||
        reports.contains(support::joinPath(real, path)))
      return true;
    text += state;
    return false;
  });
  for (const std::string &folder : beside) {
    text += fmt::format("beside {}\n", folder);
    if (system.files.stat(folder).kind != FileStatus::Kind::Directory)
      text += inputLine(system.files, folder, folder);
    else
      for (const std::string &path : filesOf(system, folder))
        text += inputLine(system.files, support::joinPath(folder, path), path);
  }
  found.digest = plan::digest(text);
  return found;
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
  auto inputs = ask(system, "ninja", tree, {"-t", "inputs", "all", "build.ninja"});
  // What compilers read besides, indented below each output.
  auto depended = ask(system, "ninja", tree, {"-t", "deps"});
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
