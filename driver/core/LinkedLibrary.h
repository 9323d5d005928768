// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::core {

/// An NVIDIA library named on a link line, and the file that the linker takes for it.
struct LinkedLibrary {
  /// Index into Invocation::words.
  uint32_t word = 0;
  /// As on the command line: `-lnvJitLink`, `/opt/.../libcusparse.so.12`.
  std::string spelled;
  /// Absolute. Empty if the linker will not find it.
  std::string path;
  /// DT_SONAME; for an archive the file name (`libcudart_static.a`).
  std::string soname;
  bool isArchive = false;
  /// The file lies in a `stubs` directory and replaces the driver or a library at link time only.
  bool isStub = false;
  /// NVIDIA libraries in its own DT_NEEDED. Empty for an archive.
  std::vector<std::string> needed;
  /// The linker would not find it under this name, but `libX.so.N` exists in a library directory of
  /// the line or of the toolkit. The word must be replaced by the path (RP-3).
  bool byPathOnly = false;
  /// The word holds more than this library (LinkInput::shared).
  bool shared = false;
  /// Distribution and version of the wheel that owns the file. Empty if no wheel does.
  std::string dist;
  std::string version;
  /// The CUDA release it belongs to; 0.0 if unknown.
  versions::CudaVersion cuda;
  /// "RECORD of nvidia_nvjitlink_cu12-12.5.82", "CUDA_VERSION in /opt/cuda/include/cuda.h".
  std::string evidence;
  /// How two sources disagree about it (EV-8). Empty if they do not.
  std::string conflict;
};

} // namespace cudacc::core
