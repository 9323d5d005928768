// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/IncludePath.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;

static bool isC(const Invocation &call) {
  llvm::StringRef compiler = nameOf(call.compiler);
  if (call.cudaSources || compiler.contains("++") || call.sources.empty())
    return false;
  return llvm::all_of(call.sources, [](llvm::StringRef source) { return source.ends_with(".c"); });
}

IncludePath::IncludePath(const Invocation &call, const Toolkit *toolkit, const HostCompiler *host,
                         const Environment &env, Files &files)
    : files(files), toolkit(toolkit), host(host) {
  bool c = isC(call), nvcc = call.dialect == Dialect::Nvcc;
  languagePath = c ? "C_INCLUDE_PATH" : "CPLUS_INCLUDE_PATH";
  auto addKind = [&](IncludeDir::Kind kind, Source source) {
    for (const IncludeDir &dir : call.includes)
      if (dir.kind == kind)
        folders.push_back({dir.path, source});
  };
  auto addOwn = [&](llvm::ArrayRef<std::string> own, Source source) {
    for (const std::string &dir : own)
      folders.push_back({dir, source});
  };
  addKind(IncludeDir::Kind::Quote, Source::Quote);
  addKind(IncludeDir::Kind::Angle, Source::Angle);
  if (toolkit && nvcc)
    addOwn(toolkit->includeDirs, Source::Own);
  addList(env.get("CPATH"), Source::Cpath);
  addKind(IncludeDir::Kind::System, Source::System);
  if (toolkit && nvcc)
    addOwn(toolkit->systemIncludeDirs, Source::OwnSystem);
  // clang passes the toolkit's directory as -internal-isystem.
  if (toolkit && !nvcc && call.cudaSources)
    addOwn(toolkit->includeDirs, Source::OwnSystem);
  addList(env.get(languagePath), Source::LanguagePath);
  if (host && !call.nostdinc)
    for (const std::string &dir : c ? host->cIncludes : host->cxxIncludes)
      folders.push_back({dir, Source::BuiltIn, toolkit != nullptr});
  addKind(IncludeDir::Kind::After, Source::After);
}

void IncludePath::addList(std::optional<llvm::StringRef> list, Source source) {
  if (!list || list->empty())
    return;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  list->split(parts, ':');
  for (llvm::StringRef part : parts)
    folders.push_back({part.empty() ? "." : part, source});
}

static bool sameFile(const FileId &a, const FileId &b) {
  return a.device == b.device && a.inode == b.inode;
}

bool IncludePath::isSystem(const Folder &folder) {
  if (!systemIds) {
    systemIds.emplace();
    for (const Folder &each : folders)
      if (each.ofSystem())
        if (FileStatus status = files.stat(each.path); status.exists())
          systemIds->push_back(status.id);
  }
  FileId id = files.stat(folder.path).id;
  return llvm::any_of(*systemIds, [&](const FileId &each) { return sameFile(each, id); });
}

void IncludePath::eachWith(llvm::StringRef name, bool quoted,
                           llvm::function_ref<bool(const Folder &)> visit,
                           FileStatus::Kind wanted) {
  llvm::SmallVector<const Folder *, 2> moved;
  for (const Folder &folder : folders) {
    if (!folder.searched && moved.empty())
      continue;
    if (!quoted && folder.source == Source::Quote)
      continue;
    FileStatus status = files.stat(joinPath(folder.path, name));
    if (!status.exists() ||
        (status.kind == FileStatus::Kind::Directory) != (wanted == FileStatus::Kind::Directory))
      continue;
    if (!folder.ofSystem() && isSystem(folder)) {
      moved.push_back(&folder);
      continue;
    }
    if (folder.searched) {
      if (!visit(folder))
        return;
      continue;
    }
    // In a host call, a built-in directory counts only if it is also named by the caller.
    FileId id = files.stat(folder.path).id;
    for (const Folder *each : moved)
      if (sameFile(files.stat(each->path).id, id)) {
        if (!visit(*each))
          return;
        break;
      }
  }
}

std::string IncludePath::describe(const Folder &folder) const {
  switch (folder.source) {
  case Source::Quote:
    return fmt::format("-iquote {}", folder.path);
  case Source::Angle:
    return fmt::format("-I {}", folder.path);
  case Source::Own:
  case Source::OwnSystem:
    return "nvcc's own";
  case Source::Cpath:
    return "CPATH";
  case Source::System:
    return fmt::format("-isystem {}", folder.path);
  case Source::LanguagePath:
    return languagePath.str();
  case Source::BuiltIn:
    return fmt::format("built-in directory of {}", support::nameOf(host->path));
  case Source::After:
    return fmt::format("-idirafter {}", folder.path);
  }
  return "";
}

} // namespace cudacc::probe
