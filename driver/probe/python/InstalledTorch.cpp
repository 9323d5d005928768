// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/InstalledLibraries.h"
#include "driver/probe/toolkit/TorchRelease.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

/// Removes auditwheel's hash from the name of a copied library: eight hexadecimal digits after the
/// stem. Empty if there is none.
static std::string withoutHash(StringRef name) {
  size_t so = name.find(".so");
  size_t dash = name.take_front(so).rfind('-');
  if (so == StringRef::npos || dash == StringRef::npos)
    return "";
  StringRef hash = name.slice(dash + 1, so);
  if (hash.size() != 8 || !llvm::all_of(hash, llvm::isHexDigit))
    return "";
  return fmt::format("{}{}", name.take_front(dash), name.drop_front(so));
}

llvm::Error findBundled(const SiteDirectory &site, PythonEnvironment &environment, Files &files) {
  if (!environment.torch || environment.torch->path != joinPath(site.path, "torch"))
    return llvm::Error::success();
  std::string folder = joinPath(site.path, "torch/lib");
  auto names = listDirectory(folder, environment, files);
  if (!names)
    return names.takeError();
  for (const std::string &name : names->value_or(std::vector<std::string>())) {
    bool ours = tables::libraryByFileName(name).has_value();
    if (std::string plain = withoutHash(name); !ours && !plain.empty())
      ours = tables::libraryByFileName(plain).has_value();
    if (!ours || !StringRef(name).contains(".so"))
      continue;
    InstalledLibrary library;
    library.soname = name;
    library.path = joinPath(folder, name);
    library.folder = "torch/lib";
    library.dist = "torch";
    library.bundled = true;
    environment.libraries.push_back(std::move(library));
  }
  return llvm::Error::success();
}

/// Reports a conflict if dist-info names another release than is installed; labels may differ.
static void compare(const InstalledTorch &torch, PythonEnvironment &environment) {
  auto dist = llvm::find_if(environment.distributions,
                            [](const auto &each) { return each.name == "torch"; });
  if (dist == environment.distributions.end())
    return;
  auto installed = Version::parse(dist->version), said = Version::parse(torch.version);
  if (installed && said) {
    installed->local.clear();
    said->local.clear();
    if (*installed == *said)
      return;
  }
  Finding &problem = addProblem(environment, Code::EvidenceConflict, Severity::Warning,
                                "two sources disagree about torch");
  problem.addFact("version.py", fmt::format("{} at {}", torch.version, torch.path));
  problem.addFact("dist-info", support::joinPath(dist->where, dist->metadata));
}

llvm::Error findTorch(const SiteDirectory &site, PythonEnvironment &environment, Files &files) {
  if (environment.torch)
    return llvm::Error::success();
  std::string folder = joinPath(site.path, "torch"), path = joinPath(folder, "version.py");
  auto dist = llvm::find_if(environment.distributions, [&](const auto &each) {
    return each.name == "torch" && each.where == site.path;
  });
  bool installed = dist != environment.distributions.end();
  if (look(path, environment, files).kind != FileStatus::Kind::Regular) {
    if (installed)
      environment.torch = InstalledTorch{dist->version, "", folder};
    return llvm::Error::success();
  }
  auto text = files.read(path, 64 << 10);
  if (!text) {
    environment.problems.push_back(toFinding(text.takeError()));
    environment.torch = InstalledTorch{installed ? dist->version : "", "", folder};
    return llvm::Error::success();
  }
  InstalledTorch torch{assignedInPython(*text, "__version__"), assignedInPython(*text, "cuda"),
                       folder};
  if (torch.version.empty() && installed)
    torch.version = dist->version;
  compare(torch, environment);
  environment.torch = std::move(torch);
  return llvm::Error::success();
}

} // namespace cudacc::probe
