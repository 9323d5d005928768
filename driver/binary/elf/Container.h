// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "driver/core/DeviceCode.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::binary {

/// A fatbin container whose entries are all of a known form, as it lies in a file.
struct Container {
  core::DeviceUnit::Home home;
  /// The result of a device link.
  bool linked;
  llvm::ArrayRef<core::DeviceImage> images;
  /// The newest release that made a cubin in it, as far as cubins were opened (DeviceOptions::
  /// inflate); 0.0 if not known.
  versions::CudaVersion release;
  /// The file or archive member, and the container's place in it.
  Bytes &bytes;
  uint64_t offset, size;
};
/// An error ends reading.
using OnContainer = llvm::function_ref<llvm::Error(const Container &)>;

} // namespace cudacc::binary
