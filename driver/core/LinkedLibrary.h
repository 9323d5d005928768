// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::core {

/// A library of NVIDIA's that a link line names, and the file the linker takes for it.
struct LinkedLibrary {
  /// Index into Invocation::words.
  uint32_t word = 0;
  /// As on the line: `-lnvJitLink`, `/opt/.../libcusparse.so.12`.
  std::string spelled;
  /// Absolute; empty: the linker will not find it.
  std::string path;
  /// DT_SONAME; the file's name for an archive (`libcudart_static.a`).
  std::string soname;
  bool isArchive = false;
  /// In a `stubs` directory: stands for the driver or a library at link time only.
  bool isStub = false;
  /// Its own DT_NEEDED, of a library of NVIDIA's; an archive has none.
  std::vector<std::string> needed;
  /// The linker would not find it under this name, but the file is `libX.so.N` in a directory of
  /// the line or of the toolkit: the word is to be replaced by the path (RP-3).
  bool byPathOnly = false;
  /// The word holds more than this library (LinkInput::shared).
  bool shared = false;
  /// Distribution and version of the wheel that owns it; empty elsewhere.
  std::string dist;
  std::string version;
  /// The CUDA release it belongs to; 0.0 unknown.
  versions::CudaVersion cuda;
  /// "RECORD of nvidia_nvjitlink_cu12-12.5.82", "CUDA_VERSION in /opt/cuda/include/cuda.h".
  std::string evidence;
  /// Two sources disagree (EV-8); empty: none.
  std::string conflict;
};

} // namespace cudacc::core
