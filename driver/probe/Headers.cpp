#include "driver/probe/Headers.h"
#include "driver/probe/HeaderVersion.h"
#include "driver/probe/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::probe {

using namespace core;

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
  const Folder *firstWith(llvm::StringRef name, bool quoted);
  const Component *knownAt(llvm::StringRef path) const;

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

const Folder *Search::firstWith(llvm::StringRef name, bool quoted) {
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
    if (folder.searched)
      return &folder;
    // A built-in folder of a host call counts only when the caller named it, too.
    FileId id = files.stat(folder.path).id;
    for (const Folder *each : moved)
      if (sameFile(files.stat(each->path).id, id))
        return each;
  }
  return nullptr;
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

void Search::find(llvm::StringRef name, std::vector<FoundHeader> &found) {
  bool hasQuote = !folders.empty() && folders.front().source == Source::Quote;
  const Folder *last = nullptr;
  for (bool quoted : {true, false}) {
    if (quoted && !hasQuote)
      continue;
    const Folder *folder = firstWith(name, quoted);
    if (!folder || folder == last)
      continue;
    last = folder;
    FoundHeader header;
    header.name = name.str();
    header.path = joinPath(folder->path, name);
    if (const Component *known = knownAt(header.path)) {
      header.cuda = known->cuda;
    } else {
      HeaderVersion version = readHeaderVersion(header.path, files);
      header.cuda = version.cuda;
      header.problem = version.problem;
    }
    header.foundBy = describe(*folder);
    found.push_back(std::move(header));
  }
}

std::vector<FoundHeader> findCudaHeaders(const Invocation &call, const Toolkit *toolkit,
                                         const HostCompiler *host, const Environment &env,
                                         Files &files) {
  std::vector<FoundHeader> found;
  Search search(call, toolkit, host, env, files);
  for (llvm::StringRef name : {"cuda.h", "cuda_runtime_api.h"})
    search.find(name, found);
  return found;
}

} // namespace cudacc::probe
