// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Driver.h"
#include "driver/support/Paths.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

static constexpr char moduleVersion[] = "/proc/driver/nvidia/version";

/// Two or three numbers joined by dots (DR-1).
static bool isRelease(StringRef word) {
  unsigned parts = 0;
  for (StringRef part : llvm::split(word, '.')) {
    if (part.empty() || part.size() > 6 || !llvm::all_of(part, llvm::isDigit))
      return false;
    ++parts;
  }
  return parts == 2 || parts == 3;
}

/// Two forms exist: `NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 ...`
/// and `... UNIX Open Kernel Module for x86_64  580.65.06  Release Build ...`.
std::string kernelRelease(StringRef text) {
  StringRef line = text.split('\n').first;
  if (!line.starts_with("NVRM version:"))
    return {};
  for (StringRef word : llvm::split(line.split("Kernel Module").second, ' '))
    if (isRelease(word))
      return word.str();
  return {};
}

/// The release in a file name such as `libcuda.so.535.104.05`; empty if the name has none.
static std::string releaseOf(StringRef path, StringRef stem) {
  StringRef name = nameOf(path);
  return name.consume_front(stem) && isRelease(name) ? name.str() : "";
}

RunningDriver readDriver(StringRef libcuda, Files &files) {
  RunningDriver driver;
  if (auto text = llvm::expectedToOptional(files.read(moduleVersion, 64 << 10)))
    driver.kernel = kernelRelease(*text);
  if (libcuda.empty())
    return driver;
  driver.path = libcuda.str();
  std::string real = files.realPath(libcuda).value_or(libcuda.str());
  driver.isStub = nameOf(parentOf(libcuda)) == "stubs" || nameOf(parentOf(real)) == "stubs";
  if (driver.isStub)
    return driver;
  driver.release = releaseOf(real, "libcuda.so.");
  if (!driver.release.empty()) {
    driver.evidence = "the name of " + real;
    return driver;
  }
  std::string beside = joinPath(parentOf(real), "libnvidia-ml.so.1");
  if (auto sibling = files.realPath(beside))
    driver.release = releaseOf(*sibling, "libnvidia-ml.so.");
  if (!driver.release.empty()) {
    driver.evidence = "libnvidia-ml.so.1 beside it";
  } else if (!driver.kernel.empty()) {
    driver.release = driver.kernel;
    driver.evidence = moduleVersion;
  }
  return driver;
}

} // namespace cudacc::probe
