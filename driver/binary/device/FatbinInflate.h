// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "driver/core/DeviceCode.h"

namespace cudacc::binary {

/// Inflates payloads one at a time within fixed limits (FB-25).
class Inflater {
public:
  static constexpr size_t Limit = 64 << 20;
  /// Limit for all payloads together: the larger of FreeTotal and MaxRatio times their compressed
  /// size. NVIDIA's own reach a tenth of that.
  static constexpr uint64_t FreeTotal = uint64_t(1) << 30, MaxRatio = 64;

  Inflater() = default;
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;
  ~Inflater();

  enum class State : uint8_t { Whole, TooLarge, TooMuch, Broken };
  struct Result {
    State state = State::Broken;
    /// Valid until the next call.
    llvm::StringRef text{};
  };
  /// Inflates the zstd or LZ4 frame of \p size bytes at \p offset. The result is Whole if the frame
  /// ends with its last byte and yields \p plainSize bytes.
  llvm::Expected<Result> inflate(Bytes &bytes, uint64_t offset, uint64_t size, uint64_t plainSize,
                                 core::Compression compression);

private:
  std::unique_ptr<char[]> input, output;
  size_t inputSize = 0, outputSize = 0;
  uint64_t taken = 0, made = 0;
  /// A ZSTD_DCtx.
  void *context = nullptr;
};

} // namespace cudacc::binary
