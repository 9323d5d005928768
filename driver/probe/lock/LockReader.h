// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Lock.h"
#include "driver/support/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

/// Internal to driver/probe/lock: steps shared by the readers of the formats.
namespace cudacc::probe {

using support::Value;

/// Upper limits for nesting and number of values; no tool writes that many.
constexpr unsigned deepestLock = 64, mostLockValues = 1 << 20;

/// Creates an error such as `uv.lock:12 is not valid TOML`.
llvm::Error brokenLock(llvm::StringRef shown, unsigned line, llvm::StringRef what,
                       llvm::StringRef why);

/// Errors: BrokenConfig with \p shown and the line. Deep nesting is rejected before any recursive
/// function sees it (F24).
llvm::Expected<Value> parseTomlLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<Value> parseJsonLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<Value> parseYamlLock(llvm::StringRef text, llvm::StringRef shown);

class LockCollector {
public:
  LockCollector(const versions::MarkerEnvironment &environment, core::LockReading &reading)
      : environment(environment), reading(reading) {}

  /// Whether the marker holds; True if it is empty. \p file and \p line locate the warning if the
  /// marker does not parse, which yields Unknown. Unknown also if the result depends on extras or
  /// groups, since the user may select any of them.
  versions::Truth truthOf(llvm::StringRef marker, llvm::StringRef file, unsigned line);
  /// Drops it if `applies` or its marker is False. Errors: more packages than any real lock file
  /// has.
  llvm::Error add(core::LockedPackage package);
  /// Reads the file and adds its identity, taken before the read, to the inputs.
  llvm::Expected<std::string> read(llvm::StringRef path, core::Files &files);
  void warn(core::Code code, std::string message, llvm::StringRef file, unsigned line);
  /// platform_machine of the environment, such as `x86_64`; empty if it is not set.
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

/// Errors unless the major version of the lock format (`1`, `4`) is one of \p known, since other
/// versions have other semantics. \p version is null if the file names none.
llvm::Error checkForm(const Value *version, llvm::ArrayRef<llvm::StringRef> known,
                      llvm::StringRef tool, const LockCollector &collector);
llvm::Error unnamed(const Value &package, const LockCollector &collector);
/// Adds every package with its name and version; \p finish sets the remaining fields. Errors: a
/// package has no name.
llvm::Error addAll(llvm::ArrayRef<Value> packages, LockCollector &collector,
                   llvm::function_ref<void(const Value &package, core::LockedPackage &pin)> finish);
/// The line of the package's version, or else of its beginning.
unsigned lineOf(const Value &package);
/// A LockedPackage with the name and version of \p package.
core::LockedPackage pinOf(const Value &package, const LockCollector &collector);

/// A LockedPackage with that name and version, declared on \p line of the lock file.
core::LockedPackage lockedPackage(llvm::StringRef name, llvm::StringRef version,
                                  llvm::StringRef file, unsigned line);
/// Parses name and version from the file name of a wheel or source archive at the end of a path or
/// URL; std::nullopt for other files.
std::optional<std::pair<std::string, std::string>> distributionOfFile(llvm::StringRef path);

llvm::Error readUv(const Value &lock, LockCollector &collector);
llvm::Error readPylock(const Value &lock, LockCollector &collector);
llvm::Error readPoetry(const Value &lock, LockCollector &collector);
llvm::Error readPdm(const Value &lock, LockCollector &collector);
llvm::Error readPipfile(const Value &lock, LockCollector &collector);
llvm::Error readCondaLock(const Value &lock, LockCollector &collector);
llvm::Error readPixi(const Value &lock, LockCollector &collector);
/// Also reads the files that it includes.
llvm::Error readRequirements(llvm::StringRef path, core::Files &files, LockCollector &collector);

} // namespace cudacc::probe
