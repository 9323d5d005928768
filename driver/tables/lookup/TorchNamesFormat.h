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
///   padding        to a multiple of 4
///   buckets        u32 per value of a hash's upper 16 bits: where its names end
///   hashes         u32 per name, ascending within a bucket: the lower 32 bits of its hash
///   numbers        u16 per name, in the same order: the number of its pattern
///
/// The hash is the upper 48 bits of XXH3 64 of the mangled name: the table is half of a wheel, and
/// hashes do not compress. Names are not in the file: two of the quarter million names share a hash
/// with a probability of 1e-4, another name is taken for one of them with one of 1e-9.
namespace cudacc::tables::torchnames {

inline constexpr llvm::StringLiteral Magic = "CCTORCH\x1a";
inline constexpr uint32_t Schema = 2;

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

uint64_t hashOf(llvm::StringRef name);
inline constexpr uint64_t bucketOf(uint64_t hash) { return hash >> 32; }
inline constexpr size_t aligned(size_t size, size_t to) { return (size + to - 1) / to * to; }

} // namespace cudacc::tables::torchnames
