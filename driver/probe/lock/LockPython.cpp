// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockReader.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using llvm::StringRef;

llvm::Error checkForm(const Value *version, llvm::ArrayRef<StringRef> known, StringRef tool,
                      const LockCollector &collector) {
  if (!version || !version->isScalar())
    return brokenLock(collector.shown(), 1, fmt::format("is not a lock file of {}", tool),
                      "it has no format version");
  StringRef major = StringRef(version->text).split('.').first;
  if (llvm::is_contained(known, major))
    return llvm::Error::success();
  return brokenLock(collector.shown(), version->line, "has an unknown format version",
                    fmt::format("version {}; known is {}", version->text, known.back()));
}

llvm::Error unnamed(const Value &package, const LockCollector &collector) {
  return brokenLock(collector.shown(), package.line, "is not a lock file that can be read",
                    "a package has no name");
}

unsigned lineOf(const Value &package) {
  const Value *version = package.find("version");
  return version ? version->line : package.line;
}

LockedPackage pinOf(const Value &package, const LockCollector &collector) {
  return lockedPackage(package.textAt("name"), package.textAt("version"), collector.shown(),
                       lineOf(package));
}

llvm::Error addAll(llvm::ArrayRef<Value> packages, LockCollector &collector,
                   llvm::function_ref<void(const Value &package, LockedPackage &pin)> finish) {
  for (const Value &package : packages) {
    if (package.textAt("name").empty())
      return unnamed(package, collector);
    LockedPackage pin = pinOf(package, collector);
    finish(package, pin);
    if (llvm::Error error = collector.add(std::move(pin)))
      return error;
  }
  return llvm::Error::success();
}

static const Value *metadataAt(const Value &lock, StringRef key) {
  const Value *metadata = lock.find("metadata");
  return metadata ? metadata->find(key) : nullptr;
}

/// PEP 751 makes the version optional; then it is in the names of the files.
static std::string versionOfFiles(const Value &package) {
  auto ofFile = [](const Value &file) -> std::string {
    for (StringRef key : {"name", "url", "path"})
      if (auto found = distributionOfFile(file.textAt(key)))
        return found->second;
    return {};
  };
  for (StringRef key : {"archive", "sdist"})
    if (const Value *file = package.find(key))
      if (std::string version = ofFile(*file); !version.empty())
        return version;
  for (const Value &wheel : package.listAt("wheels"))
    if (std::string version = ofFile(wheel); !version.empty())
      return version;
  return {};
}

llvm::Error readPylock(const Value &lock, LockCollector &collector) {
  if (llvm::Error error = checkForm(lock.find("lock-version"), {"1"}, "PEP 751", collector))
    return error;
  llvm::ArrayRef<Value> environments = lock.listAt("environments");
  Truth here = environments.empty() ? Truth::True : Truth::False;
  for (const Value &marker : environments)
    here = either(here, collector.truthOf(marker.text, collector.shown(), marker.line));
  if (here == Truth::False)
    collector.warn(Code::UnknownRelease, "the lock is for other machines", collector.shown(),
                   environments.front().line);
  return addAll(lock.listAt("packages"), collector, [&](const Value &package, LockedPackage &pin) {
    if (pin.text.empty())
      pin = lockedPackage(pin.name, versionOfFiles(package), pin.file, pin.line);
    pin.marker = package.textAt("marker").str();
    pin.applies = here;
  });
}

/// Poetry 2 writes either one marker or one per group.
static Truth applies(const Value &package, LockCollector &collector) {
  const Value *groups = package.find("groups"), *markers = package.find("markers");
  auto markerOf = [&](StringRef group) -> StringRef {
    if (!markers)
      return {};
    return markers->isScalar() ? StringRef(markers->text) : markers->textAt(group);
  };
  Truth truth = Truth::False;
  std::vector<StringRef> names = groups ? groups->texts() : std::vector<StringRef>{"main"};
  for (StringRef group : names)
    truth = either(truth, both(group == "main" ? Truth::True : Truth::Unknown,
                               collector.truthOf(markerOf(group), collector.shown(),
                                                 markers ? markers->line : package.line)));
  return package.textAt("optional") == "true" ? both(truth, Truth::Unknown) : truth;
}

llvm::Error readPoetry(const Value &lock, LockCollector &collector) {
  if (llvm::Error error =
          checkForm(metadataAt(lock, "lock-version"), {"1", "2"}, "Poetry", collector))
    return error;
  return addAll(lock.listAt("package"), collector, [&](const Value &package, LockedPackage &pin) {
    pin.applies = applies(package, collector);
  });
}

llvm::Error readPdm(const Value &lock, LockCollector &collector) {
  if (llvm::Error error = checkForm(metadataAt(lock, "lock_version"), {"3", "4"}, "PDM", collector))
    return error;
  return addAll(lock.listAt("package"), collector, [&](const Value &package, LockedPackage &pin) {
    pin.marker = package.textAt("marker").str();
    const Value *groups = package.find("groups");
    if (groups && !llvm::is_contained(groups->texts(), "default"))
      pin.applies = Truth::Unknown;
  });
}

/// The version from `==12.4.127`, or from the name of the file that the entry refers to.
static std::string versionOfPipfile(const Value &package) {
  StringRef version = package.textAt("version");
  if (version.consume_front("===") || version.consume_front("=="))
    return version.trim().str();
  for (StringRef key : {"file", "path"})
    if (auto found = distributionOfFile(package.textAt(key)))
      return found->second;
  return {};
}

llvm::Error readPipfile(const Value &lock, LockCollector &collector) {
  const Value *meta = lock.find("_meta");
  if (llvm::Error error =
          checkForm(meta ? meta->find("pipfile-spec") : nullptr, {"6"}, "Pipenv", collector))
    return error;
  for (size_t i = 0; i < lock.keys.size(); ++i) {
    const Value &category = lock.items[i];
    if (!category.isTable() || lock.keys[i] == "_meta")
      continue;
    for (size_t k = 0; k < category.keys.size(); ++k) {
      const Value &package = category.items[k];
      LockedPackage pin = lockedPackage(category.keys[k], versionOfPipfile(package),
                                        collector.shown(), package.line);
      pin.marker = package.textAt("markers").str();
      pin.applies = lock.keys[i] == "default" ? Truth::True : Truth::Unknown;
      if (llvm::Error error = collector.add(std::move(pin)))
        return error;
    }
  }
  return llvm::Error::success();
}

} // namespace cudacc::probe
