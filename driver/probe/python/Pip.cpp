// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Pip.h"
#include "driver/support/Paths.h"
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
  if (files.stat(python).kind != FileStatus::Kind::Regular)
    return "pip install --target=" + shellWord(prefix);
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
  StringRef rest = install;
  // pip cannot uninstall from a folder without Python; it writes all files of one wheel over it.
  if (rest.contains(" --target="))
    return fmt::format("{} --upgrade --force-reinstall --no-deps {}", install, kept);
  std::vector<std::string> first, again;
  for (const std::string &name : names)
    (llvm::is_contained(first, name) ? again : first).push_back(name);
  auto [head, tail] = rest.rsplit("install");
  auto uninstall = [&](llvm::ArrayRef<std::string> which) {
    bool asks = !head.starts_with("uv ");
    return fmt::format("{}uninstall{}{} {} && ", head, tail, asks ? " -y" : "",
                       llvm::join(which, " "));
  };
  return fmt::format("{}{}{} --force-reinstall --no-deps {}", uninstall(first),
                     again.empty() ? "" : uninstall(again), install, kept);
}

std::string pipInstallBeside(StringRef sitePackages, Files &files) {
  StringRef lib = support::parentOf(sitePackages);
  bool isOfPython = support::nameOf(sitePackages).ends_with("-packages") &&
                    support::nameOf(lib).starts_with("python");
  StringRef prefix = isOfPython ? support::grandparentOf(lib) : sitePackages;
  return pipInstall(prefix, {sitePackages.str()}, files);
}

} // namespace cudacc::probe
