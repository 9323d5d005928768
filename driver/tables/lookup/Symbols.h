// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Exported.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::tables {

/// A version of a library whose exports were read.
struct SymbolVersion {
  llvm::StringRef dist, version;
  /// SONAME in that version. For the driver, `version` is its release number and `dist` is empty.
  llvm::StringRef soname;
  unsigned major = 0;
  /// Toolkit line; 0.0 for libraries that do not follow the toolkit's versions.
  versions::CudaVersion toolkit;
};

/// Exports of one library in one CUDA major, for every version that was read (data/symbols). Cheap
/// to copy.
class SymbolTable {
public:
  /// std::nullopt if no table has the SONAME in that major. libcuda.so.1 belongs to every major. \p
  /// dist selects among wheels of several distributions that have a library of that name (cuFFTMp's
  /// has its own libcufftw.so.12); it is ignored if it is none of them.
  static std::optional<SymbolTable> find(llvm::StringRef soname, unsigned major,
                                         llvm::StringRef dist = {});

  /// Number of versions. They are in ascending order.
  size_t size() const;
  SymbolVersion at(size_t index) const;
  /// Version nodes are merged: a name is exported if any node has it (SY-5).
  versions::Exported exported(size_t index, llvm::StringRef symbol) const;
  /// By component version. A version between two that were read is Unknown unless both agree; one
  /// before the first or after the last is Unknown. A `.postN` counts as the version without it,
  /// unless it was read itself.
  versions::Exported exported(const versions::Version &version, llvm::StringRef symbol) const;
  /// The same for a library of a machine (ELF e_machine; 0: x86-64). The tables have what differs
  /// for aarch64. In a version that was not compared, a name that differs in another is Unknown.
  versions::Exported exported(const versions::Version &version, llvm::StringRef symbol,
                              uint16_t machine) const;
  /// All names that a version exports, ascending, without internal names if those were left out.
  std::vector<std::string> names(size_t index) const;
  /// What one look at the names tells of a name: the list of versions that export it, and the
  /// answer for all others.
  struct Answer {
    uint16_t ranges;
    versions::Exported otherwise;
  };
  Answer find(llvm::StringRef symbol) const;
  versions::Exported exported(size_t index, const Answer &answer) const;
  /// Whether a version in this table exports the name. If not, exported() may still return Unknown,
  /// because internal names of some libraries were left out.
  bool anyExports(llvm::StringRef symbol) const;

private:
  std::optional<versions::Exported> differing(const versions::Version &version,
                                              llvm::StringRef symbol) const;

  uint16_t library = 0, first = 0, count = 0;
};

/// The first toolkit release by which each of the names had been exported by a library, given by
/// its link name; names that no version of it exports are ignored. 0.0 if that leaves none.
versions::CudaVersion firstReleaseWith(llvm::StringRef linkName,
                                       llvm::ArrayRef<std::string> symbols);

/// The version `M.m` in a suffixed name of nvJitLink (`__nvJitLinkCreate_12_5`), a lower bound:
/// 13.2 added GetLinkedLTOIR with the suffixes of all CUDA 13 minors. std::nullopt for any other
/// symbol.
std::optional<versions::CudaVersion> nvJitLinkSuffix(llvm::StringRef symbol);

/// Whether a name looks like one exported by CPython: `PyList_New`, `_Py_Dealloc`, `Py_BuildValue`.
/// Other libraries may have such names, too.
bool isPythonName(llvm::StringRef symbol);

/// The X of the 3.X that added a name to CPython's stable ABI on Linux. std::nullopt if no known
/// version has it there.
std::optional<unsigned> limitedApiSince(llvm::StringRef symbol);

} // namespace cudacc::tables
