// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

/// The bytes of `torch-names.bin`; for TorchNames and TorchNamesWriter alone. All numbers are
/// little-endian.
///
///   header         magic, schema, sizes (the constants below)
///   builds         ascending by machine, then release (versions compared as numbers), each:
///                  u16 machine, u16 flags (1: old strings), u32 names,
///                  u8 length and text of the release, the same of the Pythons
///   padding        to a multiple of 4
///   pattern ends   u32 per pattern: where it ends in `pattern bytes`
///   pattern bytes  a pattern says how each build exports a name, in the order of the builds: pairs
///                  of LEB128 numbers, how many builds in a row and their value (0: not exported)
///   padding        to a multiple of 8
///   buckets        u32 per value of a hash's upper 16 bits: where its entries end
///   entries        u64 per name, ascending within a bucket: the lower 48 bits of its hash, then
///                  16 bits with the number of its pattern
///
/// The hash is XXH3 64 of the mangled name. Names are not in the file: two of the half million
/// names share a hash with a probability below 1e-8.
namespace cudacc::tables::torchnames {

inline constexpr llvm::StringLiteral Magic = "CCTORCH\x1a";
inline constexpr uint32_t Schema = 1;

/// Offsets in the header.
enum Header : size_t {
  AtSchema = 8,
  AtSize = 12,
  /// XXH3 64 of everything from AtBuilds on.
  AtChecksum = 16,
  AtBuilds = 24,
  AtBuildBytes = 28,
  AtPatterns = 32,
  AtPatternBytes = 36,
  AtNames = 40,
  HeaderSize = 48,
};

/// Parts of names that nvcc derives from a hash of the source and the process ID for symbols of a
/// single object file. No other file can import them and they differ between builds, so the table
/// omits them.
inline constexpr llvm::StringLiteral LeftOut[] = {"_GLOBAL__N__", "__fatbinwrap_",
                                                  "__cudaRegisterLinkedBinary_"};
inline bool isLeftOut(llvm::StringRef name) {
  for (llvm::StringRef part : LeftOut)
    if (name.contains(part))
      return true;
  return false;
}

/// Whether a name is in namespace std and mentions no other namespace, so that libstdc++ may define
/// it, too. Torch's libraries export hundreds of such names, compiled from headers. Files built
/// with an older compiler import some without a version (`std::bad_array_new_length`), and the
/// loader finds them in libstdc++.so.6.
bool isOfCxxRuntime(llvm::StringRef name);

inline constexpr size_t BucketCount = 1 << 16;

/// Bits of a value, in addition to one per library.
enum Value : uint16_t {
  Libraries = 0xff,
  Variable = 0x100,
  SomePythons = 0x200,
  AllBits = 0x3ff,
};

inline constexpr uint64_t bucketOf(uint64_t hash) { return hash >> 48; }
inline constexpr uint64_t entryOf(uint64_t hash, uint16_t pattern) { return hash << 16 | pattern; }
inline constexpr size_t aligned(size_t size, size_t to) { return (size + to - 1) / to * to; }

} // namespace cudacc::tables::torchnames
