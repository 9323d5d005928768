// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/host/Libraries.h"
#include "driver/probe/toolkit/Packages.h"
#include <map>

namespace cudacc::probe {

/// Which CUDA release a library file belongs to (EV-1 to EV-8), with what was found out about
/// folders kept: the libraries of one link mostly lie together.
class LibraryEvidence {
public:
  /// \p home: the user's home folder, never a root.
  LibraryEvidence(core::Files &files, const LibraryReader &reader, llvm::StringRef home)
      : files(files), reader(reader), home(home) {}

  /// Fills dist, version, cuda, evidence and conflict of \p library, whose path and soname are set.
  /// In order: the wheel whose RECORD owns the path, then the real path (EV-2), and where no table
  /// has its version the `cuda-toolkit` that pins it (EV-3); the headers of the installation the
  /// file lies in, never above its root (EV-1, EV-4); what the file and its sibling say (EV-5); the
  /// number in the real file's name, read as the same component's wheel (Debian has no other
  /// evidence: libcudart.so.12.4.127).
  void learn(core::LinkedLibrary &library);

private:
  struct HeaderFact {
    /// There is a cuda.h, understood or not.
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
  llvm::StringRef home;
  std::map<std::string, std::string> sites;
  std::map<std::string, std::vector<Package>> packages;
  std::map<std::string, HeaderFact> headers;
};

} // namespace cudacc::probe
