// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Container.h"
#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace cudacc::binary {

/// Opens a member of a thin archive by the name stored there: absolute, or relative to the
/// archive's directory.
using OpenMember =
    llvm::function_ref<llvm::Expected<std::unique_ptr<core::ReadableFile>>(llvm::StringRef name)>;

/// Called after the file's last byte was read.
using FindStaticCudart = llvm::function_ref<std::optional<llvm::ArrayRef<uint64_t>>()>;

/// What to read in addition to headers, search paths and notes.
struct ReadOptions {
  bool exports = false;
  /// Read device code; the others are those of DeviceOptions.
  bool device = false, deep = false, verify = false, inflate = false;
  /// Called for every container if device code is read.
  OnContainer onContainer = nullptr;
  /// Read imports and their versions.
  bool imports = true;
  /// Read what the link step does without: `staticCudart`, and the symbols of archive members.
  bool thorough = true;
  /// Compare the relocations with what the loader takes.
  bool relocations = false;
  /// Without `thorough`: read `staticCudart` if the imports may be those of a static cudart.
  bool cudart = false;
  /// If null, members of thin archives are only counted.
  OpenMember openMember = nullptr;
  /// Returns the offsets of `libcudart_static_` in the file. If it is null or returns std::nullopt,
  /// the string table is searched.
  FindStaticCudart staticCudart = nullptr;
};

} // namespace cudacc::binary
