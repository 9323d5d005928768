// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/TorchTables.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/process/DiskTree.h"

namespace cudacc::pipeline {

/// Where a file lies on this machine.
struct FilePlace {
  /// Empty if it does not: a member of a wheel.
  std::string path;
  /// The site-packages folder that contains it; empty if none does.
  std::string sitePackages;
  /// Of the Python that loads it; empty if not known.
  std::string pythonPrefix;
};

/// Applies every rule about a file to \p input, the one place where that is done: at a link, in
/// `check`, `doctor` and whatever else gives a verdict. Adds to the case what only some files need:
/// the table of torch's names, the folders of Pythons, the load where the file lies, the package
/// that installed it. \p disk: this machine. \p others: FileCase::others, called only if a rule is
/// broken without them, since it opens the libraries that the file NEEDs. Null: as in \p input.
std::vector<core::Finding> judgeFile(System &system, TorchTables &torchTables,
                                     process::DiskTree &disk, policy::FileCase input,
                                     const FilePlace &place, policy::LookAround lookAround,
                                     llvm::function_ref<policy::Others()> others = nullptr);

} // namespace cudacc::pipeline
