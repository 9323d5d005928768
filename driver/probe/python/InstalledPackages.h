// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/InstalledPackage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace cudacc::probe {

/// Adds the shared objects and Python sources that RECORD lists.
void readRecord(llvm::StringRef text, core::InstalledPackage &package);
/// Adds one file, by its path relative to site-packages.
void addFile(std::string path, core::InstalledPackage &package);

/// Installed distributions and the files that they own.
class InstalledPackages {
public:
  /// The distributions in the site directories of an environment, read on first use. \p machine is
  /// `x86_64`, for example; \p python is `3.11`, for example, or empty if unknown.
  InstalledPackages(llvm::ArrayRef<std::string> sites, std::string machine, std::string python,
                    core::Files &files);
  /// A single distribution that is not installed, together with the names of its requirements.
  InstalledPackages(core::InstalledPackage package, core::Files &files);

  /// The owner of a file; null if no RECORD lists it or if it is in no site directory.
  const core::InstalledPackage *ownerOf(llvm::StringRef path);
  /// The Python package of a file that no RECORD lists, with the sources in its folder, under the
  /// path of the outermost folder with `__init__.py`; null if it is in none.
  const core::InstalledPackage *unowned(llvm::StringRef path);
  /// The path relative to its site directory; empty if it is in none.
  std::string below(llvm::StringRef path);
  const core::InstalledPackage *find(llvm::StringRef name);
  /// The installed distributions that \p package requires.
  std::vector<const core::InstalledPackage *> requiredBy(const core::InstalledPackage &package);
  /// All distributions, sorted by name.
  std::vector<const core::InstalledPackage *> all();
  /// Adds a distribution that is not installed (a wheel), replacing one of the same name.
  void add(core::InstalledPackage package);

  /// A metadata file that exists but cannot be read.
  struct Unreadable {
    std::string site, package, why;
  };
  struct Calls {
    std::vector<core::LibraryCall> calls;
    /// Why searching the sources stopped, with the file; empty if all were searched.
    std::string unreadable;
  };
  /// The unreadable metadata of \p package; null if all of it was read. If \p package is empty: the
  /// first in the site directory of \p path, whose package may own that file.
  const Unreadable *unreadFor(llvm::StringRef package, llvm::StringRef path);
  /// The calls in the distribution's sources that open libraries.
  const Calls &callsOf(const core::InstalledPackage &package);

private:
  std::vector<std::string> sites;
  std::string machine, python;
  core::Files &files;
  bool isRead = false;
  std::map<std::string, core::InstalledPackage, std::less<>> packages;
  /// Owner by path relative to its site directory; if several sites have the path, the first wins.
  llvm::StringMap<std::string> owners;
  std::map<std::string, Calls, std::less<>> calls;
  /// By path of the folder.
  std::map<std::string, core::InstalledPackage, std::less<>> folders;
  std::vector<Unreadable> unreadable;

  void read();
  void readSite(const std::string &site);
  void addSources(const std::string &folder, unsigned depth, core::InstalledPackage &package);
  std::optional<std::string> readOrNote(llvm::StringRef path,
                                        const core::InstalledPackage &package);
};

} // namespace cudacc::probe
