// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/policy/remedies/Remedy.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/rules/JudgeRunning.h"

namespace cudacc::policy {

/// The distribution whose RECORD has a file.
struct Owner {
  /// Empty: none, or not known.
  std::string dist, version;
};

/// What a fix of an environment is made with.
struct RemedyContext {
  /// `pip install`, `/w/.venv/bin/python -m pip install`, `pip --python /w/.venv/bin/python
  /// install`; empty: nothing can be installed.
  std::string pip;
  /// `conda install -p /w/env`; empty: the environment is none of conda's.
  std::string conda;
  /// The environment's prefix; empty: there is none.
  std::string prefix;
  /// The file as the user named it, and the module's name where it has one.
  std::string name, module;
  llvm::ArrayRef<core::FoundToolkit> toolkits;
  /// What the environment's metadata says is installed.
  llvm::ArrayRef<core::InstalledDistribution> claimed = {};
  /// Null: no owner is known.
  llvm::function_ref<Owner(llvm::StringRef path)> ownerOf = nullptr;
  /// Files of that name in folders beside \p folder that end in `.libs`, as it does. Null: none.
  llvm::function_ref<std::vector<std::string>(llvm::StringRef folder, llvm::StringRef name)>
      besides = nullptr;
};

/// Fixes of what the process does, best kinds first, of one kind the least change first: what is
/// in the way is taken away; a wheel is put back to what the framework requires; the framework is
/// raised to a release that serves; one wheel is raised or installed; the file is built again with
/// a toolkit that is there; its search path and NEEDED are mended; it is imported in another order;
/// a variable, the last resort. None of them was tried: `after` is left alone.
std::vector<Remedy> remediesFor(const ProcessCase &process, const RemedyContext &context);

/// What helps and cannot be tried, put to the first error of \p findings: damaged files, those of
/// another machine or that may not be read, a C library that is too old.
void advise(const ProcessCase &process, const RemedyContext &context,
            std::vector<core::Finding> &findings);

/// The file after Change::rpath, needed and renamed.
core::BinaryFacts relinked(const core::BinaryFacts &file, const Change &change);
/// The file as that toolkit would make it for \p target: its CUDA libraries of the toolkit's major,
/// and without the names that are newer than the toolkit.
core::BinaryFacts rebuilt(const core::BinaryFacts &file, versions::CudaVersion toolkit,
                          const core::Target &target);

} // namespace cudacc::policy
