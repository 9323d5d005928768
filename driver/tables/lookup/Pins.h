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
  /// The version to hold a build to; for one that floats, the oldest that is allowed, or that of
  /// the line's own toolkit. Empty: the metadata has no bound, the line's toolkit says it.
  llvm::StringRef floor;
  /// The metadata does not fix the version.
  bool floats = false;
  /// In the framework's own metadata, through the cuda-toolkit metapackage, through another wheel.
  PinKind kind = PinKind::Direct;
  Confidence confidence = Confidence::Unverified;
  /// PEP 440, as the metadata has it; empty: no bound, or not kept.
  llvm::StringRef spec;
  /// Places of both in the tables; `nowhere`: not there, or not looked up.
  uint16_t distIndex = nowhere, versionIndex = nowhere;
};

} // namespace cudacc::tables
