// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/InflateStream.h"
#include <cstring>
#include <igzip_lib.h>
#include <zlib.h>

namespace cudacc::binary {

/// The state has no pointers into itself, so a bytewise copy is the same position.
struct InflateStream::State {
  inflate_state isal;
};

InflateStream::InflateStream() : state(std::make_unique<State>()) {
  isal_inflate_init(&state->isal);
  state->isal.crc_flag = ISAL_DEFLATE;
}

InflateStream::~InflateStream() = default;

std::unique_ptr<InflateStream> InflateStream::copy() const {
  auto result = std::make_unique<InflateStream>();
  std::memcpy(&result->state->isal, &state->isal, sizeof(inflate_state));
  return result;
}

InflateStream::Status InflateStream::inflate(llvm::ArrayRef<char> &in,
                                             llvm::MutableArrayRef<char> &out) {
  inflate_state &isal = state->isal;
  isal.next_in = reinterpret_cast<uint8_t *>(const_cast<char *>(in.data()));
  isal.avail_in = in.size();
  isal.next_out = reinterpret_cast<uint8_t *>(out.data());
  isal.avail_out = out.size();
  int status = isal_inflate(&isal);
  in = in.take_back(isal.avail_in);
  out = out.take_back(isal.avail_out);
  if (status < ISAL_DECOMP_OK)
    return Status::Damaged;
  return isal.block_state == ISAL_BLOCK_FINISH ? Status::ExitStatus : Status::More;
}

uint32_t crcOf(uint32_t crc, llvm::ArrayRef<char> bytes) {
  return crc32_z(crc, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size());
}

} // namespace cudacc::binary
