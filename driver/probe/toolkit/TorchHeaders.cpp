// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/TorchHeaders.h"
#include "driver/probe/toolkit/TorchRelease.h"
#include "driver/support/Paths.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using llvm::StringRef;
using Kind = FileStatus::Kind;

namespace {
class TorchSearch {
public:
  explicit TorchSearch(IncludePath &path) : path(path), files(path.files) {}
  void find(bool quoted);

  std::vector<FoundTorch> found;

private:
  bool visit(const IncludePath::Folder &folder);
  bool addRoot(const IncludePath::Folder &folder);
  bool addApi(const IncludePath::Folder &folder);
  void add(const IncludePath::Folder &folder, FoundTorch torch, std::string problem);
  bool is(StringRef folder, StringRef name, Kind kind) {
    return files.stat(joinPath(folder, name)).kind == kind;
  }

  IncludePath &path;
  Files &files;
  /// The first directory of each kind; the text belongs to the call.
  std::optional<StringRef> root, api;
};
} // namespace

/// Adds the result unless its release was found before.
void TorchSearch::add(const IncludePath::Folder &folder, FoundTorch torch, std::string problem) {
  torch.path = folder.path.str();
  torch.foundBy = path.describe(folder);
  if (!torch.known() && torch.problem.empty())
    torch.problem = std::move(problem);
  for (const FoundTorch &other : found)
    if (other.path == torch.path ||
        (other.known() && other.release == torch.release && other.label == torch.label))
      return;
  found.push_back(std::move(torch));
}

/// Whether the directory contains torch's headers; if so, it is recorded as the first.
bool TorchSearch::addRoot(const IncludePath::Folder &folder) {
  if (!is(folder.path, "torch/csrc", Kind::Directory))
    return false;
  FoundTorch torch;
  bool says = readTorchHeaders(folder.path, files, torch);
  // Another project may have a directory of that name.
  if (!says && !is(folder.path, "c10/core/TensorImpl.h", Kind::Regular))
    return false;
  root = folder.path;
  add(folder, std::move(torch),
      "no TORCH_VERSION_MAJOR in torch/headeronly/version.h or torch/version.h, and no version.py "
      "beside them");
  return true;
}

/// The directory that contains `torch/csrc/api/include`; empty if \p folder is not the latter.
static StringRef rootOfApi(StringRef folder) {
  folder = folder.rtrim('/');
  return folder.consume_back(torchApiFolder) ? folder.rtrim('/') : "";
}

bool TorchSearch::addApi(const IncludePath::Folder &folder) {
  StringRef own = rootOfApi(folder.path);
  std::string header = joinPath(folder.path, "torch/version.h");
  FoundTorch torch;
  if (root && !own.empty() && own == root->rtrim('/')) {
    api = folder.path;
    return true;
  }
  // Since 2.10 this file only includes the other one.
  bool says = readTorchHeader(header, files, torch) ||
              (!own.empty() && readTorchHeaders(own, files, torch));
  // Another project may have a directory of that name.
  if (!says && own.empty())
    return false;
  api = folder.path;
  add(folder, std::move(torch), "no TORCH_VERSION_MAJOR in " + header);
  return true;
}

bool TorchSearch::visit(const IncludePath::Folder &folder) {
  if (!root && addRoot(folder))
    return !api;
  if (!api)
    addApi(folder);
  return !root || !api;
}

void TorchSearch::find(bool quoted) {
  root.reset();
  api.reset();
  path.eachWith(
      "torch", quoted, [&](const IncludePath::Folder &folder) { return visit(folder); },
      Kind::Directory);
}

std::vector<FoundTorch> findTorchHeaders(IncludePath &path) {
  TorchSearch search(path);
  if (path.hasQuote())
    search.find(/*quoted=*/true);
  search.find(/*quoted=*/false);
  return std::move(search.found);
}

} // namespace cudacc::probe
