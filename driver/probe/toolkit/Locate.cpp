// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/Locate.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/probe/toolkit/Packages.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ProgramNames.h"
#include "driver/support/ReadWhole.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;

static constexpr size_t headSize = 4096;
static constexpr llvm::StringLiteral elfMagic = "\x7f"
                                                "ELF";

static std::string readHead(llvm::StringRef path, Files &files) {
  return llvm::expectedToOptional(readStart(files, path, headSize)).value_or("");
}

Self::Self(llvm::StringRef path, Files &files) : files(files), path(path.str()) {
  if (!path.empty())
    status = files.stat(path);
}

bool Self::is(llvm::StringRef candidate) {
  if (!status.exists())
    return false;
  FileStatus other = files.stat(candidate);
  if (!other.exists())
    return false;
  if (other.id.device == status.id.device && other.id.inode == status.id.inode)
    return true;
  // A copy has the same size, except for the fingerprint appended in a toolchain directory.
  constexpr uint64_t trailer = 256;
  uint64_t larger = std::max(other.id.size, status.id.size);
  if (larger - std::min(other.id.size, status.id.size) > trailer || larger < headSize)
    return false;
  if (head.empty())
    head = readHead(path, files);
  return !head.empty() && readHead(candidate, files) == head;
}

/// Path of the first program \p name on PATH that is not cuda-cc and not passed over; empty if
/// there is none.
static std::string firstOnPath(
    llvm::StringRef name, const Environment &env, Files &files, Self &self,
    llvm::function_ref<bool(llvm::StringRef)> isPassedOver = [](llvm::StringRef) {
      return false;
    }) {
  std::string found;
  searchProgram(name, env, files, [&](const std::string &path) {
    if (!self.is(path) && !isPassedOver(path))
      found = absolute(path, files);
    return !found.empty();
  });
  return found;
}

std::string cacheBehind(llvm::StringRef path, Files &files) {
  auto real = files.readLink(path) ? files.realPath(path) : std::nullopt;
  return real && isLauncherName(nameOf(*real)) ? *real : "";
}

/// The nvcc in \p root, or \p root itself if it is a file; empty if there is no executable.
static std::string nvccIn(llvm::StringRef root, Files &files) {
  if (files.stat(root).kind == FileStatus::Kind::Regular)
    return files.executable(root) ? root.str() : "";
  for (llvm::StringRef inside : {"bin/nvcc", "nvcc"}) {
    std::string path = joinPath(root, inside);
    if (files.executable(path))
      return path;
  }
  return "";
}

static llvm::Expected<Located> locateDeclared(const Setting<std::string> &toolkit,
                                              const Environment &env, Files &files, Self &self) {
  std::string root = absolute(expandHome(toolkit.value, env.getOr("HOME")), files);
  std::string nvcc = nvccIn(root, files);
  std::string setting = toolkit.origin.kind == Origin::Kind::File
                            ? fmt::format("toolkit in {}", toolkit.origin)
                            : toolkit.origin.str();
  if (nvcc.empty())
    return makeError(
        Code::NoToolkit, "the declared CUDA toolkit has no nvcc",
        {{"searched", fmt::format("{}, {}", root, support::joinPath(root, "bin/nvcc"))},
         {"setting", setting}});
  if (self.is(nvcc))
    return makeError(Code::NoToolkit, "the declared CUDA toolkit is cuda-cc itself",
                     {{"nvcc", nvcc}, {"setting", setting}});
  return Located{nvcc, setting};
}

/// Where nvcc is searched after PATH: the reason and the root.
static std::array<std::pair<llvm::StringRef, llvm::StringRef>, 3>
toolkitPlaces(const Environment &env) {
  return {{{"CUDA_PATH", env.getOr("CUDA_PATH")},
           {"CUDA_HOME", env.getOr("CUDA_HOME")},
           {"/usr/local/cuda", "/usr/local/cuda"}}};
}

llvm::Expected<Located> locateNvcc(const Setting<std::string> &toolkit, const Environment &env,
                                   Files &files, Self &self) {
  if (toolkit.value == "fetch")
    return makeError(Code::NoToolkit, "a toolkit is fetched for a toolchain directory alone",
                     {{"setting", fmt::format("toolkit = \"fetch\" in {}", toolkit.origin)}},
                     {"cuda-cc toolchain build/cuda && . build/cuda/activate"});
  if (!toolkit.value.empty() && toolkit.value != "auto")
    return locateDeclared(toolkit, env, files, self);
  std::string cache;
  auto isCache = [&](llvm::StringRef path) {
    std::string behind = cacheBehind(path, files);
    if (cache.empty())
      cache = behind;
    return !behind.empty();
  };
  if (std::string found = firstOnPath("nvcc", env, files, self, isCache); !found.empty())
    return Located{std::move(found), "first on PATH", std::move(cache)};
  std::string searched = "PATH";
  for (auto [why, root] : toolkitPlaces(env)) {
    searched += why == root    ? fmt::format(", {}", why)
                : root.empty() ? fmt::format(", {} (not set)", why)
                               : fmt::format(", {}={}", why, root);
    if (root.empty())
      continue;
    std::string nvcc = nvccIn(absolute(root, files), files);
    if (!nvcc.empty() && !self.is(nvcc))
      return Located{nvcc, why.str(), std::move(cache)};
  }
  return makeError(
      Code::NoToolkit, "no CUDA toolkit was found", {{"searched", searched}},
      {"put the toolkit's bin on PATH, or set toolkit = \"PATH\" in cuda-cc.toml",
       "fetch one that serves the declared runtime: cuda-cc toolchain build/cuda --fetch"});
}

llvm::Expected<Located> locateCompiler(llvm::StringRef name, const Environment &env, Files &files,
                                       Self &self) {
  if (name.contains('/')) {
    std::string path = absolute(name, files);
    if (!files.executable(path))
      return makeError(Code::NoCompiler,
                       fmt::format("the compiler {} was not found", support::quoted(name)),
                       {{"searched", path}});
    if (self.is(path))
      return makeError(Code::NoCompiler,
                       fmt::format("the compiler {} is cuda-cc itself", support::quoted(name)),
                       {{"path", path}});
    return Located{path, "the command line"};
  }
  if (std::string found = firstOnPath(name, env, files, self); !found.empty())
    return Located{std::move(found), "first on PATH"};
  bool isSet = env.get("PATH").has_value();
  return makeError(Code::NoCompiler,
                   fmt::format("the compiler {} was not found", support::quoted(name)),
                   {{"searched", isSet ? fmt::format("PATH={}", programPath(env))
                                       : fmt::format("PATH is not set, so {}", programPath(env))}});
}

std::string locateOther(llvm::StringRef name, const Environment &env, Files &files, Self &self,
                        llvm::ArrayRef<std::string> passed) {
  auto serves = [&](const std::string &path) {
    return !llvm::is_contained(passed, path) && !self.is(path) &&
           llvm::StringRef(readHead(path, files)).starts_with(elfMagic);
  };
  std::string found;
  searchProgram(name, env, files, [&](const std::string &path) {
    if (std::string whole = absolute(path, files); serves(whole))
      found = std::move(whole);
    return !found.empty();
  });
  if (!found.empty() || name != "nvcc")
    return found;
  for (auto [why, root] : toolkitPlaces(env))
    if (std::string nvcc = root.empty() ? "" : nvccIn(absolute(root, files), files);
        !nvcc.empty() && serves(nvcc))
      return nvcc;
  return "";
}

/// Determined from the toolkit's headers, else from version.json.
static CudaVersion versionOf(llvm::StringRef root, Files &files) {
  std::vector<std::string> folders = targetFolders();
  folders.insert(folders.begin(), "");
  for (const std::string &folder : folders) {
    std::string path = joinPath(joinPath(root, folder), "include/cuda.h");
    if (files.stat(path).exists())
      return readHeaderVersion(path, files).cuda;
  }
  return CudaVersion::parse(versionInJson(readVersionJson(root, files), "cuda"))
      .value_or(CudaVersion{});
}

/// The real toolkit of a directory whose parts are symbolic links into it, such as `/usr/local`
/// with `nvvm` and `lib64` of cuda-13.0; otherwise \p root.
static std::string behindLinks(const std::string &root, Files &files) {
  for (const char *part : {"nvvm", "targets", "lib64"}) {
    auto real = files.realPath(joinPath(root, part));
    std::string other = real ? parentOf(*real).str() : "";
    if (!other.empty() && other != root && files.executable(joinPath(other, "bin/nvcc")))
      return other;
  }
  return root;
}

std::vector<FoundToolkit> otherToolkits(const Environment &env, Files &files, Self &self) {
  std::vector<std::string> roots;
  searchProgram("nvcc", env, files, [&](const std::string &path) {
    if (!self.is(path))
      roots.push_back(grandparentOf(files.realPath(path).value_or(absolute(path, files))).str());
    return false;
  });
  for (llvm::StringRef variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto root = env.getOr(variable); !root.empty())
      roots.push_back(absolute(root, files));
  for (llvm::StringRef folder : {"/usr/local", "/opt"})
    for (const std::string &name : files.list(folder))
      if (llvm::StringRef(name).starts_with("cuda"))
        roots.push_back(joinPath(folder, name));

  std::vector<FoundToolkit> found;
  std::vector<std::string> seen;
  for (const std::string &root : roots) {
    std::string real = behindLinks(files.realPath(root).value_or(root), files);
    std::string nvcc = joinPath(real, "bin/nvcc");
    if (llvm::is_contained(seen, real) || !files.executable(nvcc) || self.is(nvcc))
      continue;
    seen.push_back(real);
    if (CudaVersion cuda = versionOf(real, files); cuda.known())
      found.push_back({real, cuda, files.list(joinPath(real, "targets"))});
  }
  llvm::stable_sort(found, [](const auto &a, const auto &b) { return a.cuda > b.cuda; });
  return found;
}

} // namespace cudacc::probe
