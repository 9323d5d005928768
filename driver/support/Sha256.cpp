// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Sha256.h"
#include "llvm/Support/Endian.h"
#include <bit>
#include <cstring>

namespace cudacc::support {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
static constexpr uint32_t Constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// The compression function (6.2.2).
void Sha256::block(const char *bytes) {
  uint32_t w[64];
  for (unsigned t = 0; t != 16; ++t)
    w[t] = llvm::support::endian::read32be(bytes + 4 * t);
  for (unsigned t = 16; t != 64; ++t) {
    uint32_t low = w[t - 15], high = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] + (std::rotr(low, 7) ^ std::rotr(low, 18) ^ low >> 3) +
           (std::rotr(high, 17) ^ std::rotr(high, 19) ^ high >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (unsigned t = 0; t != 64; ++t) {
    uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                   ((e & f) ^ (~e & g)) + Constants[t] + w[t];
    uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const uint32_t after[] = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i != state.size(); ++i)
    state[i] += after[i];
}

void Sha256::add(llvm::StringRef bytes) {
  size_t held = count % BlockSize;
  count += bytes.size();
  if (held) {
    llvm::StringRef front = bytes.take_front(BlockSize - held);
    std::memcpy(partial.data() + held, front.data(), front.size());
    bytes = bytes.drop_front(front.size());
    if (held + front.size() != BlockSize)
      return;
    block(partial.data());
  }
  for (; bytes.size() >= BlockSize; bytes = bytes.drop_front(BlockSize))
    block(bytes.data());
  if (!bytes.empty())
    std::memcpy(partial.data(), bytes.data(), bytes.size());
}

Sha256::Digest Sha256::finish() {
  // A bit that is set, zeros, and the number of bits end the last block (5.1.1).
  char bits[8];
  llvm::support::endian::write64be(bits, count * 8);
  char padding[BlockSize] = {char(0x80)};
  size_t held = count % BlockSize, room = BlockSize - sizeof(bits);
  add({padding, held < room ? room - held : BlockSize + room - held});
  add({bits, sizeof(bits)});
  Digest digest;
  for (unsigned i = 0; i != state.size(); ++i)
    llvm::support::endian::write32be(digest.data() + 4 * i, state[i]);
  return digest;
}

Sha256::Digest Sha256::of(llvm::StringRef bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

} // namespace cudacc::support
