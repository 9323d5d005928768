// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/pipeline/System.h"
#include "driver/versions/Machine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::pipeline {

/// What a call starts.
struct ResolvedCompiler {
  /// Program and argv up to and without the caller's arguments: launchers, then the compiler.
  core::Command command;
  /// The compiler itself, absolute.
  std::string compiler;
  /// "first on PATH", "CUDA_HOME", "named on the command line".
  std::string foundBy;
  /// ToolchainDirectory::driver, where `compiler` is the nvcc of a named directory.
  std::string driver;
  /// A launcher of the caller's stands in front of a named directory's nvcc where it does not
  /// compile: that is cuda-cc, and judges.
  bool judgesItself = false;
};

/// Finds the compiler that \p call means and the launchers in front of it: the caller's, else the
/// declared one, in front of a compile. Never this program. Error: NoCompiler, NoToolkit.
llvm::Expected<ResolvedCompiler> findCompiler(System &system, const core::Invocation &call,
                                              const core::Declaration &declaration,
                                              const core::ToolchainDirectory *directory);

/// The host compiler that nvcc will start for \p call.
struct NvccHost {
  /// Absolute path of the one that compiles; empty: it cannot be found, nvcc will say so.
  std::string compiler;
  /// Name under which a shim stands for it, and the value that -ccbin then gets below the shims'
  /// directory: the name, or empty for the directory itself.
  std::string name;
  /// Every name that nvcc may call in that place with what it stands for (gcc beside g++).
  std::vector<std::pair<std::string, std::string>> names;
};
/// \p toolkit: that of the nvcc, or null. \p directory: whose compilers stand for what is recorded
/// there, or null. \p every: all names; else only the compiler that nvcc compiles with.
NvccHost findNvccHost(System &system, const core::Invocation &call,
                      const core::Declaration &declaration, const core::Toolkit *toolkit,
                      const core::ToolchainDirectory *directory, bool every);

/// The compiler that nvcc calls to link where it compiles with \p name; empty: the same.
llvm::StringRef partner(llvm::StringRef name);

/// What \p call builds for, as far as the directory or the names of compilers on the line say; else
/// the machine it runs on. \p directory may be null.
const versions::Machine &machineOf(const core::Invocation &call,
                                   const core::Declaration &declaration,
                                   const core::ToolchainDirectory *directory);

/// `aarch64-linux-gnu-gcc-12` for `aarch64-linux-gnu-g++-12`, and the other way round; empty: the
/// name says no language.
std::string otherLanguage(llvm::StringRef name);

/// The nvcc that \p declaration means, with no call that names one. For `auto` that of the
/// environment it names, where there is one, else the first that is found.
llvm::Expected<probe::Located> findDeclaredNvcc(System &system,
                                                const core::Declaration &declaration);

} // namespace cudacc::pipeline
