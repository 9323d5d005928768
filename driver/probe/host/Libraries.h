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

/// What a shared library says of itself.
struct LibraryNames {
  /// DT_SONAME; empty: none, or not an ELF file.
  std::string soname;
  /// DT_NEEDED.
  std::vector<std::string> needed;
};

/// Questions to a shared library's bytes, which another library reads (driver/binary).
struct LibraryReader {
  llvm::function_ref<LibraryNames(llvm::StringRef path)> namesOf;
  /// The highest `M.m` among its exported `__nvJitLink*_M_m`; 0.0: none (EV-5).
  llvm::function_ref<versions::CudaVersion(llvm::StringRef path)> nvJitLinkSuffixOf;
  /// Whether the file is for the machine that is linked for: linkers pass over others in silence or
  /// with a remark. Null: every file is.
  llvm::function_ref<bool(llvm::StringRef path)> fits = nullptr;
  /// Folders that the linker is not told of and that stand behind those of the line: a toolchain
  /// directory's own. What is found there goes by its path (R18).
  llvm::ArrayRef<std::string> behind = {};
  /// Rows beside the tables (F16), for the versions of wheels; null: none.
  const tables::UserTables *more = nullptr;
};

/// Every library of NVIDIA's that the link line names, in its order, with the file the linker
/// takes: -L in order, nvcc's own (nvcc puts them behind the caller's), then LIBRARY_PATH and the
/// host compiler's directories in its order; `libX.so` before `libX.a` in each, with -static
/// archives only.
///
/// Where a directory that the line names, or of nvcc's own, or (with nothing else found) of the
/// toolkit or LIBRARY_PATH, has `libX.so.N` alone, that is taken: `byPathOnly`. A default directory
/// does not silently win over it (R38, P29).
///
/// \p toolkit and \p host may be null: those directories are then not searched.
std::vector<core::LinkedLibrary> findLibraries(const core::Invocation &call,
                                               const core::Toolkit *toolkit,
                                               const core::HostCompiler *host,
                                               const core::Environment &env, core::Files &files,
                                               const LibraryReader &reader);

/// By its name: a library of torch's own, by `-l` or as a file.
bool namesTorch(const core::LinkInput &input);

/// The shared libraries of torch's own that the line names and the linker finds likewise, a file
/// once, with the release of torch that they belong to: version.py of the wheel or build-version of
/// the C++ distribution above their folder, the headers beside it, the number in the file's name.
/// Where nothing says a release, none is found: what came of it is judged by its names.
std::vector<core::FoundTorch> findTorchLibraries(const core::Invocation &call,
                                                 const core::Toolkit *toolkit,
                                                 const core::HostCompiler *host,
                                                 const core::Environment &env, core::Files &files,
                                                 const LibraryReader &reader);

} // namespace cudacc::probe
