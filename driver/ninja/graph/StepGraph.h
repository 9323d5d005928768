// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/ninja/graph/StepFiles.h"
#include "llvm/Support/Error.h"

namespace cudacc::ninja {

/// What the options of nvcc ask of a depfile.
struct DepfileRequest {
  /// Value of -MT; empty: the object's path.
  std::string target;
  /// -MP: a rule without recipe for each header.
  bool withTargets = false;
  /// -MMD: without headers of the system.
  bool withoutSystem = false;
};

/// A command of nvcc whose files lie in a build directory. What two calls that differ in another
/// architecture or option have in common has the same names in both.
struct Step {
  StepKind kind = StepKind::HostCompile;
  /// Unique in the graph; a file name.
  std::string name;
  /// For /bin/sh. Empty where cuda-cc makes the file.
  std::string command;
  std::string program;
  /// A launcher stands before the command.
  bool isLaunched = false;
  /// Names of files in the build directory. Outputs that nothing uses are left out.
  std::vector<std::string> inputs, outputs;
  /// Files outside of it, as written in the command.
  std::vector<std::string> sources;
  /// Only of Depfile.
  DepfileRequest depfile;
};

/// What the call leaves behind.
struct Delivery {
  /// Index of the step that makes it, its name in the build directory, and its path, as written.
  size_t step = 0;
  std::string made, path;
};

struct StepGraph {
  /// In the order in which nvcc runs them.
  std::vector<Step> steps;
  std::vector<Delivery> deliveries;
  /// The commands that make an archive of the objects, for /bin/sh; they always run, as the last
  /// ones. Empty if there is none.
  std::string archive;
};

/// Names the temporary files of \p dryrun anew, below \p folder. Error: the files of a command are
/// not known; it names that.
llvm::Expected<StepGraph> makeGraph(const Dryrun &dryrun, const DepfileRequest &depfile,
                                    llvm::StringRef folder);

/// Text of a depfile as nvcc writes it, from preprocessed files. \p source: the file compiled.
std::string depfileText(llvm::ArrayRef<std::string> preprocessed, llvm::StringRef source,
                        const DepfileRequest &request);

} // namespace cudacc::ninja
