// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/Device.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// Reads a file that consists of device code only, as `nvcc -fatbin`, `-cubin`, `-ptx` and `-dlto
/// -ltoir` write it. Returns false, without changes, if it is none.
/// - Code that only run-time linking can use (relocatable cubins, LTO-IR) is Home::Relocatable.
/// - If neither the flags of a cubin nor the note of the tool that made it say whether it is
///   specific to one GPU (sm_90a), the image is ImageKind::Unknown.
llvm::Expected<bool> readDeviceFile(Bytes &bytes, const Identity &identity,
                                    const DeviceOptions &options, core::BinaryFacts &facts);

} // namespace cudacc::binary
