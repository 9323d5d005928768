// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/Invocation.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Toolkit.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::tables {
struct UserTables;
}

namespace cudacc::probe {

/// The dynamic section's names of a shared library.
struct LibraryNames {
  /// DT_SONAME; empty if absent or if the file is not ELF.
  std::string soname;
  /// DT_NEEDED.
  std::vector<std::string> needed;
};

/// Callbacks that read a shared library's bytes; the implementation is in driver/binary.
struct LibraryReader {
  llvm::function_ref<LibraryNames(llvm::StringRef path)> namesOf;
  /// Returns the highest `M.m` among the exported `__nvJitLink*_M_m`; 0.0 if there is none (EV-5).
  llvm::function_ref<versions::CudaVersion(llvm::StringRef path)> nvJitLinkSuffixOf;
  /// Whether the file is for the target machine: linkers skip files for other machines silently or
  /// with a remark. If null, every file is accepted.
  llvm::function_ref<bool(llvm::StringRef path)> fits = nullptr;
  /// Directories that are searched after those on the command line but that the linker does not get
  /// as -L: a toolchain directory's own. Libraries found there are passed by path (R18).
  llvm::ArrayRef<std::string> behind = {};
  /// The user's table rows (F16), used for wheel versions; null if there are none.
  const tables::UserTables *more = nullptr;
};

/// Returns every NVIDIA library named on the link line, in its order, with the file that the linker
/// takes. Directories are searched in the linker's order: -L, nvcc's own (nvcc puts them after the
/// caller's), then the host compiler's with LIBRARY_PATH among them. In each, `libX.so` is
/// preferred to `libX.a`; with -static only archives count.
///
/// If a directory has only `libX.so.N`, that file is taken and `byPathOnly` is set. This applies to
/// directories named on the line and to nvcc's own, and, if nothing else was found, to those of the
/// toolkit and of LIBRARY_PATH. So a default directory does not silently win over them (R38, P29).
///
/// \p toolkit and \p host may be null; their directories are then not searched.
std::vector<core::LinkedLibrary> findLibraries(const core::Invocation &call,
                                               const core::Toolkit *toolkit,
                                               const core::HostCompiler *host,
                                               const core::Environment &env, core::Files &files,
                                               const LibraryReader &reader);

/// Whether \p input, as `-l` or as a file, has the name of one of torch's own libraries.
bool namesTorch(const core::LinkInput &input);

/// Returns torch's own shared libraries named on the link line, located in the same way, one per
/// directory, with the torch release they belong to. The release comes from version.py of the wheel
/// or build-version of the C++ distribution above their directory, from the headers beside it, or
/// from the number in the file's name. A library without any of these is left out: the output is
/// then checked by its symbols only.
std::vector<core::FoundTorch> findTorchLibraries(const core::Invocation &call,
                                                 const core::Toolkit *toolkit,
                                                 const core::HostCompiler *host,
                                                 const core::Environment &env, core::Files &files,
                                                 const LibraryReader &reader);

} // namespace cudacc::probe
