// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/toolchain/ToolchainFiles.h"
#include "driver/plan/command/RuntimePath.h"
#include "driver/plan/toolchain/DirectoryTexts.h"
#include "driver/report/text/DirectoryFiles.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Machine.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

/// The search path of a link that names \p use, which has all SONAMEs of one name.
static report::LibraryPath pathOf(const Declaration &declaration, const Target &target,
                                  llvm::StringRef name, const plan::RuntimeUse &use) {
  report::LibraryPath path;
  path.name = name.str();
  path.elements = plan::runtimePath(declaration, target, use);
  // F18, as in the link step.
  bool programs = !declaration.develop;
  if (programs)
    path.places = plan::runtimePlaces(target, use);
  else if (declaration.develop->value)
    llvm::append_range(path.elements, plan::runtimePlaces(target, use));
  return path;
}

static std::vector<report::LibraryPath> pathsOf(const Declaration &declaration,
                                                const Target &target) {
  // CMake cannot distinguish an absolute element from one of its own, which it removes; only the
  // link step adds it (V14, V15).
  if (target.layout.value.kind == Layout::System)
    return {};
  std::vector<std::pair<llvm::StringRef, plan::RuntimeUse>> uses;
  for (const TargetLibrary &row : target.libraries) {
    auto known = tables::libraryByFileName(row.soname);
    if (!known)
      continue;
    auto same = llvm::find_if(uses, [&](const auto &use) { return use.first == known->name; });
    if (same == uses.end())
      uses.push_back({known->name, {{&row}, false}});
    else
      same->second.rows.push_back(&row);
  }
  if (!target.torch.empty())
    uses.push_back({"torch", {{}, true}});
  std::vector<report::LibraryPath> paths;
  for (const auto &[name, use] : uses)
    paths.push_back(pathOf(declaration, target, name, use));
  return paths;
}

std::vector<TreeEntry> writtenFiles(const ToolchainDirectory &directory, const Target &target,
                                    const Toolkit *toolkit, const CrossTools &cross) {
  std::vector<TreeEntry> files;
  auto write = [&](llvm::StringRef path, std::string text) {
    files.push_back({path.str(), std::move(text), TreeEntry::Kind::File});
  };
  write("target.toml", report::targetToml(directory, target, toolkit));
  write("cmake/CudaCCTarget.cmake",
        report::targetCMake(directory.declaration, pathsOf(directory.declaration, target)));
  for (const plan::DirectoryText &text : plan::directoryTexts())
    files.push_back(plan::filled(text, directory));
  auto writeForMeson = [&](llvm::StringRef name, llvm::StringRef host) {
    write(name, report::mesonFile(directory, host, cross.binutils));
    files.back().namesPlace = true;
  };
  if (directory.machine.empty()) {
    writeForMeson("native.ini", "");
    writeForMeson("cross.ini", ownMachine().name);
  } else {
    writeForMeson("cross.ini", directory.machine);
    write("cmake/CudaCCMachine.cmake", report::machineCMake(directory, cross.root));
  }
  return files;
}

} // namespace cudacc::commands
