#include "driver/Compilers.h"
#include "driver/plan/Nvcc.h"
#include "driver/probe/Locate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc {

using namespace core;

/// R4: nvcc derives its root from argv[0] without following links, so argv[0] lies beside an
/// nvcc.profile where one of the two does. A script has its own way to the real one.
static std::string nvccPath(Files &files, const std::string &found) {
  auto beside = [&](llvm::StringRef path) {
    return files.stat((llvm::sys::path::parent_path(path) + "/nvcc.profile").str()).exists();
  };
  if (beside(found))
    return found;
  auto real = files.realPath(found);
  return real && beside(*real) ? *real : found;
}

static llvm::Expected<std::string> find(World &world, llvm::StringRef name) {
  auto found = probe::locateCompiler(name, world.environment, world.files, world.selfFile);
  if (!found)
    return found.takeError();
  return found->path;
}

/// argv[0] of a host compiler: as the caller typed it, which is what its messages begin with; a
/// name that leads to us is replaced by the real place, from which gcc derives its own directories.
static std::string hostName(const Invocation &call, const std::string &path) {
  return call.role == Role::Launcher && call.launchers.empty() ? call.compiler : path;
}

llvm::Expected<Started> findCompiler(World &world, const Invocation &call,
                                     const Declaration &declaration,
                                     const ToolchainDirectory *directory) {
  Started started;
  llvm::StringRef base = llvm::sys::path::filename(call.compiler);
  const std::string *baked =
      directory && call.role == Role::Masquerade ? directory->compiler(base) : nullptr;
  std::string argv0;
  if (baked) {
    started.compiler = argv0 = *baked;
    started.foundBy = "recorded in the toolchain directory";
  } else if (call.dialect == Dialect::Nvcc) {
    if (directory && !directory->nvcc.empty() && call.role != Role::Launcher) {
      started.compiler = directory->nvcc;
      started.foundBy = "recorded in the toolchain directory";
    } else {
      bool named = call.role == Role::Launcher && llvm::StringRef(call.compiler).contains('/');
      auto found = named ? probe::locateCompiler(call.compiler, world.environment, world.files,
                                                 world.selfFile)
                         : probe::locateNvcc(declaration.toolkit, world.environment, world.files,
                                             world.selfFile);
      if (!found)
        return found.takeError();
      started.compiler = nvccPath(world.files, found->path);
      started.foundBy = found->foundBy;
    }
    argv0 = started.compiler;
    started.command.unset = plan::leakedByNvcc(world.environment.entries);
  } else {
    auto found = find(world, call.compiler);
    if (!found)
      return found.takeError();
    started.compiler = *found;
    started.foundBy = "named on the command line";
    argv0 = hostName(call, started.compiler);
  }
  // A path is started as it was written: a script sees it as its name.
  bool written = !baked && call.role == Role::Launcher && call.dialect != Dialect::Nvcc &&
                 llvm::StringRef(call.compiler).contains('/');
  started.command.program = written ? call.compiler : started.compiler;
  for (const std::string &launcher : call.launchers) {
    auto found = find(world, launcher);
    if (!found)
      return found.takeError();
    if (started.command.argv.empty())
      started.command.program = *found;
    started.command.argv.add(started.command.argv.empty() ? launcher : *found);
  }
  started.command.argv.add(argv0);
  return started;
}

/// nvcc asks for g++ to link where it compiles with gcc, and for clang++ beside clang; any other
/// name does both (observed with 13.0).
static llvm::StringRef partner(llvm::StringRef name) {
  if (name == "gcc")
    return "g++";
  if (name == "clang")
    return "clang++";
  if (name == "g++")
    return "gcc";
  return "";
}

/// A compiler that nvcc starts by its name lies in a directory that nvcc puts in front of PATH, or
/// on PATH.
static llvm::Expected<std::string> findForNvcc(World &world, llvm::StringRef name,
                                               const Toolkit *toolkit) {
  if (toolkit && !name.contains('/'))
    for (const std::string &folder : toolkit->pathDirs)
      if (std::string path = folder + "/" + name.str();
          world.files.executable(path) && !world.selfFile.is(path))
        return path;
  return find(world, name);
}

NvccHost findNvccHost(World &world, const Invocation &call, const Declaration &declaration,
                      const Toolkit *toolkit, bool every) {
  NvccHost host;
  std::string meant;
  if (call.ccbin)
    meant = call.ccbin->str();
  else if (!declaration.hostCompiler.value.empty())
    meant = declaration.hostCompiler.value;
  else
    meant = world.environment.getOr("NVCC_CCBIN").str();
  auto add = [&](llvm::StringRef name, llvm::StringRef inDirectory) {
    std::string where = inDirectory.empty() ? name.str() : (inDirectory + "/" + name).str();
    auto found = findForNvcc(world, where, toolkit);
    if (found)
      host.names.emplace_back(name.str(), *found);
    else
      llvm::consumeError(found.takeError());
    return bool(found);
  };
  bool isDirectory = !meant.empty() && world.files.stat(meant).kind == FileStatus::Kind::Directory;
  if (meant.empty() || isDirectory) {
    add("gcc", meant);
    if (every)
      add("g++", meant);
  } else {
    llvm::StringRef folder = llvm::sys::path::parent_path(meant);
    host.name = llvm::sys::path::filename(meant).str();
    if (add(host.name, folder) && every)
      if (llvm::StringRef other = partner(host.name); !other.empty())
        add(other, folder.empty() ? llvm::sys::path::parent_path(host.names[0].second) : folder);
  }
  if (!host.names.empty())
    host.compiler = host.names.front().second;
  return host;
}

} // namespace cudacc
