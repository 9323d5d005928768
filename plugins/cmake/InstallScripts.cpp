// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Paths.h"
#include "plugins/cmake/Generators.h"
#include "plugins/cmake/Script.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::cmake {

using namespace core;
using llvm::StringRef;

namespace {

class InstallReader {
public:
  InstallReader(Files &files, audit::BuildModel &model) : files(files), model(model) {
    if (!model.isDescribed)
      for (audit::BuildTarget &target : model.targets)
        for (const std::string &path : target.artefacts)
          undescribed[path] = &target;
  }
  /// Reads \p path and the files it includes, each once.
  llvm::Error read(const std::string &path);

private:
  Files &files;
  audit::BuildModel &model;
  llvm::StringSet<> seen;
  std::vector<std::string> waiting;
  /// Files installed by the last `file(INSTALL)` before an edit.
  std::vector<std::string> installed;
  /// Targets without a description, by artefact; only these scripts show that they are installed.
  llvm::StringMap<audit::BuildTarget *> undescribed;

  void take(const ScriptCommand &command);
  void takeEdit(const ScriptCommand &command);
};

} // namespace

/// `file(RPATH_CHANGE FILE F OLD_RPATH A NEW_RPATH B [INSTALL_REMOVE_ENVIRONMENT_RPATH])`,
/// `file(RPATH_SET FILE F NEW_RPATH B)`, `file(RPATH_REMOVE FILE F)`.
void InstallReader::takeEdit(const ScriptCommand &command) {
  StringRef action = command.arguments[0];
  audit::PathEdit edit;
  edit.from = command.after("OLD_RPATH").str();
  edit.to = command.after("NEW_RPATH").str();
  edit.dropsRest = command.has("INSTALL_REMOVE_ENVIRONMENT_RPATH");
  edit.replacesAll = action == "RPATH_SET" || action == "RPATH_REMOVE";
  for (const std::string &artefact : installed) {
    edit.artefact = artefact;
    model.edits.push_back(edit);
  }
}

void InstallReader::take(const ScriptCommand &command) {
  const std::vector<std::string> &words = command.arguments;
  if (command.name == "include" && words.size() == 1 &&
      support::nameOf(words[0]) == "cmake_install.cmake")
    waiting.push_back(words[0]);
  if (command.name != "file" || words.empty())
    return;
  StringRef action = words[0];
  if (action == "RPATH_CHANGE" || action == "RPATH_SET" || action == "RPATH_REMOVE")
    return takeEdit(command);
  if (action != "INSTALL")
    return;
  installed.clear();
  bool isFile = false;
  for (StringRef word : words) {
    if (isFile && word.starts_with("/"))
      installed.push_back(word.str());
    isFile |= word == "FILES";
  }
  for (const std::string &path : installed)
    if (audit::BuildTarget *target = undescribed.lookup(path))
      target->destinations.push_back(command.after("DESTINATION").str());
}

llvm::Error InstallReader::read(const std::string &path) {
  waiting.push_back(path);
  while (!waiting.empty()) {
    std::string next = std::move(waiting.back());
    waiting.pop_back();
    // A subdirectory excluded from the build has no script.
    if (!seen.insert(next).second || !files.stat(next).exists())
      continue;
    auto text = files.read(next, 64 << 20);
    if (!text)
      return text.takeError();
    installed.clear();
    readScript(*text, [&](const ScriptCommand &command) { take(command); });
  }
  return llvm::Error::success();
}

llvm::Error readInstallScripts(Files &files, audit::BuildModel &model) {
  return InstallReader(files, model).read(model.build + "/cmake_install.cmake");
}

} // namespace cudacc::cmake
