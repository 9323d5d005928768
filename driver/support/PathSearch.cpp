#include "driver/support/PathSearch.h"

namespace cudacc::support {

/// confstr(_CS_PATH) of the GNU C library, which is what its execvp takes.
static constexpr llvm::StringLiteral defaultPath = "/bin:/usr/bin";

llvm::StringRef programPath(const core::Environment &environment) {
  return environment.get("PATH").value_or(defaultPath);
}

llvm::SmallVector<llvm::StringRef, 16> programFolders(const core::Environment &environment) {
  llvm::SmallVector<llvm::StringRef, 16> folders;
  programPath(environment).split(folders, ':');
  for (llvm::StringRef &folder : folders)
    if (folder.empty())
      folder = ".";
  return folders;
}

bool searchPath(llvm::StringRef name, const core::Environment &environment, core::Files &files,
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

} // namespace cudacc::support
