// SPDX-License-Identifier: Apache-2.0
#include "driver/support/PathSearch.h"

namespace cudacc::support {

using core::Environment;
using core::Files;

/// confstr(_CS_PATH) of glibc, which its execvp uses.
static constexpr llvm::StringLiteral defaultPath = "/bin:/usr/bin";

llvm::StringRef programPath(const Environment &environment) {
  return environment.get("PATH").value_or(defaultPath);
}

llvm::SmallVector<llvm::StringRef, 16> programFolders(const Environment &environment) {
  llvm::SmallVector<llvm::StringRef, 16> folders;
  programPath(environment).split(folders, ':');
  for (llvm::StringRef &folder : folders)
    if (folder.empty())
      folder = ".";
  return folders;
}

bool searchProgram(llvm::StringRef name, const Environment &environment, Files &files,
                   llvm::function_ref<bool(const std::string &)> take) {
  if (name.empty())
    return false;
  std::string path;
  for (llvm::StringRef folder : programFolders(environment)) {
    path.assign(folder);
    if (path.back() != '/')
      path += '/';
    path += name;
    if (files.executable(path) && take(path))
      return true;
  }
  return false;
}

std::string findProgram(llvm::StringRef name, const Environment &environment, Files &files) {
  std::string found = name.contains('/') ? name.str() : "";
  if (found.empty())
    searchProgram(name, environment, files, [&](const std::string &path) {
      found = path;
      return true;
    });
  return found;
}

} // namespace cudacc::support
