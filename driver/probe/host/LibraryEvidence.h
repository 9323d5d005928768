// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/host/Libraries.h"
#include "driver/probe/toolkit/Packages.h"
#include <map>

namespace cudacc::probe {

/// Determines which CUDA release a library file belongs to (EV-1 to EV-8). Results per directory
/// are cached, since the libraries of one link usually share a directory.
class LibraryEvidence {
public:
  /// \p home is the user's home directory, which is never taken as the root of an installation.
  LibraryEvidence(core::Files &files, const LibraryReader &reader, std::string home)
      : files(files), reader(reader), home(std::move(home)) {}

  /// Sets dist, version, cuda, evidence and conflict of \p library; its path and soname must be
  /// set. Sources, in order: the wheel whose RECORD lists the path, then the real path (EV-2), and,
  /// if no table has its version, the `cuda-toolkit` that pins it (EV-3); the headers of the
  /// installation that contains the file, never above its root (EV-1, EV-4); the file itself and
  /// its siblings (EV-5); the version in the real file's name, looked up as a version of the same
  /// component's wheel (Debian has no other evidence: libcudart.so.12.4.127).
  void identify(core::LinkedLibrary &library);

private:
  struct HeaderFact {
    /// A cuda.h exists, whether or not it could be parsed.
    bool found = false;
    versions::CudaVersion cuda;
    std::string evidence, conflict;
  };
  bool fromOwner(core::LinkedLibrary &library, llvm::StringRef path);
  bool fromCondaPackage(core::LinkedLibrary &library, llvm::StringRef path);
  void fromMetapackages(core::LinkedLibrary &library);
  bool fromHeaders(core::LinkedLibrary &library, llvm::StringRef path);
  void fromItself(core::LinkedLibrary &library);
  void fromFileName(core::LinkedLibrary &library, llvm::StringRef realPath);
  const std::vector<Package> &packagesIn(const std::string &site);
  const std::string &siteOf(llvm::StringRef path);
  const HeaderFact &headersAt(const std::string &folder);
  std::string rootOf(llvm::StringRef path);

  core::Files &files;
  const LibraryReader &reader;
  std::string home;
  std::map<std::string, std::string> sites;
  std::map<std::string, std::vector<Package>> packages;
  std::map<std::string, HeaderFact> headers;
};

} // namespace cudacc::probe
