// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/ReadOptions.h"
#include "driver/core/DeviceCode.h"
#include "driver/core/Manifest.h"
#include <string>
#include <vector>

namespace cudacc::binary {

/// A host object with relocatable device code, with what nvlink reads of it besides that code.
struct RelocatableObject {
  /// Name in the archive; empty if it is a file of its own.
  std::string member;
  /// The whole object.
  std::string bytes;
  /// The names by which the object registers its module (`__nv_module_id`): `_b51ce050_4_a_cu_k`.
  /// One per translation unit of an object made by `ld -r`.
  std::vector<std::string> modules;
  /// Patterns of the kernels and of the device variables that host code refers to: `_Z1kPi*`.
  std::vector<std::string> kernels, variables;
  core::DeviceCode device;
  core::Manifest manifest;
};

/// What a file is to a device link.
struct LinkFile {
  enum class Kind : uint8_t {
    /// A host object: it was visited if it has relocatable device code.
    Object,
    /// An archive: its members were.
    Archive,
    /// A shared library or a program: nvlink ignores it.
    Linked,
    /// Anything else.
    Foreign,
  };
  Kind kind = Kind::Foreign;
  /// Each host object in it lists what its host code refers to (sections `.nvHR*`), which only code
  /// for relocatable device code does.
  bool hasReferences = true;
};
using VisitObject = llvm::function_ref<llvm::Error(RelocatableObject object)>;

/// Visits the objects with relocatable device code in the object or archive \p file, in its order.
/// Members of an archive that are no host objects are skipped. Errors: BrokenBinary, LimitReached.
llvm::Expected<LinkFile> eachRelocatableObject(core::ReadableFile &file, llvm::StringRef path,
                                               OpenMember openMember, VisitObject visit);

} // namespace cudacc::binary
