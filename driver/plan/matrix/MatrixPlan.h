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
  /// Release of the torch that an extension for it compiles against (`2.5.1`, `2.6.0+cu126`); empty
  /// without torch.
  std::string torch;
};

/// What a matrix is planned from.
struct MatrixInputs {
  std::vector<MatrixRuntime> runtimes;
  /// In any order; planMatrix orders them by version, and keeps the order of equal ones.
  std::vector<core::FoundToolkit> toolkits;
  /// Tags of Python's ABI (`cp311`), one build each. Empty if the artefact does not depend on it.
  std::vector<std::string> pythons;
  /// The artefact uses torch's stable ABI alone: what was built with one release serves later ones.
  /// Otherwise a build serves the patch releases of one minor with the same local label.
  bool stableTorch = false;
};

/// One call of the build command.
struct MatrixBuild {
  /// Index of the toolkit.
  unsigned toolkit = 0;
  /// Release of torch that it compiles against, the oldest of `runtimes`, and Python's tag; both
  /// may be empty.
  std::string torch, python;
  /// Indices of the runtimes that it is built for, ascending.
  std::vector<unsigned> runtimes;

  bool operator==(const MatrixBuild &) const = default;
};

/// A runtime that no toolkit can build for.
struct UnservedRuntime {
  unsigned runtime = 0;
  /// The verdict on each toolkit, by its index.
  std::vector<core::Verdict> verdicts;
};

struct MatrixPlan {
  MatrixInputs inputs;
  /// The fewest builds that serve every runtime that can be served, by Python as given, then torch,
  /// then toolkit. Of equally few, those with the oldest toolkits.
  std::vector<MatrixBuild> builds;
  std::vector<UnservedRuntime> unserved;
  /// How many different builds there would be without choosing: each toolkit for each ABI.
  unsigned candidates = 0;
};

/// Plans a matrix. \p judge is the verdict on compiling for a runtime with a toolkit; what it does
/// not accept is not built, an unknown verdict included.
MatrixPlan planMatrix(
    MatrixInputs inputs,
    llvm::function_ref<core::Verdict(const MatrixRuntime &, const core::FoundToolkit &)> judge);

} // namespace cudacc::plan
