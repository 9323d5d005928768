// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Pip.h"
#include "driver/support/Paths.h"
#include "driver/support/PipCommand.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using core::Files;
using core::FileStatus;
using llvm::StringRef;
using support::joinPath;
using support::shellWord;

/// Most bytes of a pyvenv.cfg.
static constexpr uint64_t largestSettings = 64 << 10;

static bool isOfUv(StringRef prefix, Files &files) {
  auto settings =
      llvm::expectedToOptional(files.read(joinPath(prefix, "pyvenv.cfg"), largestSettings));
  return settings && StringRef("\n" + *settings).contains("\nuv = ");
}

std::string pipInstall(StringRef prefix, llvm::ArrayRef<std::string> sitePackages, Files &files) {
  std::string python = joinPath(prefix, "bin/python");
  // pip passes over a folder that exists there, as `nvidia` does, or removes it with all other
  // wheels' files.
  if (files.stat(python).kind != FileStatus::Kind::Regular)
    return "uv pip install --target=" +
           shellWord(sitePackages.empty() ? prefix : StringRef(sitePackages.front()));
  bool hasPip = llvm::any_of(sitePackages, [&](const std::string &site) {
    return files.stat(joinPath(site, "pip")).exists();
  });
  if (hasPip)
    return shellWord(python) + " -m pip install";
  if (isOfUv(prefix, files))
    return fmt::format("uv pip install --python {}", shellWord(python));
  return fmt::format("pip --python {} install", shellWord(python));
}

std::string pipReplace(StringRef prefix, llvm::ArrayRef<std::string> sitePackages,
                       llvm::ArrayRef<std::string> names, StringRef kept, Files &files) {
  std::string install = pipInstall(prefix, sitePackages, files);
  std::vector<std::string> first, again;
  for (const std::string &name : names)
    (llvm::is_contained(first, name) ? again : first).push_back(name);
  auto uninstall = [&](llvm::ArrayRef<std::string> which) {
    return fmt::format("{} {} && ", support::uninstallCommand(install),
                       llvm::join(llvm::map_range(which, shellWord), " "));
  };
  return fmt::format("{}{}{} --force-reinstall --no-deps {}", uninstall(first),
                     again.empty() ? "" : uninstall(again), install, shellWord(kept));
}

std::string pipInstallBeside(StringRef sitePackages, Files &files) {
  StringRef lib = support::parentOf(sitePackages);
  bool isOfPython = support::nameOf(sitePackages).ends_with("-packages") &&
                    support::nameOf(lib).starts_with("python");
  StringRef prefix = isOfPython ? support::grandparentOf(lib) : sitePackages;
  return pipInstall(prefix, {sitePackages.str()}, files);
}

} // namespace cudacc::probe
