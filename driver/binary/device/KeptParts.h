// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::binary {

/// Keeps those parts of a sequentially read file that a reader of ELF files will probably ask for
/// afterwards: the tables that its headers point to, and the headers of device code containers. At
/// most 48 MiB. Hostile contents can make the selection useless, but cause no other harm.
class KeptParts {
public:
  /// \p size is that of the file.
  explicit KeptParts(uint64_t size) : fileSize(size) {}

  /// Passes the next piece of the file; the size of all but the last is a multiple of CellSize.
  void see(llvm::StringRef piece);
  /// Fills \p out; returns false if not all of it was kept.
  bool read(uint64_t offset, llvm::MutableArrayRef<char> out) const;
  /// Offsets of `libcudart_static_` in the pieces passed; std::nullopt if there are too many.
  std::optional<llvm::ArrayRef<uint64_t>> staticCudart() const {
    return cudartAt.size() < MaxCudart ? std::optional(llvm::ArrayRef(cudartAt)) : std::nullopt;
  }

  static constexpr uint64_t CellSize = 512;

private:
  enum class Probe { Container, Entry, Cubin };
  struct Asked {
    Probe probe;
    /// End of the enclosing container.
    uint64_t end;
  };
  static constexpr uint64_t SlabCells = 256, ProbeSize = 64;
  static constexpr size_t MaxCudart = 1 << 12;

  uint64_t fileSize;
  /// Offsets of the current piece.
  uint64_t begin = 0, end = 0;
  llvm::StringRef piece;
  /// The kept cells: position in `slabs` by cell number.
  llvm::DenseMap<uint64_t, uint32_t> cells;
  std::vector<std::unique_ptr<char[]>> slabs;
  /// Cells to keep that were not passed yet, from first to one past the last; disjoint.
  std::map<uint64_t, uint64_t> wanted;
  /// Headers to examine once they were passed, by offset.
  std::multimap<uint64_t, Asked> probes;
  /// Containers are searched from here on.
  uint64_t searchFrom = 0;
  std::vector<uint64_t> cudartAt;
  /// The end of the previous piece, for a name that crosses the boundary.
  std::string tail;

  void planElf();
  void want(uint64_t at, uint64_t size);
  void wantCells(uint64_t first, uint64_t last);
  void keep(uint64_t cell);
  void ask(uint64_t at, Probe probe, uint64_t containerEnd);
  void answer(uint64_t at, const Asked &asked);
  void follow();
  void findContainers();
  void findCudart();
};

} // namespace cudacc::binary
