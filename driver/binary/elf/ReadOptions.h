// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace cudacc::binary {

/// Opens a member of a thin archive by its name there: absolute, or relative to the archive's
/// directory.
using OpenMember =
    llvm::function_ref<llvm::Expected<std::unique_ptr<core::ReadableFile>>(llvm::StringRef name)>;

/// Asked after the file's last byte was read.
using FindStaticCudart = llvm::function_ref<std::optional<llvm::ArrayRef<uint64_t>>()>;

/// What a reading goes for beyond headers, search path and notes.
struct ReadOptions {
  bool exports = false;
  /// Device code, and what DeviceOptions say about the others.
  bool device = false, deep = false, verify = false, inflate = false;
  /// Imports and their versions.
  bool imports = true;
  /// What the link step does without: `staticCudart`, and the symbols of an archive's members.
  bool thorough = true;
  /// Null: members of thin archives are only counted.
  OpenMember openMember = nullptr;
  /// Where `libcudart_static_` stands in the file; null, or nothing: the table of names is
  /// searched.
  FindStaticCudart staticCudart = nullptr;
};

} // namespace cudacc::binary
