#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"

namespace cudacc::probe {

/// What is declared for this call, each key from the first of (F12): option; variable; \p baked,
/// the declaration of the toolchain directory the program was called in (null: none); the nearest
/// configuration file from the working directory upward. With \p baked no file is searched, and an
/// option or variable that says something else than a key set there is Code::ContradictsBaked, but
/// for keys that do not change what is made (KeyInfo::perCall).
///
/// Variables: CUDA_CC_RUNTIME (requirements separated by `;`), CUDA_CC_REQUIRE_RUNTIME (`1`, `0`),
/// CUDA_CC_ENFORCE, CUDA_CC_TOOLKIT, CUDA_CC_FACTS, CUDA_CC_SEVERITY and CUDA_CC_LAUNCHER
/// (separated by `;`), CUDA_CC_STRICT, CUDA_CC_DEVELOP. Empty counts as unset.
///
/// Files: `cuda-cc.toml`, or `[tool.cuda-cc]` of `pyproject.toml`. The file system's root is
/// searched too; a folder owned by neither \p uid nor root, or that others can write, ends the
/// search and is not read. Relative paths of `toolkit`, `host-compiler`, the program of `launcher`,
/// `facts`, `env:PATH` and `lock:PATH` stand on the file's folder, those of the last three
/// elsewhere on the working directory. A working directory that is gone has no file. \p from, when
/// it is not empty, is where the search begins.
///
/// Errors: UnknownKey, BadValue, ContradictsBaked, BrokenConfig, UnreadableFile.
llvm::Expected<core::Declaration> readDeclaration(const core::OwnOptions &own,
                                                  const core::Environment &env, core::Files &files,
                                                  const core::Declaration *baked, unsigned uid,
                                                  llvm::StringRef from = "");

/// What the file alone declares, key by key, for a digest (F17): comments, order and what other
/// keys of a pyproject.toml say make no difference.
std::string declarationText(const core::Declaration &declaration);

} // namespace cudacc::probe
