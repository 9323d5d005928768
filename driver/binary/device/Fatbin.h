// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/Device.h"
#include "driver/binary/device/FatbinCubin.h"
#include "driver/binary/device/FatbinInflate.h"
#include "driver/binary/elf/Bytes.h"
#include "driver/core/DeviceCode.h"

namespace cudacc::binary {

/// The first eight bytes of a version 1 container (FB-14), and its magic number alone.
constexpr uint64_t ContainerStart = 0x00100001BA55ED50;
constexpr uint32_t ContainerMagic = uint32_t(ContainerStart);
constexpr uint64_t ContainerHeaderSize = 16;

/// FB-16; an extension may follow.
struct EntryHeader {
  uint16_t kind, mark;
  uint32_t headerSize;
  uint64_t payloadSize;
  /// 0 if the payload is not compressed.
  uint32_t compressedSize;
  uint32_t optionsAt;
  uint16_t minor, major;
  uint32_t arch;
  uint32_t nameAt, nameSize;
  uint64_t flags, reserved, plainSize;
};
static_assert(sizeof(EntryHeader) == 64);

enum EntryKind : uint16_t { PtxEntry = 1, CubinEntry = 2, LtoIrEntry = 8, GroupEntry = 0x100 };
/// FB-17.
enum EntryFlag : uint64_t {
  LtoIrPacked = 0x10000,
  Lz4Payload = 0x2000,
  ZstdPayload = 0x8000,
  SuffixA = 0x100000,
  SuffixF = 0x200000,
};

/// Remaining limits for one file (FB-22).
struct FatbinBudget {
  uint32_t containers = 1 << 18, entries = 1 << 20;
};

/// Reads pieces that are close together with one call: container header, entry header and the head
/// of an uncompressed cubin (PF-A2).
class Window {
public:
  explicit Window(Bytes &bytes) : bytes(bytes) {}
  Bytes &bytes;

  /// Reads ahead at most up to \p end.
  llvm::Error read(uint64_t at, uint64_t end, llvm::MutableArrayRef<char> out);
  template <typename T> llvm::Expected<T> get(uint64_t at, uint64_t end) {
    T value;
    if (llvm::Error error = read(at, end, {reinterpret_cast<char *>(&value), sizeof(T)}))
      return error;
    return value;
  }

private:
  uint64_t offset = 0, filled = 0;
  /// The largest entry header seen (NVIDIA's own libraries) has 144 bytes, a cubin's ELF header 64.
  std::array<char, 224> data;
};

/// Reads containers one at a time.
class ContainerReader {
public:
  ContainerReader(Bytes &bytes, const DeviceOptions &options, core::DeviceCode &device,
                  FatbinBudget &budget, Inflater &inflater)
      : bytes(bytes), window(bytes), options(options), device(device), budget(budget),
        inflater(inflater) {}

  enum class State : uint8_t {
    /// There is no container at this offset.
    None,
    /// A container of another version; its size is within bounds.
    Foreign,
    /// FB-21 is violated; `images` has those before the damage.
    Damaged,
    Good,
    /// The budget is exhausted.
    Spent,
  };
  /// Reads the container at \p at, which must end at or before \p end.
  llvm::Expected<State> read(uint64_t at, uint64_t end, core::DeviceUnit::Home home);

  /// For the container read last: its end, its images, and what is unknown or damaged in it.
  uint64_t next = 0;
  std::vector<core::DeviceImage> images;
  std::vector<std::string> problems;
  /// The newest release that made a cubin in it; 0.0 if none is known. Determined only for
  /// DeviceOptions::onContainer.
  versions::CudaVersion release;

private:
  Bytes &bytes;
  Window window;
  const DeviceOptions &options;
  core::DeviceCode &device;
  FatbinBudget &budget;
  Inflater &inflater;
  /// Whether compressed payloads are inflated.
  bool inflating = false;

  struct Entry {
    EntryHeader header;
    uint64_t at;
    core::Compression compression;
    uint64_t payload() const { return at + header.headerSize; }
    uint64_t end() const { return payload() + header.payloadSize; }
  };
  llvm::Expected<State> entries(uint64_t at, uint64_t end);
  llvm::Expected<State> entry(const Entry &entry);
  llvm::Expected<State> group(const Entry &entry);
  llvm::Error cubin(const Entry &entry, core::DeviceImage &image);
  void addRelease(versions::CudaVersion made) { release = std::max(release, made); }
  /// Reads an uncompressed cubin of \p size bytes at \p at.
  llvm::Expected<Cubin> plainCubin(uint64_t at, uint64_t size);
  Cubin inflatedCubin(llvm::StringRef text);
  void apply(const Cubin &cubin, core::DeviceImage &image, uint64_t at);
  /// The inflated payload, valid until the next call; std::nullopt if it cannot be inflated.
  llvm::Expected<std::optional<llvm::StringRef>> inflated(const Entry &entry);
  /// Compares the header of a PTX or LTO-IR entry with the head of its payload.
  llvm::Error verify(const Entry &entry, const core::DeviceImage &image);
  void disagree(const core::DeviceImage &image, llvm::StringRef payload, uint64_t at);
  State damaged(const char *what, uint64_t at);
  void unknown(const llvm::Twine &what, uint64_t at);
};

/// Formats what a header says for messages: "sm_90a cubin", "compute_80 PTX ISA 8.4".
std::string describe(const core::DeviceImage &image);

/// Adds \p clause unless it is a duplicate; keeps the first few, as a hostile file has thousands.
void addClause(std::vector<std::string> &clauses, const llvm::Twine &clause);

} // namespace cudacc::binary
