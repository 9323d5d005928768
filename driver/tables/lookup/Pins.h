// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::tables {

enum class PinKind : uint8_t { Direct, Extra, Transitive };

/// One requirement of a framework's wheel on another distribution.
struct Pin {
  static constexpr uint16_t nowhere = 0xffff;

  llvm::StringRef dist;
  /// The version to check a build against. For a pin that floats, the oldest allowed version or the
  /// one in the line's own toolkit. Empty: no bound, so the line's toolkit applies.
  llvm::StringRef floor;
  /// The metadata does not fix the version.
  bool floats = false;
  /// From the framework's own metadata, from the cuda-toolkit metapackage, or from another wheel.
  PinKind kind = PinKind::Direct;
  Confidence confidence = Confidence::Unverified;
  /// PEP 440 specifier from the metadata. Empty if there is no bound or it was not kept.
  llvm::StringRef spec;
  /// Indices of both in the tables; `nowhere` if they are not there or were not looked up.
  uint16_t distIndex = nowhere, versionIndex = nowhere;
};

} // namespace cudacc::tables
