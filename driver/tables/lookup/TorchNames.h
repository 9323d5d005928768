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

/// Torch's own libraries whose exports the table has, in the order of Entry::libraries' bits. A
/// library comes before those that need it.
inline constexpr std::array<llvm::StringLiteral, 8> torchNameLibraries = {"libc10.so",
                                                                          "libc10_cuda.so",
                                                                          "libtorch_cpu.so",
                                                                          "libtorch_cuda.so",
                                                                          "libtorch_cuda_linalg.so",
                                                                          "libtorch.so",
                                                                          "libtorch_python.so",
                                                                          "libshm.so"};

/// What torch's own libraries export, release by release: a view over the bytes of
/// `torch-names.bin`, which must outlive it. A look-up touches a few cache lines and allocates
/// nothing. Format: the top of the .cpp.
class TorchNames {
public:
  /// A release on PyTorch's page of PyPI, for one machine.
  struct Build {
    /// `2.5.1`.
    std::string release;
    /// ELF e_machine.
    uint16_t machine = 0;
    /// Built with _GLIBCXX_USE_CXX11_ABI=0.
    bool oldStrings = false;
    /// How many names its libraries export.
    unsigned names = 0;
    /// The Pythons whose wheels were read: `cp39 cp313`.
    std::string pythons;
  };

  /// How one build exports a name.
  struct Entry {
    bool isVariable = false;
    /// False: the wheels of some Pythons have it, those of others do not.
    bool everyPython = true;
    /// Bit i: torchNameLibraries[i] exports it.
    uint8_t libraries = 0;
    /// The first of these libraries.
    llvm::StringRef library() const;
  };

  /// Error, one Finding with Code::BrokenFacts and details as a fact: another schema, truncated,
  /// damaged, or counts that contradict each other.
  static llvm::Expected<TorchNames> view(llvm::StringRef bytes);

  /// By machine, then release, both ascending.
  llvm::ArrayRef<Build> builds() const { return all; }
  /// Null: not read. A release with a local label is never found: its wheel is not PyPI's.
  const Build *find(llvm::StringRef release, uint16_t machine) const;
  /// Unknown: the build was not read, the answer depends on the Python, or it is a name that nvcc
  /// made for one object file alone: the table leaves those out.
  versions::Exported exported(llvm::StringRef name, llvm::StringRef release,
                              uint16_t machine) const;
  /// The same for one of builds(), without a search for it.
  versions::Exported exported(llvm::StringRef name, const Build &build) const;
  /// For all of builds(), in their order.
  std::vector<versions::Exported> exportedByAll(llvm::StringRef name) const;
  /// Nothing: not exported, or the build was not read.
  std::optional<Entry> entry(llvm::StringRef name, llvm::StringRef release, uint16_t machine) const;
  /// Some build exports it, for some Python at least.
  bool known(llvm::StringRef name) const;
  /// `libc10.so`: what exports it in the newest release of the first machine that has it; empty
  /// when not known.
  llvm::StringRef library(llvm::StringRef name) const;

private:
  friend class TorchNamesWriter;
  TorchNames() = default;

  std::optional<size_t> indexOf(llvm::StringRef release, uint16_t machine) const;
  /// The encoded values of a name, one per build; empty: no build exports it. Nothing: libstdc++
  /// may define it as well, or the bytes contradict themselves.
  std::optional<llvm::StringRef> findPattern(llvm::StringRef name) const;
  std::optional<llvm::StringRef> pattern(size_t id) const;
  /// The values of a pattern, one per build; nothing: the bytes contradict themselves.
  std::optional<std::vector<uint16_t>> valuesOf(size_t id) const;

  std::vector<Build> all;
  /// The releases of `all`.
  std::vector<versions::Version> versions;
  /// Parts of the file; the .cpp says what is in them.
  llvm::StringRef patternOffsets, patternBytes, buckets, entries;
};

} // namespace cudacc::tables
