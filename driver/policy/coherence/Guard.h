// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/Verdict.h"
#include "driver/tables/lookup/Groups.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::policy {

/// A component of the toolkit that builds or of the runtime (GR-2).
struct Item {
  tables::PartKind kind = tables::PartKind::Library;
  /// The name that tables::partOf() uses: `cublasLt`, `nvcc`, `cudart` for the headers of that
  /// component.
  std::string name;
  std::string path;
  /// For libraries: the SONAME (`libcublasLt.so.12`), the key of the couplings table.
  std::string soname;
  /// Distribution and component version; empty and without numbers if not known.
  std::string dist;
  versions::Version version;
  /// The CUDA release it belongs to; 0.0 if not known, or if no toolkit contains it.
  versions::CudaVersion cuda;
  std::string evidence;
  /// The CUDA major it was built for; 0 if not known.
  unsigned major = 0;

  /// `cublas 12.8.3.14 at /w/.../libcublas.so.12 (RECORD of nvidia_cublas_cu12-12.8.3.14)`.
  std::string describe() const;
  bool operator==(const Item &) const = default;
};

/// Judges whether the items of one side belong together and are for the major of \p target:
/// variants, groups, headers and their library, floors. Reads no files and loads nothing (EO-5).
std::vector<core::Finding> judgeItems(tables::Side side, llvm::ArrayRef<Item> items,
                                      const core::Target &target);

/// The runtime's own nvJitLink; null if it has none.
const core::TargetLibrary *nvJitLinkOf(const core::Target &target);

/// PL-3: within a CUDA major NVIDIA's documented promise, across majors what was measured.
bool takesLtoIr(versions::CudaVersion producer, versions::CudaVersion consumer);

/// What is known about the driver (DR-1, DR-8).
struct DriverFacts {
  enum class State : uint8_t { NotAsked, Absent, Known };
  State state = State::NotAsked;
  /// From cuDriverGetVersion, or from the release and the tables; 0.0: older than every table.
  versions::CudaVersion cuda;
  /// `535.104.05`; empty if not known.
  std::string release;
  /// The driver was declared: facts about it that could not be determined are errors (MD-3).
  bool declared = false;
};

/// DR-2 to DR-5 for machine code of CUDA release \p code; std::nullopt if the driver runs it.
std::optional<core::Finding> judgeDriverFacts(const DriverFacts &driver,
                                              versions::CudaVersion code);

/// DR-2 to DR-5: the declared driver cannot run machine code of the runtime, or it is not known
/// whether it can. std::nullopt if it can.
std::optional<core::Finding> judgeDriverFloor(const core::Target &target);

} // namespace cudacc::policy
