// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <tuple>

namespace cudacc::tables {

/// Parts that build the output, and parts that the runtime loads. Those of a side must agree
/// (RL-1).
enum class Side : uint8_t { Build, Run };

enum class PartKind : uint8_t { Header, Library, Binary, Archive, Bitcode };

/// A part of CUDA and the parts it must agree with (guard_groups).
struct Part {
  /// Parts of one group and side must have the same minor (`blas-solver`). Empty: no group.
  llvm::StringRef group;
  /// For a set of headers: the library it declares (`nvJitLink` for nvjitlink). Empty if none.
  llvm::StringRef library;
};

/// A row of the table. `sides` has bits of Side.
struct GroupMember : Part {
  llvm::StringRef name;
  PartKind kind = PartKind::Header;
  unsigned sides = 0;

  static constexpr auto columns =
      std::tuple(&GroupMember::name, &GroupMember::group, &GroupMember::library, &GroupMember::kind,
                 &GroupMember::sides);
};

/// \p name is that of a set of headers, a program or bitcode, or the part between `lib` and `.so`
/// or `.a`. std::nullopt if it is in no table (GR-6).
std::optional<Part> partOf(Side side, PartKind kind, llvm::StringRef name);

} // namespace cudacc::tables
