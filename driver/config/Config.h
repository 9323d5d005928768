// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"

namespace cudacc::config {

/// Notes from the search for a declaration.
struct SearchNotes {
  /// Declaration files ignored because they lie in a sticky, world-writable directory.
  std::vector<std::string> passedBy;
  /// `require` is set; also determined if the rest of the declaration has errors.
  bool required = false;

  /// A warning for each of `passedBy`.
  std::vector<core::Finding> findings() const;
};

/// The declaration for this call. Each key comes from the first of these that sets it (F12): an
/// option; a variable; \p baked, the declaration of the toolchain directory that the program was
/// called in (null if none); the nearest configuration file from the working directory upward. With
/// \p baked no file is searched, and an option or variable that contradicts a key set there is
/// Code::ContradictsBaked, except for keys that do not change the result (KeyInfo::Scope::Call).
///
/// Variables: CUDA_CC_RUNTIME (requirements separated by `;`), CUDA_CC_REQUIRE_RUNTIME (`1`, `0`),
/// CUDA_CC_ENFORCE, CUDA_CC_TOOLKIT, CUDA_CC_FACTS, CUDA_CC_SEVERITY and CUDA_CC_LAUNCHER
/// (separated by `;`), CUDA_CC_STRICT, CUDA_CC_DEVELOP. Empty counts as unset.
///
/// Files: `cuda-cc.toml`, or `[tool.cuda-cc]` of `pyproject.toml`, up to the root of the file
/// system. Settings that only restrict (onlyRestricts) apply from any file. All others that no
/// option or variable overrides must come from a file that \p uid trusts (Trust). A file in a
/// sticky, world-writable directory is ignored and the search continues above it, unless the file
/// is listed as trusted. Relative paths in `toolkit`, `host-compiler`, the program of `launcher`,
/// `facts`, `env:PATH` and `lock:PATH` are relative to the file's directory; in options and
/// variables those of the last three are relative to the working directory. If the working
/// directory no longer exists, no file is found. \p from, if not empty, is where the search begins.
///
/// Errors: UnknownKey, BadValue, ContradictsBaked, BrokenConfig, UnreadableFile,
/// UntrustedDeclaration.
llvm::Expected<core::Declaration> readDeclaration(const core::OwnOptions &own,
                                                  const core::Environment &env, core::Files &files,
                                                  const core::Declaration *baked, unsigned uid,
                                                  llvm::StringRef from = "",
                                                  SearchNotes *notes = nullptr);

/// What the file alone declares, key by key, for a digest (F17). It does not depend on comments,
/// order or other tables of a pyproject.toml.
std::string declarationText(const core::Declaration &declaration);

} // namespace cudacc::config
