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

/// Identifies a file and its state without reading it.
struct FileId {
  std::string path;
  /// Device and inode are 0 if not recorded, because the same file may be mounted elsewhere.
  uint64_t device = 0, inode = 0, size = 0;
  /// Nanoseconds since the epoch: of the content, which programs can set, and of the inode, which
  /// they cannot. The latter is 0 if not recorded.
  int64_t mtime = 0, ctime = 0;

  bool operator==(const FileId &) const = default;
};

/// A part of a toolkit, with the version that its own files state.
struct Component {
  /// nvcc, cicc, ptxas, crt, cudart, cuda.h, cccl.
  std::string name;
  std::string path;
  versions::CudaVersion cuda;
  /// Full version, if the evidence has it (`13.0.88`).
  std::string version;
  /// Kind and place of the evidence: "its own text", "nvidia_nvvm-13.5.37.dist-info", "CUDA_VERSION
  /// in .../cuda.h".
  std::string evidence;
};

enum class ToolkitLayout { Installer, WheelsCu12, WheelsCu13, Debian, Conda, Unknown };

/// The toolkit that compiles. All facts were read from files.
struct Toolkit {
  /// The nvcc that is started: an absolute path in a directory with nvcc.profile, or a script.
  std::string nvcc;
  /// The nvcc binary that a script starts. Equal to `nvcc` if that is no script.
  std::string driver;
  /// Root directory after resolving scripts and links. For wheels the `nvidia/cu13` folder.
  std::string root;
  ToolkitLayout layout = ToolkitLayout::Unknown;
  /// "first on PATH", "CUDA_HOME", "toolkit in cuda-cc.toml:3".
  std::string foundBy;
  /// nvcc, cicc, ptxas, crt, cudart ... in this order; only those that were found.
  std::vector<Component> components;
  /// Existing directories that nvcc itself adds as -I, as -isystem, and as -L.
  std::vector<std::string> includeDirs, systemIncludeDirs, libraryDirs;
  /// Existing directories that nvcc prepends to PATH for its child processes, host compilers
  /// included. Debian's package has a gcc there that selects a release this nvcc supports.
  std::vector<std::string> pathDirs;
  /// Disagreements of two sources about one file. If not empty, the version is *unknown* (EV-8).
  std::vector<std::string> conflicts;
  /// Files that were read. The facts above are valid while these are unchanged.
  std::vector<FileId> inputs;

  const Component *find(llvm::StringRef name) const;
  /// nvcc's release; 0.0 if unknown.
  versions::CudaVersion version() const;
};

/// A CUDA core header that the include path of one call resolves to (F5, R38).
struct FoundHeader {
  /// `cuda.h` or `cuda_runtime_api.h`.
  std::string name;
  std::string path;
  versions::CudaVersion cuda;
  /// "-I third_party/cuda", "CPATH", "nvcc's own", "built-in directory of g++".
  std::string foundBy;
  /// Why the version is not known. Empty if it is.
  std::string problem;
};

/// Facts about a host compiler, queried from it once and cached.
struct HostCompiler {
  /// Absolute; never cuda-cc itself.
  std::string path;
  /// gcc or clang. Empty if it is neither.
  std::string family;
  /// `12.2.0`.
  std::string version;
  /// `x86_64-linux-gnu`.
  std::string machine;
  /// Built-in include directories in search order, for C and for C++.
  std::vector<std::string> cIncludes, cxxIncludes;
  /// Built-in library directories in search order.
  std::vector<std::string> libraryDirs;
  /// LIBRARY_PATH is searched before `libraryDirs[libraryPathAt]`: Debian's gcc 12 searches
  /// /usr/lib/x86_64-linux-gnu first.
  unsigned libraryPathAt = 0;
  std::vector<FileId> inputs;
};

/// A toolkit on this machine, with its version.
struct FoundToolkit {
  std::string root;
  versions::CudaVersion cuda;
  /// Names below `targets`: `x86_64-linux`, `sbsa-linux`. Empty if it has no such folder: then it
  /// builds for this machine only.
  std::vector<std::string> targets = {};
};

} // namespace cudacc::core
