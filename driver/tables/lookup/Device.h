// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Exported.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// A table's answer about two versions. Callers must not treat Unknown as Yes or No.
enum class Works : uint8_t { No, Yes, Unknown };

/// Minimum CUDA version of a driver, nvJitLink or nvPTXCompiler that translates PTX of that ISA
/// (ptx_isa). For PTX images, `version` is the ISA. std::nullopt if the ISA is not known; 7.9 and
/// 8.9 do not exist. 12.7, the version for ISA 8.6, exists only as a driver.
std::optional<versions::CudaVersion> minCudaOfPtx(versions::CudaVersion isa);
/// Whether a driver, nvJitLink or nvPTXCompiler of that CUDA version translates PTX of that ISA.
/// Every CUDA version in the table translates ISAs older than the oldest row.
Works translatesPtx(versions::CudaVersion cuda, versions::CudaVersion isa);

/// Whether nvcc of that line generates code for the architecture, including its suffix (sm_arch).
/// The table is complete for the lines that it covers; newer lines give Unknown.
Works knowsArch(versions::CudaVersion line, versions::Arch arch);
/// Whether the GPU is part of an SoC (Jetson, DRIVE). Machine code is not compatible between these
/// and other GPUs of the same major (sm_embedded). The suffix is ignored.
bool isEmbedded(versions::Arch arch);
/// The architectures selected by `sm>=` (F15): those without suffix from \p least on that are not
/// embedded and that nvcc of \p line supports, ascending. Empty if there are none or \p line is
/// unknown.
llvm::SmallVector<versions::Arch, 16> archsFrom(versions::Arch least, versions::CudaVersion line);
/// All architectures that have a row, ascending.
llvm::SmallVector<versions::Arch, 48> knownArchs();
/// Minimum PTX ISA that has the target. std::nullopt if unknown. `atMost`: it may be lower.
struct FirstPtx {
  versions::CudaVersion isa;
  bool atMost = false;
};
std::optional<FirstPtx> firstPtxOf(versions::Arch arch);
/// Numbers of the architectures that run code for an `f` target, ascending, starting with its own:
/// 120, 121 for sm_120f (sm_suffix_rules). Empty if it is no `f` target or not known.
llvm::SmallVector<uint16_t, 4> familyOf(versions::Arch arch);

/// Toolkit lines that write LTO-IR of that version (docs/spec/device-code.md), ascending. Up to
/// three lines share a version. Empty if the version is not known.
llvm::SmallVector<versions::CudaVersion, 3> linesOfLtoIr(versions::CudaVersion version);
/// Whether nvJitLink of \p consumer accepts an image compiled with \p producer, as measured
/// (nvjitlink_matrix). Unknown if the pair was not measured. NVIDIA guarantees less (LTO-IR only
/// within a major); 12.5 to 12.9 accept cubins of 13.x, which builds must not rely on (PL-2).
Works nvJitLinkTakes(core::ImageKind kind, versions::CudaVersion producer,
                     versions::CudaVersion consumer);
/// Whether a measured pair of releases with these majors works: 12 to 13 does for LTO-IR, 11 to 12
/// never does (PL-3).
bool majorsWork(core::ImageKind kind, unsigned producerMajor, unsigned consumerMajor);

/// The CUDA version of a driver release (the one that cuDriverGetVersion returns).
struct DriverCuda {
  versions::CudaVersion cuda;
  /// The driver's branch (its first number) is named by a toolkit release (ctk_driver). Otherwise
  /// the driver has at least version \p cuda, and a No derived from that is Unknown.
  bool exact = false;
};
/// std::nullopt if it is older than all drivers in the table.
std::optional<DriverCuda> cudaOfDriver(const versions::Version &driver);
/// Oldest driver that reports that CUDA version or a newer one: the minimum driver of the line's
/// first release (`535.54.03` for 12.2). Empty if unknown.
llvm::StringRef firstDriverOf(versions::CudaVersion line);

/// Minimum Linux driver that runs machine code of all releases of a CUDA major (`525.60.13`). It
/// does not apply to PTX. Empty if unknown.
llvm::StringRef driverFloor(unsigned cudaMajor);

/// Highest PTX ISA that nvcc of that line writes; not derived from the line. 0.0: unknown.
versions::CudaVersion ptxOf(versions::CudaVersion line);

/// First CUDA version whose driver exports a name from libcuda.so.1 (api_introduced_in). `atMost`:
/// the oldest version examined already has it. std::nullopt if the name is not listed.
struct DriverSince {
  versions::CudaVersion cuda;
  bool atMost = false;
};
std::optional<DriverSince> driverSince(llvm::StringRef symbol);
/// Whether the driver of that CUDA version exports the name; drivers never remove names. `_ptsz`
/// and `_ptds` suffixes are ignored. Query SymbolTable first: it has drivers that were read.
versions::Exported driverExports(versions::CudaVersion cuda, llvm::StringRef symbol);

} // namespace cudacc::tables
