// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Toolkit.h"

namespace cudacc::probe {

/// Recognises cuda-cc itself among the compilers on PATH, so that a search does not find it: the
/// same file, or a copy, whose first 4096 bytes are the same (toolchain directories hold copies;
/// the build ID is within these bytes).
class Self {
public:
  /// \p path is that of the running program; if empty, nothing is recognised.
  Self(llvm::StringRef path, core::Files &files);
  bool is(llvm::StringRef candidate);

private:
  core::Files &files;
  std::string path;
  core::FileStatus status;
  std::string head;
};

/// A program and how it was found.
struct Located {
  /// Absolute; symbolic links are not resolved.
  std::string path;
  /// "first on PATH", "CUDA_HOME", "toolkit in cuda-cc.toml:3".
  std::string foundBy;
  /// The compiler cache to which a link called nvcc in front of it leads; empty if there is none.
  std::string launcher = {};
};

/// The compiler cache to which \p path is a link, as ccache's masquerading compilers are; empty if
/// it is none.
std::string cacheBehind(llvm::StringRef path, core::Files &files);

/// Finds the nvcc to run. \p toolkit is the path of a root or an nvcc (`~` is expanded, relative
/// paths start at the working directory), or `auto`: the first nvcc on PATH that is neither cuda-cc
/// nor a link to a cache, then CUDA_PATH, CUDA_HOME (RP-10), then /usr/local/cuda. Errors:
/// Code::NoToolkit with the places searched, or because \p toolkit is `fetch`, which only a
/// toolchain directory resolves.
llvm::Expected<Located> locateNvcc(const core::Setting<std::string> &toolkit,
                                   const core::Environment &env, core::Files &files, Self &self);

/// Finds a compiler by its path, or by its name on PATH. Errors: Code::NoCompiler.
llvm::Expected<Located> locateCompiler(llvm::StringRef name, const core::Environment &env,
                                       core::Files &files, Self &self);

/// Returns another program called \p name, to be suggested in a message: not one of \p passed, not
/// a script, and not cuda-cc. Empty if there is none.
std::string locateOther(llvm::StringRef name, const core::Environment &env, core::Files &files,
                        Self &self, llvm::ArrayRef<std::string> passed);

/// Returns the toolkits on this machine with a known version, newest first, each once: on PATH,
/// CUDA_PATH, CUDA_HOME, and in /usr/local/cuda* and /opt/cuda*. Since it lists directories, it is
/// called only after a rejection.
std::vector<core::FoundToolkit> otherToolkits(const core::Environment &env, core::Files &files,
                                              Self &self);

} // namespace cudacc::probe
