// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Launchers.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::pipeline {

using namespace core;

/// With -v build systems determine the compiler's defaults (R18).
static bool takesLauncher(const Invocation &call) {
  return call.kind == CallKind::Compile && !call.sources.empty() && call.launchers.empty() &&
         !call.verbose;
}

/// The parent's PID in `PID (NAME) STATE PPID ...`; NAME may contain any character.
static llvm::StringRef parentIn(llvm::StringRef stat) {
  return stat.substr(stat.rfind(')') + 1).ltrim().split(' ').second.split(' ').first;
}

/// \p program is this process's parent: it is in front already.
static bool isParent(Files &files, const std::string &program) {
  auto file = files.open("/proc/self/stat");
  char text[256];
  auto got = file ? (**file).readAt(0, text) : llvm::Expected<size_t>(file.takeError());
  if (!got) {
    llvm::consumeError(got.takeError());
    return false;
  }
  FileStatus parent =
      files.stat(fmt::format("/proc/{}/exe", parentIn(llvm::StringRef(text, *got))));
  FileStatus own = files.stat(program);
  return parent.exists() && parent.id.device == own.id.device && parent.id.inode == own.id.inode;
}

llvm::Expected<std::string> findLauncher(System &system, const Invocation &call,
                                         const Declaration &declaration) {
  if (declaration.launcher.empty() || !takesLauncher(call))
    return "";
  const Setting<std::string> &first = declaration.launcher.front();
  std::string program = support::expandHome(first.value, system.environment.getOr("HOME"));
  auto found = probe::locateCompiler(program, system.environment, system.files, system.selfFile);
  if (found)
    return isParent(system.files, found->path) ? "" : found->path;
  Finding finding = toFinding(found.takeError());
  llvm::StringRef rest = finding.message;
  if (rest.consume_front("the compiler"))
    finding.message = fmt::format("the launcher{}", rest);
  bool inFile = first.origin.kind == Origin::Kind::File;
  finding.facts.push_back(
      {"setting", fmt::format("{}{}", inFile ? "launcher in " : "", first.origin)});
  finding.fixes = {"install it, or give its path", "CUDA_CC_LAUNCHER=none compiles without it"};
  return makeError(std::move(finding));
}

void launch(const std::string &program, const Declaration &declaration, Command &command) {
  command.program = program;
  command.argv.add(program);
  for (const Setting<std::string> &word : llvm::ArrayRef(declaration.launcher).drop_front())
    command.argv.add(word.value);
}

llvm::Error launch(System &system, const Invocation &call, Command &command) {
  for (const std::string &word : call.launchers) {
    bool first = command.argv.empty();
    if (!first && llvm::StringRef(word).contains('=')) {
      command.argv.add(word);
      continue;
    }
    auto found = probe::locateCompiler(word, system.environment, system.files, system.selfFile);
    if (!found)
      return found.takeError();
    if (first)
      command.program = found->path;
    command.argv.add(first ? word : found->path);
  }
  return llvm::Error::success();
}

} // namespace cudacc::pipeline
