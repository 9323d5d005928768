// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/InflateStream.h"
#include <zlib.h>

namespace cudacc::binary {

/// zlib's state points back to the z_stream, which therefore must not be moved.
struct InflateStream::State {
  z_stream z{};
  ~State() { inflateEnd(&z); }
};

InflateStream::InflateStream() : state(std::make_unique<State>()) {
  if (inflateInit2(&state->z, -MAX_WBITS) != Z_OK)
    state.reset();
}

InflateStream::~InflateStream() = default;

std::unique_ptr<InflateStream> InflateStream::copy() const {
  auto result = std::make_unique<InflateStream>();
  if (!result->good())
    return nullptr;
  inflateEnd(&result->state->z);
  if (inflateCopy(&result->state->z, &state->z) != Z_OK)
    return nullptr;
  return result;
}

InflateStream::Status InflateStream::inflate(llvm::ArrayRef<char> &in,
                                             llvm::MutableArrayRef<char> &out) {
  z_stream &z = state->z;
  z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(in.data()));
  z.avail_in = in.size();
  z.next_out = reinterpret_cast<Bytef *>(out.data());
  z.avail_out = out.size();
  int status = ::inflate(&z, Z_NO_FLUSH);
  in = in.take_back(z.avail_in);
  out = out.take_back(z.avail_out);
  if (status == Z_STREAM_END)
    return Status::ExitStatus;
  return status == Z_OK || status == Z_BUF_ERROR ? Status::More : Status::Damaged;
}

uint32_t crcOf(uint32_t crc, llvm::ArrayRef<char> bytes) {
  return crc32_z(crc, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size());
}

} // namespace cudacc::binary
