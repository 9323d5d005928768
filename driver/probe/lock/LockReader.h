// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Lock.h"
#include "driver/probe/lock/LockValue.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

/// Steps that the readers of the formats share; not for other libraries.
namespace cudacc::probe {

class LockCollector {
public:
  LockCollector(const versions::MarkerEnvironment &environment, core::LockReading &reading)
      : environment(environment), reading(reading) {}

  /// Whether a package with this marker is installed; \p place for a marker that is none, which
  /// counts as Unknown. Extras and groups that it asks for may be chosen or not.
  versions::Truth truthOf(llvm::StringRef marker, llvm::StringRef file, unsigned line);
  /// Left out when `applies` or its marker is False. Error: more packages than any lock has.
  llvm::Error add(core::LockedPackage package);
  /// Reads the file and remembers its identity, taken before.
  llvm::Expected<std::string> read(llvm::StringRef path, core::Files &files);
  void warn(core::Code code, std::string message, llvm::StringRef file, unsigned line);
  /// `x86_64`.
  llvm::StringRef machine() const;
  llvm::StringRef shown() const { return reading.shown; }
  core::LockReading &result() { return reading; }

private:
  const versions::MarkerEnvironment &environment;
  core::LockReading &reading;
  llvm::StringMap<versions::Truth> markers;
};

inline versions::Truth both(versions::Truth a, versions::Truth b) {
  auto rank = [](versions::Truth truth) {
    return truth == versions::Truth::False ? 0 : truth == versions::Truth::Unknown ? 1 : 2;
  };
  return rank(a) < rank(b) ? a : b;
}
inline versions::Truth either(versions::Truth a, versions::Truth b) {
  return both(a, b) == a ? b : a;
}

/// The major of the form that a lock names, `1` or `4`, must be one of \p known: others mean
/// something else. \p version: null: it names none.
llvm::Error checkForm(const Value *version, llvm::ArrayRef<llvm::StringRef> known,
                      llvm::StringRef tool, const LockCollector &collector);
llvm::Error unnamed(const Value &package, const LockCollector &collector);
/// Adds every package, each with the name and version that it has; \p finish says the rest. Error:
/// one has no name.
llvm::Error addAll(llvm::ArrayRef<Value> packages, LockCollector &collector,
                   llvm::function_ref<void(const Value &package, core::LockedPackage &pin)> finish);
/// The line on which its version stands, or where it begins.
unsigned lineOf(const Value &package);
/// A package with the name and version that \p package has.
core::LockedPackage pinOf(const Value &package, const LockCollector &collector);

/// A package of that name and version on \p line of the lock.
core::LockedPackage lockedPackage(llvm::StringRef name, llvm::StringRef version,
                                  llvm::StringRef file, unsigned line);
/// Name and version in the file name of a wheel or source archive, at the end of a path or URL;
/// nothing for other files.
std::optional<std::pair<std::string, std::string>> distributionOfFile(llvm::StringRef path);

llvm::Error readUv(const Value &lock, LockCollector &collector);
llvm::Error readPylock(const Value &lock, LockCollector &collector);
llvm::Error readPoetry(const Value &lock, LockCollector &collector);
llvm::Error readPdm(const Value &lock, LockCollector &collector);
llvm::Error readPipfile(const Value &lock, LockCollector &collector);
llvm::Error readCondaLock(const Value &lock, LockCollector &collector);
llvm::Error readPixi(const Value &lock, LockCollector &collector);
/// With the files that it names.
llvm::Error readRequirements(llvm::StringRef path, core::Files &files, LockCollector &collector);

} // namespace cudacc::probe
