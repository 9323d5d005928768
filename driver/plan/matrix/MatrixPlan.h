// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"
#include "driver/core/Verdict.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::plan {

/// A runtime that the builds of a matrix have to serve.
struct MatrixRuntime {
  /// `torch==2.5.1`.
  std::string name;
  /// Release of its torch (`2.5.1`, `2.6.0+cu126`), of a range the oldest; empty without torch.
  std::string torch;
  /// Its CUDA line; 0.0 if not known.
  versions::CudaVersion line;
};

/// Which runtimes with torch one build can serve.
enum class TorchAbi {
  /// The patch releases of one minor with the same local label: torch promises no more.
  Minor,
  /// What was built with one release serves all later ones: torch's stable ABI alone is used.
  Stable,
  /// All: torch is not used.
  None
};

/// What a matrix is planned from.
struct MatrixInputs {
  std::vector<MatrixRuntime> runtimes;
  /// In any order; planMatrix orders them by version, and keeps the order of equal ones.
  std::vector<core::FoundToolkit> toolkits;
  /// Interpreters as declared, one build each. Empty if the artefact does not depend on them.
  std::vector<std::string> pythons;
  TorchAbi abi = TorchAbi::Minor;
};

/// One call of the build command.
struct MatrixBuild {
  /// Index of the toolkit.
  unsigned toolkit = 0;
  /// As in the inputs; empty if there are none.
  std::string python;
  /// Indices of the runtimes that it is built for, ascending.
  std::vector<unsigned> runtimes;
  /// The one of these that the build is declared for: the oldest torch, then the oldest CUDA line.
  unsigned base = 0;

  bool operator==(const MatrixBuild &) const = default;
};

/// A runtime that no toolkit can build for.
struct UnservedRuntime {
  unsigned runtime = 0;
  /// The verdict on each toolkit, by its index.
  std::vector<core::Verdict> verdicts;

  /// Reject if the rules exclude each toolkit; Unknown if there is one of which it is not known.
  core::Outcome outcome() const;
};

struct MatrixPlan {
  MatrixInputs inputs;
  /// The fewest builds that serve every runtime that can be served, by Python as given, then torch,
  /// then toolkit. Of equally few, those with the oldest toolkits.
  std::vector<MatrixBuild> builds;
  std::vector<UnservedRuntime> unserved;
  /// How many different builds there would be without choosing: each toolkit for each ABI.
  unsigned candidates = 0;

  /// Release of torch that the build compiles against; empty if it does not use torch.
  llvm::StringRef torchOf(const MatrixBuild &build) const;
  /// `cu12.4-torch2.5.1-py3.11`: the name of a folder.
  std::string nameOf(const MatrixBuild &build) const;
};

/// \p text as the name of a file that needs no quoting in sh and Ninja: `/opt/python/bin/python`
/// becomes `opt-python-bin-python`.
std::string matrixName(llvm::StringRef text);

/// Plans a matrix. \p judge is the verdict on compiling for a runtime with a toolkit; what it does
/// not accept is not built, an unknown verdict included.
MatrixPlan planMatrix(
    MatrixInputs inputs,
    llvm::function_ref<core::Verdict(const MatrixRuntime &, const core::FoundToolkit &)> judge);

} // namespace cudacc::plan
