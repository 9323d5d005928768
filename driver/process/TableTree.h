// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/loader/search/Loader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::process {

/// What the tables know about the library of a row. Sets \p doubt to the reason if that may not
/// apply to the row's version; otherwise leaves it unchanged.
core::BinaryFacts factsOf(const core::TargetLibrary &row, uint16_t machine, std::string &doubt);

/// The site-packages that a declared runtime installs: the wheels' libraries in their directories,
/// with the search paths, NEEDED entries and exports that the tables have for their versions. Used
/// for targets from tables; if the runtime is installed (Target::sitePackages), the disk is read
/// instead.
/// - NVIDIA's libraries are those of the target and no others; the driver's are the system's.
/// - torch's own libraries are in torch/lib if the target has torch.
/// - Every other name belongs to the system or to another package and is not checked: it is found
///   in the first default directory.
///
/// Safe to use from several threads.
class TableTree final : public loader::Tree {
public:
  static constexpr llvm::StringLiteral Site = "/site-packages";
  /// The directory of the environment: `bin` in it has the programs of packages, and
  /// `lib/python3.11/site-packages`, of whatever Python, is Site.
  static constexpr llvm::StringLiteral Prefix = "/prefix";

  /// The normal form of a path, which leaves and enters Site as it does in an environment.
  static std::string placed(llvm::StringRef path);
  /// The path relative to Site: `pkg/a`, `../../../bin/a`; without a leading slash.
  static std::string place(llvm::StringRef path);
  /// Paths below Site and Prefix, as they are shown.
  static std::string shown(llvm::StringRef path);

  /// \p machine is an ELF e_machine. \p variant: which of the directory layouts of the releases in
  /// a range. \p target must outlive this.
  TableTree(const core::Target &target, uint16_t machine, size_t variant);
  /// The number of layouts.
  static size_t variantsOf(const core::Target &target);

  /// What `import torch` leaves in the process: torch's libraries with the names \p own, and the
  /// NVIDIA libraries that torch requires.
  std::vector<loader::Situation::Present> framework(llvm::ArrayRef<llvm::StringRef> own) const;
  /// The path of a library; empty if it is not in the tree.
  std::string pathOf(llvm::StringRef soname) const;

  loader::Candidate open(llvm::StringRef path, uint16_t machine) override;
  std::optional<std::string> cached(llvm::StringRef, uint16_t) override { return std::nullopt; }
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef node) override;
  std::optional<bool> versioned(llvm::StringRef path) override;
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef) override { return {}; }
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef,
                                                  llvm::ArrayRef<llvm::StringRef>) override {
    return std::nullopt;
  }

private:
  struct Library {
    const core::TargetLibrary *row = nullptr;
    core::BinaryFacts facts;
    /// Why the facts may not be those of the version; empty if they are.
    std::string doubt;
    bool ofFramework = false;
  };

  bool hasTorch;
  unsigned major;
  std::string defaultDirectory;
  std::vector<Library> libraries;
  /// Index of the library by path.
  llvm::StringMap<size_t> places;

  const Library *find(llvm::StringRef path) const;
  loader::Candidate ofSystem(llvm::StringRef name) const;
};

} // namespace cudacc::process
