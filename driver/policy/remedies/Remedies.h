// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/policy/remedies/Remedy.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/rules/JudgeRunning.h"

namespace cudacc::policy {

/// The distribution whose RECORD lists a file.
struct Owner {
  /// Empty if there is none or it is not known.
  std::string dist, version;
};

/// What remediesFor() uses to phrase remedies as commands.
struct RemedyContext {
  /// `pip install`, `/w/.venv/bin/python -m pip install`, `pip --python /w/.venv/bin/python
  /// install`; empty if nothing can be installed.
  std::string pip;
  /// `conda install -p /w/env`; empty if the environment is not conda's.
  std::string conda;
  /// The environment's prefix; empty if there is no environment.
  std::string prefix;
  /// The file as the user named it, and the name of its module; empty if it has none.
  std::string name, module;
  llvm::ArrayRef<core::FoundToolkit> toolkits;
  /// The installed distributions according to the environment's metadata.
  llvm::ArrayRef<core::InstalledDistribution> claimed = {};
  /// Null: owners are not known.
  llvm::function_ref<Owner(llvm::StringRef path)> ownerOf = nullptr;
  /// Paths of files called \p name in sibling folders of \p folder whose names end in `.libs`, as
  /// its own does. Null: not searched.
  llvm::function_ref<std::vector<std::string>(llvm::StringRef folder, llvm::StringRef name)>
      besides = nullptr;
};

/// Remedies for the failure of the process. By kind, best first, and within a kind the smallest
/// change first: remove what interferes; reinstall a wheel in the version that the framework
/// requires; raise the framework to a release that works; raise or install one wheel; rebuild the
/// file with a toolkit of this machine; fix its search path and NEEDED; import it in another order;
/// set a variable, the last resort. The remedies are not simulated here: `after` keeps its default.
std::vector<Remedy> remediesFor(const ProcessCase &process, const RemedyContext &context);

/// Adds fixes that cannot be simulated to the first error of \p findings: for damaged files, files
/// of another machine or without read permission, a C library that is too old.
void advise(const ProcessCase &process, const RemedyContext &context,
            std::vector<core::Finding> &findings);

/// The file with Change::rpath, needed and renamed applied.
core::BinaryFacts relinked(const core::BinaryFacts &file, const Change &change);
/// The file as that toolkit would build it for \p target: NEEDED names the CUDA libraries of the
/// toolkit's major, and imports that are newer than the toolkit are dropped.
core::BinaryFacts rebuilt(const core::BinaryFacts &file, versions::CudaVersion toolkit,
                          const core::Target &target);

} // namespace cudacc::policy
