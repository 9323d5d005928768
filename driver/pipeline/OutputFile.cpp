// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/OutputFile.h"
#include "driver/core/Diagnostic.h"
#include "driver/plan/command/Link.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

static bool isSameFile(const FileStatus &one, const FileStatus &other) {
  return one.exists() && other.exists() && one.id.device == other.id.device &&
         one.id.inode == other.id.inode;
}

/// What was written into the same file changes its size or time, as a rule.
static bool isUnchanged(const FileStatus &one, const FileStatus &other) {
  return isSameFile(one, other) && one.id.size == other.id.size && one.id.mtime == other.id.mtime;
}

OutputFile::OutputFile(Files &files, const Invocation &call)
    : files(files), call(call), path(plan::outputOf(call)), before(files.stat(path)) {
  if (before.kind != FileStatus::Kind::Regular)
    return;
  old = llvm::expectedToOptional(files.open(path)).value_or(nullptr);
}

llvm::Error OutputFile::written() {
  after = files.stat(path);
  old.reset();
  if (after.unreachable)
    return makeError(Code::UnreadableFile, fmt::format("cannot read {}", path),
                     {{"because", "whether the linker wrote it could not be determined"}});
  made = isRegular() && !before.unreachable && !isUnchanged(before, after);
  return llvm::Error::success();
}

bool OutputFile::isInput() const {
  auto isOutput = [&](llvm::StringRef input) { return isSameFile(files.stat(input), after); };
  return llvm::any_of(call.sources, isOutput) ||
         llvm::any_of(call.linkInputs, [&](const LinkInput &input) {
           return input.kind == LinkInput::Kind::File && isOutput(input.text);
         });
}

void OutputFile::remove() {
  if (!made || !isSameFile(files.stat(path), after) || isInput())
    return;
  // A compiler may write through a symbolic link, which is not its own.
  if (auto real = files.realPath(path))
    files.remove(*real);
}

} // namespace cudacc::pipeline
