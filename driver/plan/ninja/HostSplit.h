// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/plan/ninja/StepGraph.h"

namespace cudacc::plan {

/// Compiles host code to assembly, which needs no device images, while these are made; the
/// assembler then reads both. A compile stays as it is where the object could differ from that of
/// one command: with debug information, LTO, or another host compiler than GCC.
///
/// Where the images are in nvcc's C file, that of the compile has an `.include`. It is made from
/// what fatbinary writes for a DataImage.
void splitHostCompiles(StepGraph &graph, const Dryrun &dryrun, llvm::StringRef folder);

/// The file in the folder from which fatbinary makes an example of its output: PTX without code.
struct DataImage {
  static constexpr llvm::StringLiteral name = "none.ptx",
                                       text = ".version 6.0\n.target sm_30\n.address_size 64\n";
};

} // namespace cudacc::plan
