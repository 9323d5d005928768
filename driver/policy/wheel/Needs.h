// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/versions/Requirement.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// A lower bound of metadata above what the symbols ask for.
struct HigherBound {
  /// As written, without marker: `nvidia-nvjitlink-cu12>=12.9`.
  std::string declared;
  versions::Version least;
};

/// Whether a lower bound, or with \p pins also `==`, is above \p least.
bool asksForMore(const versions::SpecifierSet &specifiers, const versions::Version &least,
                 bool pins);

/// The requirements of a set of files on CUDA wheels.
struct Needs {
  /// One per distribution, with the highest version.
  std::vector<core::LibraryFloor> floors;
  /// The requirements that the files' wheels already declare.
  std::vector<versions::Requirement> declared;
  /// The torch releases that fit all files.
  versions::TorchRange torch;

  void add(llvm::ArrayRef<core::LibraryFloor> more);
  /// Those of `torch` whose wheels on PyPI bring the CUDA libraries of the files, too.
  versions::TorchRange torchServing() const;
  /// Adds files of which a runtime loads one: of each distribution the lowest version counts, since
  /// an older runtime loads a file that was made for it.
  void addAlternatives(llvm::ArrayRef<std::vector<core::LibraryFloor>> files);
  /// Requirements derived from the files, for metadata, sorted by name:
  /// `nvidia-nvjitlink-cu12>=12.5.40,<13`, `torch>=2.8,<2.12`.
  std::vector<std::string> requirements() const;
  /// Those of CUDA's wheels alone.
  std::vector<std::string> cudaRequirements() const;
  std::vector<HigherBound> higherBounds() const;
  /// Requirements where the metadata asks for more than the symbols do:
  /// `nvidia-nvjitlink-cu12>=12.9, by symbols >=12.5.40`.
  std::vector<std::string> declaredHigher() const;
};

} // namespace cudacc::policy
