// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/WorkFolder.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/Toolchain.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;

llvm::Expected<std::unique_ptr<WorkFolder>> WorkFolder::make(pipeline::System &system,
                                                             const std::string &parent) {
  Files &files = system.files;
  std::string absolute = support::absolute(parent, files);
  FileStatus status = files.stat(absolute);
  if (status.exists() && status.kind != FileStatus::Kind::Directory)
    return makeError(Code::CannotWrite, fmt::format("cannot write into {}: no directory", parent));
  if (!status.exists())
    if (llvm::Error error = files.makeDirectories(absolute))
      return error;
  std::string madeParent = status.exists() ? "" : absolute;
  auto folder = files.makeTemporary(absolute + "/.cuda-cc-");
  if (!folder && !madeParent.empty())
    files.remove(madeParent);
  if (!folder)
    return folder.takeError();
  return std::unique_ptr<WorkFolder>(
      new WorkFolder(system, std::move(*folder), std::move(madeParent)));
}

llvm::Expected<std::unique_ptr<WorkFolder>> WorkFolder::makeTemporary(pipeline::System &system) {
  return make(system, system.environment.getOr("TMPDIR", "/tmp").str());
}

WorkFolder::~WorkFolder() {
  run::removeTree(system.files, folder);
  // Only an empty folder is removed.
  if (!madeParent.empty() && system.files.list(madeParent).empty())
    system.files.remove(madeParent);
}

llvm::Expected<std::string> WorkFolder::makeFolder(llvm::StringRef name) {
  std::string path = support::joinPath(folder, name);
  if (llvm::Error error = system.files.makeDirectories(path, 0700))
    return error;
  return path;
}

} // namespace cudacc::commands
