// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// A file from which a part of a toolkit is taken.
struct FetchPart {
  /// Wheel: by the user's own uv or pip. Archive: one of NVIDIA's redistributable archives.
  enum class Source : uint8_t { Wheel, Archive };
  Source source = Source::Wheel;
  /// `nvcc`, `cublas`; the wheel's distribution or the archive's component; its version.
  std::string part, name, version;
  /// The machine that it is for, if that is another one than the plan's: `aarch64`.
  std::string machine;
  /// Archives only: the path below their base.
  std::string path;
  /// Empty for a wheel that the tables do not have: the index's is taken.
  std::string sha256;
  /// Of the file, and on disk when unpacked; 0: not known.
  uint64_t bytes = 0, unpacked = 0;
};

/// What to fetch for a toolkit.
struct FetchPlan {
  versions::CudaVersion line;
  /// The toolkit's: `13.0.3`. The machine on which its nvcc runs: `x86_64`.
  std::string release, machine;
  std::vector<FetchPart> parts;
  /// Name of the folder that is kept.
  std::string key;
};

} // namespace cudacc::core
