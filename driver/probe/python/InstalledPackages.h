// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/InstalledPackage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace cudacc::probe {

/// The shared objects and sources that RECORD lists.
void readRecord(llvm::StringRef text, core::InstalledPackage &package);
/// The same for one path below site-packages.
void addFile(std::string path, core::InstalledPackage &package);

/// Distributions and what they claim.
class InstalledPackages {
public:
  /// Those in the site directories of an environment, read when they are first asked for.
  /// \p machine: `x86_64`; \p python: `3.11`, or empty.
  InstalledPackages(llvm::ArrayRef<std::string> sites, std::string machine, std::string python,
                    core::Files &files);
  /// One alone, installed nowhere, with the names of what it requires.
  InstalledPackages(core::InstalledPackage package, core::Files &files);

  /// Whose a file is; null: nobody claims it, or it lies in no site directory.
  const core::InstalledPackage *ownerOf(llvm::StringRef path);
  /// The path below the site directory that it lies in; empty: in none.
  std::string below(llvm::StringRef path);
  const core::InstalledPackage *find(llvm::StringRef name);
  /// Those that \p package requires and that are installed.
  std::vector<const core::InstalledPackage *> requiredBy(const core::InstalledPackage &package);
  /// All of them, by name.
  std::vector<const core::InstalledPackage *> all();
  /// One that is not installed, a wheel's; it takes the place of another of its name.
  void add(core::InstalledPackage package);

  /// Metadata that is there and cannot be read.
  struct Unreadable {
    std::string site, package, why;
  };
  struct Calls {
    std::vector<core::LibraryCall> calls;
    /// The first source that was not searched, and why; empty: all of them were.
    std::string unreadable;
  };
  /// The metadata of that package; null: it was read. An empty name: any in the site directory of
  /// \p path, of whose package that may be a file.
  const Unreadable *unreadFor(llvm::StringRef package, llvm::StringRef path);
  /// What the sources of a distribution open.
  const Calls &callsOf(const core::InstalledPackage &package);

private:
  std::vector<std::string> sites;
  std::string machine, python;
  core::Files &files;
  bool isRead = false;
  std::map<std::string, core::InstalledPackage, std::less<>> packages;
  /// By path below its site directory; several sites may have one of a path, the first counts.
  llvm::StringMap<std::string> owners;
  std::map<std::string, Calls, std::less<>> calls;
  std::vector<Unreadable> unreadable;

  void read();
  void readSite(const std::string &site);
  std::optional<std::string> readOrNote(llvm::StringRef path,
                                        const core::InstalledPackage &package);
};

} // namespace cudacc::probe
