// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Absolute paths that the scripts of a matrix have in common.
struct MatrixPlaces {
  /// cuda-cc.
  std::string program;
  /// Folder of the project.
  std::string project;
  /// Where the results are.
  std::string folder;
};

/// What the build command means.
struct MatrixRecipe {
  /// For sh, in the folder `work` of the build.
  std::string command;
  /// `work` is a fresh copy of the project's files; otherwise it is kept, for a build system that
  /// builds outside of the sources.
  bool copies = true;
  /// Patterns of sh, relative to `work`: each must match.
  std::vector<std::string> artefacts;
};

/// The recipe of `pip wheel`, `cmake`, `meson`, or of another command line, with \p artefacts. The
/// first three have artefacts of their own, where none are given. \p ownPython: the Python
/// on PATH is that of an environment which has what the build needs.
MatrixRecipe matrixRecipe(llvm::StringRef command, llvm::ArrayRef<std::string> artefacts,
                          bool ownPython);

/// A Python environment that a script makes, or uses.
struct MatrixEnvironment {
  /// Absolute.
  std::string folder;
  /// Path of uv; empty: Python's venv and pip.
  std::string uv;
  /// Version for uv, or a program; empty: any for uv, python3.
  std::string python;
  /// Requirements to install, as pip takes them.
  std::vector<std::string> requirements;
};

/// Makes an environment, and `made` beside it.
std::string environmentScript(const MatrixEnvironment &environment);

/// What one build is made of.
struct MatrixBuildStep {
  /// MatrixPlan::nameOf.
  std::string name;
  /// The runtime that it is declared for, its requirements separated by `;`.
  std::string runtime;
  /// Root of the toolkit.
  std::string toolkit;
  /// Folder of the environment whose Python builds; empty: the one on PATH. And that Python, if it
  /// is another one than `python3`.
  std::string environment, python;
  MatrixRecipe recipe;
  /// A word that changes with the other members and the programs that build.
  std::string key;
};

/// Writes `began`, makes the toolchain directory `cuda`, runs the command, and writes `built` last:
/// where that file is missing, nothing counts.
std::string buildScript(const MatrixPlaces &places, const MatrixBuildStep &step);

/// Judges the artefacts of the build on all \p runtimes; writes `check.json` last. To be run
/// always: it is fast, and reads more than what is known here.
std::string checkScript(const MatrixPlaces &places, const MatrixBuildStep &step,
                        llvm::ArrayRef<std::string> runtimes);

/// A test of a build on one runtime.
struct MatrixTestStep {
  /// matrixName of the runtime.
  std::string name;
  std::string runtime;
  /// The user's command, for sh.
  std::string command;
  /// Made in the folder of the test as `venv`; or a declared one, into which nothing is installed.
  MatrixEnvironment environment;
  bool installs = true;
};

/// Installs the wheels among the artefacts beside the runtime, runs the command, and writes
/// `passed` last.
std::string testScript(const MatrixPlaces &places, const MatrixBuildStep &step,
                       const MatrixTestStep &test);

/// An edge of the build.ninja of a matrix. Paths are relative to its folder and made of characters
/// that need no quoting.
struct MatrixEdge {
  enum class Kind { Environment, Build, Check, Test };
  Kind kind = Kind::Build;
  std::string script, log, output;
  std::vector<std::string> inputs;
  /// Changes with everything that the output depends on besides `inputs`.
  std::string key;
  /// Made again in any case.
  bool always = false;
  /// Of progress: `build cu12.4`.
  std::string description;
};

/// \p jobs: how many builds run at a time.
std::string matrixBuildFile(llvm::ArrayRef<MatrixEdge> cells, unsigned jobs);

} // namespace cudacc::plan
