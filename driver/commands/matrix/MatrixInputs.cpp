// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixInputs.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Bytes of names that git may print.
static constexpr size_t mostNames = size_t(1) << 30;

/// What `git ls-files` prints for \p project. False without git, or if this is none of its trees.
static bool addByGit(pipeline::System &system, const std::string &project,
                     std::vector<std::string> words, std::vector<std::string> &paths) {
  std::string git = support::findProgram("git", system.environment, system.files);
  if (git.empty())
    return false;
  Command command;
  command.program = git;
  command.outputLimit = mostNames;
  words.insert(words.begin(), {"git", "-C", project, "ls-files", "-z"});
  for (const std::string &word : words)
    command.argv.add(word);
  auto answer = llvm::expectedToOptional(system.runner.ask(command));
  if (!answer || answer->ended.status != 0 || answer->ended.signal)
    return false;
  for (StringRef name : llvm::split(answer->out, '\0'))
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

} // namespace cudacc::commands
