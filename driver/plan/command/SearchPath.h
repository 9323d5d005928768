// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Search path elements that lead from the artefact to \p folders (folders under site-packages, as
/// core::TargetLibrary::folder), after RP-4 and F18: relative to $ORIGIN, each
/// once, in the order given; from one package deep first, then from site-packages itself when
/// `install-dir` is not declared. Empty for `layout = "none"`.
std::vector<std::string> searchPath(const core::Declaration &declaration,
                                    llvm::ArrayRef<std::string> folders);

/// The same folders where an environment really has them, absolute: what a program in a build
/// directory finds its runtime by (F18). Behind the relative ones.
std::vector<std::string> developPath(llvm::ArrayRef<std::string> sitePackages,
                                     llvm::ArrayRef<std::string> folders);

/// The flag that makes ld write DT_RPATH or DT_RUNPATH; not declared: DT_RPATH.
llvm::StringRef dtagsWord(const core::Declaration &declaration);

/// `-Wl,` splits at commas, which a path may hold; -Xlinker does not.
void passToLinker(std::vector<std::string> &out, llvm::StringRef option, llvm::StringRef value);

/// A file for the linker alone. As an input of its own gcc would count it, and name the files that
/// it writes beside the output in another way (`-o m m.c --coverage` makes m.gcno of one input and
/// m-m.gcno of two).
void passFileToLinker(std::vector<std::string> &out, llvm::StringRef file);

} // namespace cudacc::plan
