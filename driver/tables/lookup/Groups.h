// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace cudacc::tables {

/// What produces the output, and what the runtime loads: parts must agree inside a side (RL-1).
enum class Side : uint8_t { Build, Run };

enum class PartKind : uint8_t { Header, Library, Binary, Archive, Bitcode };

/// What holds a part of CUDA together with others (guard_groups).
struct Part {
  /// All of one group and side are of one minor (`blas-solver`); empty: none.
  llvm::StringRef group;
  /// Of a header set: the library that it declares (`nvJitLink` of nvjitlink); empty: none.
  llvm::StringRef library;
};

/// By the name of a header set, of a program, of bitcode, or the name between `lib` and `.so` or
/// `.a`. Nothing: no table has the name (GR-6).
std::optional<Part> partOf(Side side, PartKind kind, llvm::StringRef name);

} // namespace cudacc::tables
