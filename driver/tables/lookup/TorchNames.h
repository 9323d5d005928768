// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Exported.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::tables {

/// Torch's own libraries whose exports are in the table, in the order of the bits in
/// Entry::libraries. A library precedes those that need it.
inline constexpr std::array<llvm::StringLiteral, 8> torchNameLibraries = {"libc10.so",
                                                                          "libc10_cuda.so",
                                                                          "libtorch_cpu.so",
                                                                          "libtorch_cuda.so",
                                                                          "libtorch_cuda_linalg.so",
                                                                          "libtorch.so",
                                                                          "libtorch_python.so",
                                                                          "libshm.so"};

/// The exports of torch's own libraries, by release: a view of the bytes of `torch-names.bin`,
/// which must outlive it. A look-up touches a few cache lines and does not allocate. The format is
/// described in TorchNamesFormat.h.
class TorchNames {
public:
  /// A torch release on PyPI, for one machine.
  struct Build {
    /// `2.5.1`.
    std::string release;
    /// ELF e_machine.
    uint16_t machine = 0;
    /// Built with _GLIBCXX_USE_CXX11_ABI=0.
    bool oldStrings = false;
    /// Number of names that its libraries export.
    unsigned names = 0;
    /// Python versions whose wheels were read: `cp39 cp313`.
    std::string pythons;
  };

  /// How one build exports a name.
  struct Entry {
    bool isVariable = false;
    /// False: only the wheels of some Python versions export it.
    bool everyPython = true;
    /// Bit i is set if torchNameLibraries[i] exports it.
    uint8_t libraries = 0;
    /// The first of these libraries.
    llvm::StringRef library() const;
  };

  /// Error: a Finding with Code::BrokenFacts and details as a fact, for another schema, truncated
  /// or damaged data, or counts that contradict each other.
  static llvm::Expected<TorchNames> view(llvm::StringRef bytes);

  /// Sorted by machine, then release.
  llvm::ArrayRef<Build> builds() const { return all; }
  /// Null if it was not read. A release with a local label is never found: its wheel is not PyPI's.
  const Build *find(llvm::StringRef release, uint16_t machine) const;
  /// Unknown if the build was not read, if the answer depends on the Python version, or if nvcc
  /// made the name for a single object file: the table omits such names.
  versions::Exported exported(llvm::StringRef name, llvm::StringRef release,
                              uint16_t machine) const;
  /// The same for one of builds(), without searching for it.
  versions::Exported exported(llvm::StringRef name, const Build &build) const;
  /// For all of builds(), in their order.
  std::vector<versions::Exported> exportedByAll(llvm::StringRef name) const;
  /// std::nullopt if it is not exported or the build was not read.
  std::optional<Entry> entry(llvm::StringRef name, llvm::StringRef release, uint16_t machine) const;
  /// Whether any build exports it, at least for some Python version.
  bool known(llvm::StringRef name) const;
  /// `libc10.so`: the library that exports it in the newest release of the first machine that has
  /// it. Empty if not known.
  llvm::StringRef library(llvm::StringRef name) const;

private:
  friend class TorchNamesWriter;
  TorchNames() = default;

  std::optional<size_t> indexOf(llvm::StringRef release, uint16_t machine) const;
  /// The encoded values of a name, one per build. Empty if no build exports it. std::nullopt if
  /// libstdc++ may define it, too, or the data is inconsistent.
  std::optional<llvm::StringRef> findPattern(llvm::StringRef name) const;
  std::optional<llvm::StringRef> pattern(size_t id) const;
  /// The values of a pattern, one per build. std::nullopt if the data is inconsistent.
  std::optional<std::vector<uint16_t>> valuesOf(size_t id) const;

  std::vector<Build> all;
  /// The parsed releases of `all`.
  std::vector<versions::Version> versions;
  /// Sections of the file, see TorchNamesFormat.h.
  llvm::StringRef patternOffsets, patternBytes, buckets, hashes, numbers;
};

} // namespace cudacc::tables
