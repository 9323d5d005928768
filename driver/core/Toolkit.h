// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Origin.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// What identifies a file without reading it.
struct FileId {
  std::string path;
  /// Device and inode 0: not held, where another mount of the same file is the same.
  uint64_t device = 0, inode = 0, size = 0;
  /// Nanoseconds since the epoch.
  int64_t mtime = 0;

  bool operator==(const FileId &) const = default;
};

/// A part of a toolkit with the version that its own evidence gives it.
struct Component {
  /// nvcc, cicc, ptxas, crt, cudart, cuda.h, cccl.
  std::string name;
  std::string path;
  versions::CudaVersion cuda;
  /// Full version where the evidence has it (`13.0.88`).
  std::string version;
  /// Kind and place of the evidence: "its own text", "nvidia_nvvm-13.5.37.dist-info",
  /// "CUDA_VERSION in .../cuda.h".
  std::string evidence;
};

enum class ToolkitLayout { Installer, WheelsCu12, WheelsCu13, Debian, Conda, Unknown };

/// The build side: what compiles. Everything in it was read from files.
struct Toolkit {
  /// The nvcc that is started: absolute, in a directory that holds nvcc.profile, or a script.
  std::string nvcc;
  /// The real driver program behind a script; equal to `nvcc` where there is none.
  std::string driver;
  /// Root directory after following scripts and links; for wheels the `nvidia/cu13` folder.
  std::string root;
  ToolkitLayout layout = ToolkitLayout::Unknown;
  /// "first on PATH", "CUDA_HOME", "toolkit in cuda-cc.toml:3".
  std::string foundBy;
  /// nvcc, cicc, ptxas, crt, cudart ... in this order, those that were found.
  std::vector<Component> components;
  /// Directories that nvcc itself adds as -I, as -isystem, and as -L; those that exist.
  std::vector<std::string> includeDirs, systemIncludeDirs, libraryDirs;
  /// Directories that nvcc puts in front of PATH for what it starts, host compilers too: Debian's
  /// package has a gcc there that picks a release this nvcc takes. Those that exist.
  std::vector<std::string> pathDirs;
  /// Two sources that disagree about one file; non-empty means *unknown* (EV-8).
  std::vector<std::string> conflicts;
  /// What was read; while these are unchanged the facts above hold.
  std::vector<FileId> inputs;

  const Component *find(llvm::StringRef name) const;
  /// nvcc's release; 0.0 unknown.
  versions::CudaVersion version() const;
};

/// A CUDA core header that the include path of one call really finds (F5, R38).
struct FoundHeader {
  /// `cuda.h` or `cuda_runtime_api.h`.
  std::string name;
  std::string path;
  versions::CudaVersion cuda;
  /// "-I third_party/cuda", "CPATH", "nvcc's own", "built-in directory of g++".
  std::string foundBy;
  /// Why the version is not known; empty when it is.
  std::string problem;
};

/// Facts of a host compiler, read from it once.
struct HostCompiler {
  /// Absolute, not a cuda-cc.
  std::string path;
  /// gcc, clang, or empty when it is neither.
  std::string family;
  /// `12.2.0`.
  std::string version;
  /// `x86_64-linux-gnu`.
  std::string machine;
  /// Built-in include directories in search order, for C and for C++.
  std::vector<std::string> cIncludes, cxxIncludes;
  /// Built-in library directories in search order.
  std::vector<std::string> libraryDirs;
  /// LIBRARY_PATH is searched before `libraryDirs[libraryPathAt]`: Debian's gcc 12 looks into
  /// /usr/lib/x86_64-linux-gnu first.
  unsigned libraryPathAt = 0;
  std::vector<FileId> inputs;
};

/// A toolkit of this machine, with its version.
struct FoundToolkit {
  std::string root;
  versions::CudaVersion cuda;
};

} // namespace cudacc::core
