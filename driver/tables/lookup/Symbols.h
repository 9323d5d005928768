// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Exported.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::tables {

/// A version of a library whose exports were read.
struct SymbolVersion {
  llvm::StringRef dist, version;
  /// Of the wheel it was read in; the driver has its release number and no dist.
  llvm::StringRef soname;
  unsigned major = 0;
  /// Toolkit line; 0.0 for libraries that no toolkit numbers.
  versions::CudaVersion toolkit;
};

/// Exports of one library in one CUDA major, in every version that was opened (`facts/symbols`). A
/// value that costs nothing to copy.
class SymbolTable {
public:
  /// Nothing when no table has the SONAME in that major. libcuda.so.1 belongs to every major.
  /// \p dist chooses where wheels of several distributions hold a library of that name (cuFFTMp's
  /// has a libcufftw.so.12 of its own); one that none of them is changes nothing.
  static std::optional<SymbolTable> find(llvm::StringRef soname, unsigned major,
                                         llvm::StringRef dist = {});

  /// Ascending.
  size_t size() const;
  SymbolVersion at(size_t index) const;
  /// The version nodes are united: a name has one answer (SY-5).
  versions::Exported exported(size_t index, llvm::StringRef symbol) const;
  /// By component version. One between two opened versions is Unknown unless both agree; one before
  /// the first or behind the last is Unknown. A `.postN` counts as the version without it, unless
  /// it was opened itself.
  versions::Exported exported(const versions::Version &version, llvm::StringRef symbol) const;
  /// Every name that version exports, ascending; without internal names where those were left out.
  std::vector<std::string> names(size_t index) const;
  /// A name that no version of this table exports may still be Unknown: internal names of some
  /// libraries were left out.
  bool anyExports(llvm::StringRef symbol) const;

private:
  /// Where the versions are listed that export a name, and the answer for all others.
  struct Answer {
    uint16_t ranges;
    versions::Exported otherwise;
  };
  Answer find(llvm::StringRef symbol) const;
  versions::Exported exported(size_t index, const Answer &answer) const;

  uint16_t library = 0, first = 0, count = 0;
};

} // namespace cudacc::tables
