// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockReader.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

/// The machine's name in conda: `linux-64`, `linux-aarch64`.
static std::string platformOf(const LockCollector &collector) {
  StringRef machine = collector.machine();
  return "linux-" + (machine == "x86_64" ? "64" : machine.str());
}

/// Splits NAME-VERSION-BUILD.conda; only NAME may contain a hyphen.
static std::pair<StringRef, StringRef> condaFile(StringRef url) {
  StringRef stem = nameOf(url.take_until([](char c) { return c == '#' || c == '?'; }));
  if (!stem.consume_back(".conda") && !stem.consume_back(".tar.bz2"))
    return {};
  return stem.rsplit('-').first.rsplit('-');
}

static LockedPackage condaPin(StringRef name, StringRef version, StringRef file, unsigned line) {
  LockedPackage pin = lockedPackage(name, version, file, line);
  pin.conda = true;
  return pin;
}

/// The package list of conda-lock, which early versions of pixi used as well.
static llvm::Error readPackageList(const Value &lock, LockCollector &collector) {
  std::string platform = platformOf(collector);
  for (const Value &package : lock.listAt("package")) {
    StringRef name = package.textAt("name"), version = package.textAt("version");
    if (name.empty())
      return unnamed(package, collector);
    if (package.textAt("platform") != platform)
      continue;
    bool pip = package.textAt("manager") == "pip" || package.textAt("kind") == "pypi";
    unsigned line = lineOf(package);
    LockedPackage pin = pip ? lockedPackage(name, version, collector.shown(), line)
                            : condaPin(name, version, collector.shown(), line);
    StringRef category = package.textAt("category");
    if ((!category.empty() && category != "main") || package.textAt("optional") == "true")
      pin.applies = Truth::Unknown;
    if (llvm::Error error = collector.add(std::move(pin)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error readCondaLock(const Value &lock, LockCollector &collector) {
  if (llvm::Error error = checkForm(lock.find("version"), {"1"}, "conda-lock", collector))
    return error;
  if (!lock.find("package"))
    return brokenLock(collector.shown(), 1, "is not a lock file of conda-lock",
                      "it has no packages");
  return readPackageList(lock, collector);
}

namespace {

/// In pixi.lock, environments list URLs per platform; a separate list describes the packages.
class PixiLock {
public:
  PixiLock(const Value &lock, LockCollector &collector) : lock(lock), collector(collector) {}

  llvm::Error read() {
    for (const Value &package : lock.listAt("packages"))
      for (StringRef key : {"conda", "pypi", "url", "path"})
        if (StringRef url = package.textAt(key); !url.empty())
          byUrl.try_emplace(url, &package);
    const Value *environments = lock.find("environments");
    if (!environments || !environments->isTable())
      return brokenLock(collector.shown(), 1, "is not a lock file of pixi",
                        "it has no environments");
    if (const Value *usual = environments->find("default"))
      return readEnvironment(*usual, Truth::True);
    for (const Value &environment : environments->items)
      if (llvm::Error error = readEnvironment(environment, Truth::Unknown))
        return error;
    return llvm::Error::success();
  }

private:
  const Value &lock;
  LockCollector &collector;
  llvm::StringMap<const Value *> byUrl;

  llvm::Error readEnvironment(const Value &environment, Truth applies) {
    const Value *platforms = environment.find("packages");
    std::string platform = platformOf(collector);
    const Value *files = platforms ? platforms->find(nameOfPlatform(platform)) : nullptr;
    if (!files) {
      collector.warn(Code::UnknownRelease, "an environment is not locked for " + platform,
                     collector.shown(), environment.line);
      return llvm::Error::success();
    }
    for (const Value &file : files->items)
      for (StringRef key : {"conda", "pypi"})
        if (StringRef url = file.textAt(key); !url.empty())
          if (llvm::Error error = addFile(url, key == "conda", file.line, applies))
            return error;
    return llvm::Error::success();
  }

  /// From version 7 of the format on, platforms have user-defined names.
  StringRef nameOfPlatform(StringRef subdir) {
    for (const Value &platform : lock.listAt("platforms"))
      if (platform.textAt("subdir") == subdir)
        return platform.textAt("name");
    return subdir;
  }

  llvm::Error addFile(StringRef url, bool conda, unsigned line, Truth applies) {
    std::string name, version;
    if (auto entry = byUrl.find(url); entry != byUrl.end()) {
      const Value &package = *entry->second;
      name = package.textAt("name").str();
      version = package.textAt("version").str();
      line = lineOf(package);
    }
    if (conda && (name.empty() || version.empty()))
      std::tie(name, version) = std::pair<std::string, std::string>(condaFile(url));
    if (auto found = distributionOfFile(url); found && !conda && version.empty())
      std::tie(name, version) = *found;
    if (name.empty())
      return llvm::Error::success();
    LockedPackage pin = conda ? condaPin(name, version, collector.shown(), line)
                              : lockedPackage(name, version, collector.shown(), line);
    pin.applies = applies;
    return collector.add(std::move(pin));
  }
};

} // namespace

llvm::Error readPixi(const Value &lock, LockCollector &collector) {
  const Value *version = lock.find("version");
  unsigned number = 0;
  if (!version || StringRef(version->text).getAsInteger(10, number))
    return brokenLock(collector.shown(), 1, "is not a lock file of pixi",
                      "it has no format version");
  if (number == 0 || number > 7)
    return brokenLock(collector.shown(), version->line, "has an unknown format version",
                      fmt::format("version {}; known are 1 to 7", version->text));
  if (number < 4)
    return readPackageList(lock, collector);
  return PixiLock(lock, collector).read();
}

} // namespace cudacc::probe
