#include "driver/probe/Headers.h"
#include "driver/probe/HeaderVersion.h"
#include "driver/probe/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::probe {

using namespace core;

static constexpr llvm::StringLiteral coreHeaders[] = {"cuda.h", "cuda_runtime_api.h"};

namespace {
/// Where a folder came from; with its text it makes `foundBy`, which only a hit needs.
enum class Source : uint8_t {
  Quote,
  Angle,
  Own,
  Cpath,
  System,
  OwnSystem,
  LanguagePath,
  BuiltIn,
  After,
};

struct Folder {
  llvm::StringRef path;
  Source source;
  /// Part of gcc's system chain: a folder of it does not count where -I names it.
  bool ofSystem() const { return source >= Source::System; }
  /// Known only so that an -I can be recognised as a system folder.
  bool searched = true;
};

class Search {
public:
  Search(const Invocation &call, const Toolkit *toolkit, const HostCompiler *host,
         const Environment &env, Files &files);
  void find(llvm::StringRef name, std::vector<FoundHeader> &found);

private:
  void addList(std::optional<llvm::StringRef> list, Source source);
  bool isSystem(const Folder &folder);
  std::string describe(const Folder &folder) const;
  void eachWith(llvm::StringRef name, bool quoted, llvm::function_ref<bool(const Folder &)> visit);
  const Component *knownAt(llvm::StringRef path) const;
  FoundHeader read(const Folder &folder, llvm::StringRef name, HeaderVersion &version);
  bool isCudas(const Folder &folder, llvm::StringRef name, const HeaderVersion &version);

  Files &files;
  const Toolkit *toolkit;
  const HostCompiler *host;
  llvm::StringRef languagePath;
  llvm::SmallVector<Folder, 32> folders;
  /// Identity of the system folders; made when the first header is found.
  std::optional<llvm::SmallVector<FileId, 16>> systemIds;
};
} // namespace

static bool isC(const Invocation &call) {
  llvm::StringRef compiler = nameOf(call.compiler);
  if (call.cudaSources || compiler.contains("++") || call.sources.empty())
    return false;
  return llvm::all_of(call.sources, [](llvm::StringRef source) { return source.ends_with(".c"); });
}

Search::Search(const Invocation &call, const Toolkit *toolkit, const HostCompiler *host,
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
  // clang gives the toolkit's folder as -internal-isystem.
  if (toolkit && !nvcc && call.cudaSources)
    addOwn(toolkit->includeDirs, Source::OwnSystem);
  addList(env.get(languagePath), Source::LanguagePath);
  if (host && !call.nostdinc)
    for (const std::string &dir : c ? host->cIncludes : host->cxxIncludes)
      folders.push_back({dir, Source::BuiltIn, toolkit != nullptr});
  addKind(IncludeDir::Kind::After, Source::After);
}

void Search::addList(std::optional<llvm::StringRef> list, Source source) {
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

bool Search::isSystem(const Folder &folder) {
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

/// Calls \p visit for every folder that has the file, as the search comes to it, while it returns
/// true.
void Search::eachWith(llvm::StringRef name, bool quoted,
                      llvm::function_ref<bool(const Folder &)> visit) {
  llvm::SmallVector<const Folder *, 2> moved;
  for (const Folder &folder : folders) {
    if (!folder.searched && moved.empty())
      continue;
    if (!quoted && folder.source == Source::Quote)
      continue;
    FileStatus status = files.stat(joinPath(folder.path, name));
    if (!status.exists() || status.kind == FileStatus::Kind::Directory)
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
    // A built-in folder of a host call counts only when the caller named it, too.
    FileId id = files.stat(folder.path).id;
    for (const Folder *each : moved)
      if (sameFile(files.stat(each->path).id, id)) {
        if (!visit(*each))
          return;
        break;
      }
  }
}

std::string Search::describe(const Folder &folder) const {
  switch (folder.source) {
  case Source::Quote:
    return ("-iquote " + folder.path).str();
  case Source::Angle:
    return ("-I " + folder.path).str();
  case Source::Own:
  case Source::OwnSystem:
    return "nvcc's own";
  case Source::Cpath:
    return "CPATH";
  case Source::System:
    return ("-isystem " + folder.path).str();
  case Source::LanguagePath:
    return languagePath.str();
  case Source::BuiltIn:
    return "built-in directory of " + nameOf(host->path).str();
  case Source::After:
    return ("-idirafter " + folder.path).str();
  }
  return "";
}

/// The toolkit's own header, read when its facts were: they hold while it is unchanged.
const Component *Search::knownAt(llvm::StringRef path) const {
  if (!toolkit)
    return nullptr;
  for (const Component &part : toolkit->components)
    if (part.path == path && part.cuda.known())
      return &part;
  return nullptr;
}

FoundHeader Search::read(const Folder &folder, llvm::StringRef name, HeaderVersion &version) {
  FoundHeader header;
  header.name = name.str();
  header.path = joinPath(folder.path, name);
  if (const Component *known = knownAt(header.path)) {
    version.cuda = known->cuda;
    version.saysCuda = true;
  } else {
    version = readHeaderVersion(header.path, files);
  }
  header.cuda = version.cuda;
  header.problem = version.problem;
  return header;
}

/// As toolkits and wheels have them: targets/x86_64-linux/include, nvidia/cu13/include.
static bool isCudaFolder(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  path.split(parts, '/', -1, /*KeepEmpty=*/false);
  size_t count = parts.size();
  if (count < 3 || parts[count - 1] != "include")
    return false;
  return parts[count - 3] == "nvidia" ||
         (parts[count - 3] == "targets" && parts[count - 2].contains("-linux"));
}

/// Whether a header that does not say so is CUDA's all the same: one that was cut off.
/// Asked only about such a file.
bool Search::isCudas(const Folder &folder, llvm::StringRef name, const HeaderVersion &version) {
  if (version.saysCuda || version.unread || folder.source == Source::Own ||
      folder.source == Source::OwnSystem)
    return true;
  std::string real = files.realPath(folder.path).value_or(folder.path.str());
  if (isCudaFolder(real) || isCudaFolder(folder.path) ||
      files.executable(joinPath(parentOf(real), "bin/nvcc")))
    return true;
  // A project that replaces CUDA by something of its own has files of the common names, too.
  for (llvm::StringRef beside : {"crt/host_defines.h", "cuda_device_runtime_api.h", "cudaGL.h"})
    if (files.stat(joinPath(folder.path, beside)).exists())
      return true;
  std::string other =
      joinPath(folder.path, name == coreHeaders[0] ? coreHeaders[1] : coreHeaders[0]);
  return files.stat(other).exists() && readHeaderVersion(other, files).saysCuda;
}

void Search::find(llvm::StringRef name, std::vector<FoundHeader> &found) {
  bool hasQuote = !folders.empty() && folders.front().source == Source::Quote;
  const Folder *last = nullptr;
  for (bool quoted : {true, false}) {
    if (quoted && !hasQuote)
      continue;
    eachWith(name, quoted, [&](const Folder &folder) {
      HeaderVersion version;
      if (&folder == last)
        return false;
      FoundHeader header = read(folder, name, version);
      // The compiler takes the first file of the name, whoever's it is.
      if (!isCudas(folder, name, version))
        return version.passesOn;
      header.foundBy = describe(folder);
      found.push_back(std::move(header));
      last = &folder;
      return false;
    });
  }
}

std::vector<FoundHeader> findCudaHeaders(const Invocation &call, const Toolkit *toolkit,
                                         const HostCompiler *host, const Environment &env,
                                         Files &files) {
  std::vector<FoundHeader> found;
  Search search(call, toolkit, host, env, files);
  for (llvm::StringRef name : coreHeaders)
    search.find(name, found);
  return found;
}

} // namespace cudacc::probe
