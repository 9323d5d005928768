// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
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

/// The program that a call starts.
struct ResolvedCompiler {
  /// Program and argv up to, but without, the caller's arguments: launchers, then the compiler.
  core::Command command;
  /// Absolute path of the compiler itself.
  std::string compiler;
  /// How it was found: "first on PATH", "CUDA_HOME", "named on the command line".
  std::string foundBy;
  /// ToolchainDirectory::driver if `compiler` is the nvcc of a named directory, else empty.
  std::string driver;
  /// The caller's launcher starts a named directory's nvcc, and the call is no compile. That nvcc
  /// is a cuda-cc and checks the call itself.
  bool judgesItself = false;
};

/// Finds the compiler of \p call and the launchers in front of it: the caller's, else (for compiles
/// only) the declared one. Never returns this program. Errors: NoCompiler, NoToolkit.
llvm::Expected<ResolvedCompiler> findCompiler(System &system, const core::Invocation &call,
                                              const core::Declaration &declaration,
                                              const core::ToolchainDirectory *directory);

/// The host compiler that nvcc will start for \p call.
struct NvccHost {
  /// Absolute path of the compiler that nvcc compiles with; empty if not found, which nvcc then
  /// reports itself.
  std::string compiler;
  /// Name of its shim, which is also the last component of the -ccbin value in the shims'
  /// directory; empty if -ccbin is that directory itself.
  std::string name;
  /// Each name that nvcc may start in that directory (gcc beside g++), with the path of the real
  /// compiler.
  std::vector<std::pair<std::string, std::string>> names;
};
/// \p toolkit: nvcc's, or null. \p directory: the toolchain directory whose shims stand in for the
/// compilers recorded there, or null. \p every: list all names, not only the compiler that nvcc
/// compiles with.
NvccHost findNvccHost(System &system, const core::Invocation &call,
                      const core::Declaration &declaration, const core::Toolkit *toolkit,
                      const core::ToolchainDirectory *directory, bool every);

/// The compiler that nvcc links with if it compiles with \p name; empty if it is the same one.
llvm::StringRef partner(llvm::StringRef name);

/// The machine that \p call builds for, by the directory or by the compiler names on the command
/// line; by default the machine it runs on. \p directory may be null.
const versions::Machine &machineOf(const core::Invocation &call,
                                   const core::Declaration &declaration,
                                   const core::ToolchainDirectory *directory);

/// `aarch64-linux-gnu-gcc-12` for `aarch64-linux-gnu-g++-12`, and vice versa; empty if the name
/// does not show a language.
std::string otherLanguage(llvm::StringRef name);

/// The nvcc that \p declaration selects, where no call names one. `auto` takes that of the declared
/// environment if it has one, else the first that is found.
llvm::Expected<probe::Located> findDeclaredNvcc(System &system,
                                                const core::Declaration &declaration);

/// The toolkit of \p nvcc, from the store if it is kept there. \p driver: see
/// ResolvedCompiler::driver.
llvm::Expected<core::Toolkit> readToolkit(System &system, cache::Store &store,
                                          const std::string &nvcc, llvm::StringRef foundBy,
                                          const std::string &driver = "");

} // namespace cudacc::pipeline
