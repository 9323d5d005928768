// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace cudacc::tables {

/// Answer of a table to a question about two versions. Unknown is never taken for either.
enum class Works : uint8_t { No, Yes, Unknown };

/// Lowest CUDA version of whatever translates PTX of that ISA: driver, nvJitLink, nvPTXCompiler
/// (ptx_isa). An image's `version` is such an ISA. Nothing: the ISA is not known; 7.9 and 8.9 do
/// not exist. 12.7, that of ISA 8.6, is a driver only.
std::optional<versions::CudaVersion> minCudaOfPtx(versions::CudaVersion isa);
/// Whether a driver, nvJitLink or nvPTXCompiler of that CUDA version translates PTX of that ISA.
/// Older ISAs than the oldest row are translated by every CUDA version that has a row.
Works translatesPtx(versions::CudaVersion cuda, versions::CudaVersion isa);

/// Whether nvcc of that line makes code for the architecture, suffix included (sm_arch). The table
/// has every target of every line that it covers; a line behind its last is Unknown.
Works knowsArch(versions::CudaVersion line, versions::Arch arch);
/// A part of an SoC (Jetson, DRIVE): machine code does not run across the border between these and
/// the others of one major (sm_embedded). The suffix does not count.
bool isEmbedded(versions::Arch arch);
/// What `sm>=` means (F15): every architecture without suffix from \p least up that is no embedded
/// one and that nvcc of \p line knows, ascending. Empty: none, or the line is not known.
llvm::SmallVector<versions::Arch, 16> archsFrom(versions::Arch least, versions::CudaVersion line);
/// All architectures that have a row, ascending.
llvm::SmallVector<versions::Arch, 48> knownArchs();
/// Lowest PTX ISA that has the target; nothing: unknown. `atMost`: it may be lower.
struct FirstPtx {
  versions::CudaVersion isa;
  bool atMost = false;
};
std::optional<FirstPtx> firstPtxOf(versions::Arch arch);
/// Numbers of the architectures that code for an `f` target runs on, ascending, its own first:
/// 120, 121 for sm_120f (sm_suffix_rules). Empty: no `f` target, or not known.
llvm::SmallVector<uint16_t, 4> familyOf(versions::Arch arch);

/// Toolkit lines that write LTO-IR of that version (docs/spec/device-code.md), ascending; a number
/// stands for up to three. Empty: unknown version.
llvm::SmallVector<versions::CudaVersion, 3> linesOfLtoIr(versions::CudaVersion version);
/// What nvJitLink of \p consumer does with an image that the compiler of \p producer made, as
/// measured (nvjitlink_matrix); Unknown: no such pair was measured. NVIDIA promises less (LTO-IR
/// inside a major only), and 12.5 to 12.9 take cubins of 13.x, on which nobody may build (PL-2).
Works nvJitLinkTakes(core::ImageKind kind, versions::CudaVersion producer,
                     versions::CudaVersion consumer);
/// A pair of releases of these majors was measured and worked: 12 to 13 for LTO-IR, never 11 to 12
/// (PL-3).
bool majorsWork(core::ImageKind kind, unsigned producerMajor, unsigned consumerMajor);

/// The CUDA version that a driver release is of (what cuDriverGetVersion stands for).
struct DriverCuda {
  versions::CudaVersion cuda;
  /// The driver's branch (its first number) is one that some toolkit release names (ctk_driver);
  /// otherwise it is of \p cuda at least, and a No that follows from it is Unknown.
  bool exact = false;
};
/// Nothing: older than every driver of the table.
std::optional<DriverCuda> cudaOfDriver(const versions::Version &driver);
/// Lowest driver that names itself of that CUDA version or a newer one: the minimum of the line's
/// first release (`535.54.03` for 12.2). Empty: unknown.
llvm::StringRef firstDriverOf(versions::CudaVersion line);

} // namespace cudacc::tables
