// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::report {

/// The search path elements for CMake targets that link a library of the runtime.
struct LibraryPath {
  /// As after -l; `torch` means all of torch's own libraries.
  std::string name;
  /// For every output.
  std::vector<std::string> elements;
  /// Added after them for executables.
  std::vector<std::string> places;
};

/// `cmake/CudaCCTarget.cmake` of a toolchain directory: facts about the declared runtime that
/// CudaCC.cmake needs, so that it does not have to query them.
std::string targetCMake(const core::Declaration &declaration, llvm::ArrayRef<LibraryPath> paths);

/// `cmake/CudaCCMachine.cmake`, read by toolchain.cmake if the directory cross-compiles: the target
/// machine, its compilers, and the prefix of its libraries, which may be empty.
std::string machineCMake(const core::ToolchainDirectory &directory, llvm::StringRef root);

/// A quoted CMake argument; `;` is escaped, as it separates list items. \p dollar replaces `$`.
std::string quotedForCMake(llvm::StringRef text, llvm::StringRef dollar);

/// `target.toml` of a toolchain directory, for people and other programs: the declaration, the rows
/// of the target, the toolkit. The directory's compilers read `cuda-cc.facts` instead.
std::string targetToml(const core::ToolchainDirectory &directory, const core::Target &target,
                       const core::Toolkit *toolkit);

/// A file for `meson setup --native-file`, or with \p machine (`aarch64`) for `--cross-file`. nvcc
/// is the directory's, C and C++ use its launcher, \p binutils are named as they are. Paths are
/// absolute because Meson before 1.3 cannot refer to the file's own folder.
std::string mesonFile(const core::ToolchainDirectory &directory, llvm::StringRef machine,
                      llvm::ArrayRef<std::pair<std::string, std::string>> binutils = {});

} // namespace cudacc::report
