// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/Headers.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using Folder = IncludePath::Folder;
using Source = IncludePath::Source;

static constexpr llvm::StringLiteral coreHeaders[] = {"cuda.h", "cuda_runtime_api.h"};

namespace {
class Search {
public:
  explicit Search(IncludePath &path) : path(path), files(path.files), toolkit(path.toolkit) {}
  void find(llvm::StringRef name, std::vector<FoundHeader> &found);

private:
  const Component *knownAt(llvm::StringRef path) const;
  FoundHeader read(const Folder &folder, llvm::StringRef name, HeaderVersion &version);
  bool isCudas(const Folder &folder, llvm::StringRef name, const HeaderVersion &version);

  IncludePath &path;
  Files &files;
  const Toolkit *toolkit;
};
} // namespace

/// The toolkit's own header as probed before: valid, as a changed toolkit is probed anew.
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

/// Matches the layouts of toolkits and wheels: targets/x86_64-linux/include, nvidia/cu13/include.
static bool isCudaFolder(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  path.split(parts, '/', -1, /*KeepEmpty=*/false);
  size_t count = parts.size();
  if (count < 3 || parts[count - 1] != "include")
    return false;
  return parts[count - 3] == "nvidia" ||
         (parts[count - 3] == "targets" && parts[count - 2].contains("-linux"));
}

/// Whether a header is CUDA's. The checks after the first are for files that do not identify
/// themselves, such as one that was cut off.
bool Search::isCudas(const Folder &folder, llvm::StringRef name, const HeaderVersion &version) {
  if (version.saysCuda || version.unreadable || folder.source == Source::Own ||
      folder.source == Source::OwnSystem)
    return true;
  std::string real = files.realPath(folder.path).value_or(folder.path.str());
  if (isCudaFolder(real) || isCudaFolder(folder.path) ||
      files.executable(joinPath(parentOf(real), "bin/nvcc")))
    return true;
  // A project that replaces CUDA has files of the common names too; these three it has not.
  for (llvm::StringRef beside : {"crt/host_defines.h", "cuda_device_runtime_api.h", "cudaGL.h"})
    if (files.stat(joinPath(folder.path, beside)).exists())
      return true;
  std::string other =
      joinPath(folder.path, name == coreHeaders[0] ? coreHeaders[1] : coreHeaders[0]);
  return files.stat(other).exists() && readHeaderVersion(other, files).saysCuda;
}

void Search::find(llvm::StringRef name, std::vector<FoundHeader> &found) {
  const Folder *last = nullptr;
  for (bool quoted : {true, false}) {
    if (quoted && !path.hasQuote())
      continue;
    path.eachWith(name, quoted, [&](const Folder &folder) {
      HeaderVersion version;
      if (&folder == last)
        return false;
      FoundHeader header = read(folder, name, version);
      // The compiler takes the first file of that name, whether or not it is CUDA's.
      if (!isCudas(folder, name, version))
        return version.passesOn;
      header.foundBy = path.describe(folder);
      found.push_back(std::move(header));
      last = &folder;
      return false;
    });
  }
}

std::vector<FoundHeader> findCudaHeaders(IncludePath &path) {
  std::vector<FoundHeader> found;
  Search search(path);
  for (llvm::StringRef name : coreHeaders)
    search.find(name, found);
  return found;
}

} // namespace cudacc::probe
