// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/Device.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// Reads a file that is device code and nothing else, as `nvcc -fatbin`, `-cubin`, `-ptx` and
/// `-dlto -ltoir` write it. False: it is none, and nothing was changed.
/// - What run-time linking alone can use (relocatable cubins, LTO-IR) is Home::Relocatable.
/// - Where neither the flags of a cubin nor the note of the tool that made it say whether it is for
///   one GPU alone (sm_90a), the image is ImageKind::Unknown.
llvm::Expected<bool> readDeviceFile(Bytes &bytes, const Identity &identity,
                                    const DeviceOptions &options, core::BinaryFacts &facts);

} // namespace cudacc::binary
