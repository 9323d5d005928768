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

/// Parts of a file that can only be read from front to back, kept while it passes by: what a reader
/// of ELF files will ask for afterwards. Its headers say where the tables lie, and containers of
/// device code are followed from header to header. What is kept is a guess, at most 48 MiB of it;
/// the content of the file can make it a bad guess and nothing worse.
class KeptParts {
public:
  /// Of a file of that size.
  explicit KeptParts(uint64_t size) : fileSize(size) {}

  /// The next piece of the file; all but the last are a multiple of CellSize long.
  void see(llvm::StringRef piece);
  /// Fills \p out; false: not all of it is kept.
  bool read(uint64_t offset, llvm::MutableArrayRef<char> out) const;
  /// Where `libcudart_static_` stands in what was seen; nothing: at more places than are noted.
  std::optional<llvm::ArrayRef<uint64_t>> staticCudart() const {
    return cudartAt.size() < MaxCudart ? std::optional(llvm::ArrayRef(cudartAt)) : std::nullopt;
  }

  static constexpr uint64_t CellSize = 512;

private:
  enum class Probe { Container, Entry, Cubin };
  struct Asked {
    Probe probe;
    /// Of the container it is in.
    uint64_t end;
  };
  static constexpr uint64_t SlabCells = 256, ProbeSize = 64;
  static constexpr size_t MaxCudart = 1 << 12;

  uint64_t fileSize;
  /// Of the piece at hand.
  uint64_t begin = 0, end = 0;
  llvm::StringRef piece;
  /// Cells that were kept, by number: their number in the slabs.
  llvm::DenseMap<uint64_t, uint32_t> cells;
  std::vector<std::unique_ptr<char[]>> slabs;
  /// Cells that are still to come, from first to one past the last; disjoint.
  std::map<uint64_t, uint64_t> wanted;
  /// What is looked at when it has passed, by its offset.
  std::multimap<uint64_t, Asked> probes;
  /// Containers are looked for behind this.
  uint64_t searchFrom = 0;
  std::vector<uint64_t> cudartAt;
  /// The end of the piece before, for a name that lies across.
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
