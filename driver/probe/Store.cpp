#include "driver/probe/Store.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/probe/Environment.h"
#include "driver/probe/StoreForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace cudacc::probe {

using namespace core;

/// Of the layout below a root; another form of the kept files gets another number.
static constexpr llvm::StringLiteral layoutVersion = "1";
/// Of one kept file; that of an environment with all of NVIDIA's wheels has 60 KB.
static constexpr uint64_t largestKept = 1 << 20;

Store::Store(const Environment &environment, Files &files, unsigned uid) : files(files), uid(uid) {
  llvm::StringRef data = environment.getOr("XDG_DATA_HOME");
  llvm::StringRef home = environment.getOr("HOME");
  // The XDG specification: a path that is not absolute is to be ignored.
  if (data.starts_with("/"))
    roots.push_back((data + "/cuda-cc/" + layoutVersion).str());
  else if (home.starts_with("/"))
    roots.push_back((home + "/.local/share/cuda-cc/" + layoutVersion).str());
  llvm::StringRef tmp = environment.getOr("TMPDIR", "/tmp");
  if (!tmp.starts_with("/"))
    return;
  fallback = (tmp + "/cuda-cc-" + llvm::Twine(uid)).str();
  roots.push_back(fallback);
}

/// Somebody else's directory under TMPDIR would let them choose what is compiled.
bool Store::isTrusted(llvm::StringRef root) {
  if (root != fallback)
    return true;
  FileStatus status = files.stat(root);
  return status.kind == FileStatus::Kind::Directory && status.owner == uid &&
         (status.mode & 022) == 0 && !files.readLink(root);
}

bool Store::ready(llvm::StringRef root) {
  if (root == fallback)
    llvm::consumeError(files.makeDirectories(root, 0700));
  return isTrusted(root);
}

bool Store::unchanged(llvm::ArrayRef<FileId> inputs) {
  return llvm::all_of(inputs, [&](const FileId &id) {
    FileId now = files.stat(id.path).id;
    return now.device == id.device && now.inode == id.inode && now.size == id.size &&
           now.mtime == id.mtime;
  });
}

std::string Store::find(llvm::StringRef relative, FileStatus::Kind kind) {
  for (const std::string &root : roots) {
    if (!isTrusted(root))
      continue;
    std::string path = (root + "/" + relative).str();
    if (files.stat(path).kind == kind)
      return path;
  }
  return "";
}

static std::string nameOf(llvm::StringRef path) {
  return llvm::utohexstr(llvm::xxh3_64bits(path), /*LowerCase=*/true, 16);
}

void Store::keep(llvm::StringRef relative, llvm::StringRef text) {
  for (const std::string &root : roots) {
    if (!ready(root))
      continue;
    if (llvm::Error error = files.write((root + "/" + relative).str(), text))
      llvm::consumeError(std::move(error));
    else
      return;
  }
}

/// What is kept at \p relative when \p parse understands it, it is meant, and its inputs are
/// unchanged; else what \p read brings.
template <typename T>
llvm::Expected<T> Store::keptOr(const std::string &relative,
                                llvm::function_ref<std::optional<T>(llvm::StringRef)> parse,
                                llvm::function_ref<bool(const T &)> isMeant,
                                llvm::function_ref<llvm::Expected<T>()> read) {
  for (const std::string &root : roots) {
    if (!isTrusted(root))
      continue;
    auto text = files.read(root + "/" + relative, largestKept);
    if (!text) {
      llvm::consumeError(text.takeError());
      continue;
    }
    auto facts = parse(*text);
    if (facts && isMeant(*facts) && unchanged(facts->inputs))
      return std::move(*facts);
  }
  auto facts = read();
  if (facts && !facts->inputs.empty())
    keep(relative, serialise(*facts));
  return facts;
}

llvm::Expected<Toolkit> Store::toolkit(llvm::StringRef path,
                                       llvm::function_ref<llvm::Expected<Toolkit>()> read) {
  auto isMeant = [&](const Toolkit &facts) { return facts.nvcc == path; };
  return keptOr<Toolkit>("toolkits/" + nameOf(path), parseToolkit, isMeant, read);
}

llvm::Expected<HostCompiler>
Store::hostCompiler(llvm::StringRef path, llvm::function_ref<llvm::Expected<HostCompiler>()> read) {
  auto isMeant = [&](const HostCompiler &facts) { return facts.path == path; };
  return keptOr<HostCompiler>("hosts/" + nameOf(path), parseHostCompiler, isMeant, read);
}

llvm::Expected<PythonEnvironment>
Store::environment(llvm::StringRef prefix,
                   llvm::function_ref<llvm::Expected<PythonEnvironment>()> read) {
  auto isMeant = [&](const PythonEnvironment &facts) { return facts.prefix == prefix; };
  return keptOr<PythonEnvironment>("environments/" + nameOf(prefix), parseEnvironment, isMeant,
                                   read);
}

llvm::Expected<Target> Store::target(llvm::StringRef place, llvm::StringRef question,
                                     llvm::function_ref<llvm::Expected<KeptTarget>()> read) {
  auto isMeant = [&](const KeptTarget &kept) { return kept.question == question; };
  auto ask = [&] {
    auto kept = read();
    if (kept)
      kept->question = question.str();
    return kept;
  };
  auto kept = keptOr<KeptTarget>("targets/" + nameOf(place), parseTarget, isMeant, ask);
  if (!kept)
    return kept.takeError();
  return std::move(kept->target);
}

std::string Store::file(llvm::StringRef folder, llvm::StringRef name,
                        llvm::function_ref<std::string()> content) {
  std::string relative = (folder + "/" + name).str();
  if (std::string path = find(relative, FileStatus::Kind::Regular); !path.empty())
    return path;
  std::string text = content();
  for (const std::string &root : roots) {
    std::string path = root + "/" + relative;
    if (!ready(root))
      continue;
    if (llvm::Error error = files.write(path, text))
      llvm::consumeError(std::move(error));
    else
      return path;
  }
  return "";
}

std::string Store::directory(llvm::StringRef folder, llvm::StringRef name,
                             llvm::function_ref<llvm::Error(llvm::StringRef)> make) {
  std::string relative = (folder + "/" + name).str();
  // Whole only with what it knows about itself.
  llvm::StringRef known = ToolchainDirectory::factsName;
  if (std::string path = find((relative + "/" + known).str(), FileStatus::Kind::Regular);
      !path.empty())
    return llvm::StringRef(path).drop_back(known.size() + 1).str();
  for (const std::string &root : roots) {
    std::string path = root + "/" + relative;
    if (!ready(root))
      continue;
    if (llvm::Error error = make(path))
      llvm::consumeError(std::move(error));
    else
      return path;
  }
  return "";
}

std::unique_ptr<FileLock> Store::lock(llvm::StringRef name) {
  for (const std::string &root : roots)
    if (ready(root))
      if (auto held = files.lock((root + "/locks/" + name).str()))
        return held;
  return nullptr;
}

} // namespace cudacc::probe
