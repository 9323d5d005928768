// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/target/TargetDiff.h"
#include "driver/support/Text.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

static std::string lineOf(const Target &target) {
  return target.line.known() ? target.line.str() : "";
}

static std::string gpusOf(const Target &target) {
  return support::joined(target.gpus, ", ", [](Arch arch) { return arch.str(); });
}

/// A release without a local version equals each of its builds, which the CUDA line distinguishes.
static bool sameTorch(llvm::StringRef a, llvm::StringRef b) {
  return a == b || (a.contains('+') != b.contains('+') && a.split('+').first == b.split('+').first);
}

static bool alike(const TargetLibrary &a, const TargetLibrary &b) {
  if (a.dist != b.dist || a.floats != b.floats || a.folder != b.folder ||
      a.otherFolders != b.otherFolders)
    return false;
  if (a.version.release.empty() || b.version.release.empty())
    return !a.path.empty() && a.path == b.path;
  return a.version == b.version;
}

TargetDiff diff(const Target &a, const Target &b) {
  TargetDiff diff;
  auto compare = [&](const char *name, std::string left, std::string right) {
    if (left != right)
      diff.settings.push_back({name, std::move(left), std::move(right)});
  };
  compare("CUDA", lineOf(a), lineOf(b));
  if (!sameTorch(a.torch, b.torch))
    diff.settings.push_back({"torch", a.torch, b.torch});
  compare("driver floor", a.driverFloor, b.driverFloor);
  compare("driver", a.driver, b.driver);
  compare("GPUs", gpusOf(a), gpusOf(b));
  for (const TargetLibrary &left : a.libraries) {
    const TargetLibrary *right = b.find(left.soname);
    if (right && alike(left, *right))
      ++diff.same;
    else
      diff.libraries.push_back({left.soname, &left, right});
  }
  for (const TargetLibrary &right : b.libraries)
    if (!a.find(right.soname))
      diff.libraries.push_back({right.soname, nullptr, &right});
  llvm::stable_sort(diff.libraries, [](const LibraryDiff &left, const LibraryDiff &right) {
    return left.soname < right.soname;
  });
  return diff;
}

} // namespace cudacc::commands
