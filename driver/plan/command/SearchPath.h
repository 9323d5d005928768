// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Search path elements from the output to \p folders (below site-packages, see
/// core::TargetLibrary::folder), by RP-4 and F18: relative to $ORIGIN, without duplicates, in the
/// given order. If `install-dir` is not declared, the elements for site-packages/pkg/ext.so come
/// first, then those for site-packages/ext.so. An empty folder is the `lib` of a conda environment.
/// Empty for `layout = "none"`. \p layout: the target's.
std::vector<std::string> searchPath(const core::Declaration &declaration,
                                    const core::LayoutChoice &layout,
                                    llvm::ArrayRef<std::string> folders);

/// The same folders as absolute paths in the environment, by which a program in a build directory
/// finds its runtime (F18). They belong behind the relative ones.
std::vector<std::string> developPath(llvm::ArrayRef<std::string> sitePackages,
                                     llvm::ArrayRef<std::string> folders);

/// The flag that makes ld write DT_RPATH (the default) or DT_RUNPATH.
llvm::StringRef dtagsWord(const core::Declaration &declaration);

/// Adds a linker option; uses -Xlinker if the value has a comma, at which `-Wl,` would split it.
void passToLinker(std::vector<std::string> &out, llvm::StringRef option, llvm::StringRef value);

/// Adds an input file for the linker only. gcc would count it as an input and name the files beside
/// the output differently (`-o m m.c --coverage` writes m.gcno for one input and m-m.gcno for two).
void passFileToLinker(std::vector<std::string> &out, llvm::StringRef file);

} // namespace cudacc::plan
