// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Toolkit.h"

namespace cudacc::probe {

/// Tells cuda-cc from the compilers it stands in front of, so that a search on PATH does not find
/// itself: the same file, or another copy, which begins with the same 4096 bytes (toolchain
/// directories hold copies; the build-id lies within them).
class Self {
public:
  /// \p path of the running program; empty recognises nothing.
  Self(llvm::StringRef path, core::Files &files);
  bool is(llvm::StringRef candidate);

private:
  core::Files &files;
  std::string path;
  core::FileStatus status;
  std::string head;
};

/// A program and why it was taken.
struct Located {
  /// Absolute, links not resolved.
  std::string path;
  /// "first on PATH", "CUDA_HOME", "toolkit in cuda-cc.toml:3".
  std::string foundBy;
};

/// The nvcc of a front call: \p toolkit's path (`~` and relative to the working directory), a root
/// or an nvcc; for `auto` the first on PATH that is not cuda-cc, then CUDA_PATH, CUDA_HOME (RP-10),
/// then /usr/local/cuda. Error: Code::NoToolkit with what was searched.
llvm::Expected<Located> locateNvcc(const core::Setting<std::string> &toolkit,
                                   const core::Environment &env, core::Files &files, Self &self);

/// A compiler by path, or by name on PATH. Error: Code::NoCompiler.
llvm::Expected<Located> locateCompiler(llvm::StringRef name, const core::Environment &env,
                                       core::Files &files, Self &self);

/// Another program that can stand for the compiler \p name, with none of \p passed, no script, and
/// not cuda-cc; for a message. Empty: none.
std::string locateOther(llvm::StringRef name, const core::Environment &env, core::Files &files,
                        Self &self, llvm::ArrayRef<std::string> passed);

/// Toolkits of this machine with a known version, newest first, each once: on PATH, CUDA_PATH,
/// CUDA_HOME, and beside /usr/local/cuda and /opt/cuda. Lists directories: only after a rejection.
std::vector<core::FoundToolkit> otherToolkits(const core::Environment &env, core::Files &files,
                                              Self &self);

} // namespace cudacc::probe
