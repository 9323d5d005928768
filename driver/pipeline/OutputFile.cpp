// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/OutputFile.h"
#include "driver/plan/command/Link.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

static bool isSameFile(const FileStatus &one, const FileStatus &other) {
  return one.exists() && other.exists() && one.id.device == other.id.device &&
         one.id.inode == other.id.inode;
}

/// Compares size and time too, as the inode of a removed file is soon reused.
static bool isUnchanged(const FileStatus &one, const FileStatus &other) {
  return isSameFile(one, other) && one.id.size == other.id.size && one.id.mtime == other.id.mtime;
}

OutputFile::OutputFile(Files &files, const Invocation &call)
    : files(files), call(call), path(plan::outputOf(call)), before(files.stat(path)) {}

void OutputFile::written() {
  after = files.stat(path);
  made = after.kind == FileStatus::Kind::Regular && !isUnchanged(before, after);
}

bool OutputFile::isInput() const {
  auto isOutput = [&](llvm::StringRef input) { return isSameFile(files.stat(input), after); };
  return llvm::any_of(call.sources, isOutput) ||
         llvm::any_of(call.linkInputs, [&](const LinkInput &input) {
           return input.kind == LinkInput::Kind::File && isOutput(input.text);
         });
}

void OutputFile::remove() {
  if (made && isSameFile(files.stat(path), after) && !isInput())
    files.remove(path);
}

} // namespace cudacc::pipeline
