#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/elf/Bytes.h"

namespace cudacc::elf {

/// Inflates payloads, one at a time, within a fixed limit (FB-25).
class Inflater {
public:
  static constexpr size_t Limit = 64 << 20;

  Inflater() = default;
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;
  ~Inflater();

  enum class State : uint8_t { Whole, TooLarge, Broken };
  struct Result {
    State state = State::Broken;
    /// Until the next call.
    llvm::StringRef text{};
  };
  /// Inflates the frame of \p size bytes at \p offset, zstd or LZ4. It is Whole when it ends with
  /// its last byte and makes \p plainSize bytes.
  llvm::Expected<Result> inflate(Bytes &bytes, uint64_t offset, uint64_t size, uint64_t plainSize,
                                 core::Compression compression);

private:
  std::unique_ptr<char[]> input, output;
  size_t inputSize = 0, outputSize = 0;
  /// A ZSTD_DCtx.
  void *context = nullptr;
};

} // namespace cudacc::elf
