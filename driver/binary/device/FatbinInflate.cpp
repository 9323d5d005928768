// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/FatbinInflate.h"
#include <lz4.h>
#include <zstd.h>

namespace cudacc::binary {

Inflater::~Inflater() { ZSTD_freeDCtx(static_cast<ZSTD_DCtx *>(context)); }

/// The buffer size for \p size, in coarse steps; only pages in use take memory.
static size_t roomFor(uint64_t size) {
  for (size_t room : {Inflater::Limit / 64, Inflater::Limit / 8})
    if (size <= room)
      return room;
  return Inflater::Limit;
}

llvm::Expected<Inflater::Result> Inflater::inflate(Bytes &bytes, uint64_t offset, uint64_t size,
                                                   uint64_t plainSize,
                                                   core::Compression compression) {
  if (size > Limit || plainSize > Limit)
    return Result{State::TooLarge};
  // Checked before the allocation, since \p size comes from the file.
  if (!bytes.holds(offset, size))
    return Result{State::Broken};
  taken += size;
  if (made + plainSize > FreeTotal && (made + plainSize) / MaxRatio > taken)
    return Result{State::TooMuch};
  made += plainSize;
  if (size > inputSize) {
    input.reset(new char[size]);
    inputSize = size;
  }
  if (!output || plainSize > outputSize) {
    outputSize = roomFor(plainSize);
    output.reset(new char[outputSize]);
  }
  if (auto error = bytes.readApart(offset, {input.get(), size}, "a compressed payload"))
    return error;
  auto result = [&](uint64_t got) {
    return got == plainSize ? Result{State::Whole, {output.get(), plainSize}} : Result{};
  };
  if (compression == core::Compression::Lz4) {
    int got = LZ4_decompress_safe(input.get(), output.get(), int(size), int(plainSize));
    return got < 0 ? Result{} : result(got);
  }
  if (!context)
    context = ZSTD_createDCtx();
  size_t got = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx *>(context), output.get(), plainSize,
                                   input.get(), size);
  return ZSTD_isError(got) ? Result{} : result(got);
}

} // namespace cudacc::binary
