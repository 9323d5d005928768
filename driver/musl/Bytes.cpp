// SPDX-License-Identifier: Apache-2.0
// Of the static program alone: functions of libc that look at one byte at a time there. Compiled
// without builtins, so that none of them is made of a call of itself.
#include <cstddef>
#include <cstdint>

namespace {
constexpr size_t width = 16;
using Bytes [[gnu::vector_size(width)]] = unsigned char;
using Words [[gnu::vector_size(width)]] = uint64_t;

Bytes load(const unsigned char *at) {
  Bytes bytes;
  __builtin_memcpy(&bytes, at, width);
  return bytes;
}

/// True if any byte of a comparison's result is set.
bool any(Bytes bytes) {
  auto words = reinterpret_cast<Words>(bytes);
  return (words[0] | words[1]) != 0;
}

/// The place of the first byte that is set; one is.
size_t firstOf(Bytes bytes) {
  auto words = reinterpret_cast<Words>(bytes);
  return size_t(words[0] ? __builtin_ctzll(words[0]) : 64 + __builtin_ctzll(words[1])) / 8;
}

Bytes areEqual(Bytes left, Bytes right) { return reinterpret_cast<Bytes>(left == right); }
Bytes allOf(unsigned char byte) { return byte - Bytes{}; }
} // namespace

extern "C" {

void *memchr(const void *text, int wanted, size_t size) {
  auto *at = static_cast<const unsigned char *>(text), *end = at + size;
  Bytes all = allOf(wanted);
  for (; size_t(end - at) >= width; at += width)
    if (any(areEqual(load(at), all)))
      break;
  for (; at != end; ++at)
    if (*at == static_cast<unsigned char>(wanted))
      return const_cast<unsigned char *>(at);
  return nullptr;
}

/// Reads blocks from the one that holds the first byte on, none of which lies in two pages.
size_t strlen(const char *text) {
  size_t skipped = reinterpret_cast<uintptr_t>(text) % width;
  auto *at = reinterpret_cast<const unsigned char *>(text) - skipped;
  constexpr Bytes places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  auto isText = reinterpret_cast<Bytes>(places >= allOf(skipped));
  Bytes zeros = areEqual(load(at), allOf(0)) & isText;
  for (; !any(zeros); zeros = areEqual(load(at), allOf(0)))
    at += width;
  return size_t(at - reinterpret_cast<const unsigned char *>(text)) + firstOf(zeros);
}

int memcmp(const void *left, const void *right, size_t size) {
  auto *one = static_cast<const unsigned char *>(left),
       *other = static_cast<const unsigned char *>(right);
  size_t at = 0;
  for (; size - at >= width; at += width)
    if (any(load(one + at) ^ load(other + at)))
      break;
  for (; at != size; ++at)
    if (one[at] != other[at])
      return one[at] - other[at];
  return 0;
}

/// Places where both the first and the last byte agree are few.
void *memmem(const void *text, size_t size, const void *wanted, size_t length) {
  auto *at = static_cast<const unsigned char *>(text), *last = at + size - length;
  auto *sought = static_cast<const unsigned char *>(wanted);
  if (length == 0)
    return const_cast<unsigned char *>(at);
  if (size < length)
    return nullptr;
  Bytes first = allOf(sought[0]), final = allOf(sought[length - 1]);
  while (at <= last) {
    if (size_t(last - at) >= width &&
        !any(areEqual(load(at), first) & areEqual(load(at + length - 1), final))) {
      at += width;
      continue;
    }
    for (auto *stop = at + width; at != stop && at <= last; ++at)
      if (*at == sought[0] && memcmp(at, sought, length) == 0)
        return const_cast<unsigned char *>(at);
  }
  return nullptr;
}

} // extern "C"
