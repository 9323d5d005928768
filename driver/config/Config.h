// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"

namespace cudacc::config {

/// What a search for a declaration came across.
struct SearchNotes {
  /// Files in sticky folders that everybody can write to.
  std::vector<std::string> passedBy;
  /// `require` holds, also where the rest of the declaration is an error.
  bool required = false;

  /// A warning for each of `passedBy`.
  std::vector<core::Finding> findings() const;
};

/// What is declared for this call, each key from the first of (F12): option; variable; \p baked,
/// the declaration of the toolchain directory the program was called in (null: none); the nearest
/// configuration file from the working directory upward. With \p baked no file is searched, and an
/// option or variable that says something else than a key set there is Code::ContradictsBaked, but
/// for keys that do not change what is made (KeyInfo::Scope::Call).
///
/// Variables: CUDA_CC_RUNTIME (requirements separated by `;`), CUDA_CC_REQUIRE_RUNTIME (`1`, `0`),
/// CUDA_CC_ENFORCE, CUDA_CC_TOOLKIT, CUDA_CC_FACTS, CUDA_CC_SEVERITY and CUDA_CC_LAUNCHER
/// (separated by `;`), CUDA_CC_STRICT, CUDA_CC_DEVELOP. Empty counts as unset.
///
/// Files: `cuda-cc.toml`, or `[tool.cuda-cc]` of `pyproject.toml`, up to the file system's root.
/// Whoever wrote it, a file is obeyed as far as it restricts; of what it says beyond that
/// (onlyRestricts), and what no other source overrides, all must be in a file that \p uid trusts
/// (Trust). A file in a sticky folder that everybody can write to is passed by, unless it is listed
/// as trusted, and the search goes on above it. Relative paths of `toolkit`, `host-compiler`, the
/// program of `launcher`, `facts`, `env:PATH` and `lock:PATH` stand on the file's folder, those of
/// the last three elsewhere on the working directory. A working directory that is gone has no file.
/// \p from, when it is not empty, is where the search begins.
///
/// Errors: UnknownKey, BadValue, ContradictsBaked, BrokenConfig, UnreadableFile,
/// UntrustedDeclaration.
llvm::Expected<core::Declaration> readDeclaration(const core::OwnOptions &own,
                                                  const core::Environment &env, core::Files &files,
                                                  const core::Declaration *baked, unsigned uid,
                                                  llvm::StringRef from = "",
                                                  SearchNotes *notes = nullptr);

/// What the file alone declares, key by key, for a digest (F17): comments, order and what other
/// keys of a pyproject.toml say make no difference.
std::string declarationText(const core::Declaration &declaration);

} // namespace cudacc::config
