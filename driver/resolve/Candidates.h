// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/DeclaredRequirement.h"
#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::resolve {

/// One runtime that a declaration allows: a torch build, a release of another framework, or a CUDA
/// line or release alone.
struct Candidate {
  versions::CudaVersion line;
  /// Newest line that it may be of; `line` itself where that does not float.
  versions::CudaVersion newest;
  /// The toolkit release behind it, when it is known or was named.
  std::optional<tables::ToolkitRelease> toolkit;
  std::optional<tables::TorchRelease> torch;
  /// Set with `torch`.
  tables::TorchLine build;
  /// `torch` stands with a local label in the declaration.
  bool tagged = false;
  /// `jax 0.4.35`; with torch: what requires it, where that was declared and torch was not.
  std::string framework;
  /// Of the framework: `0.4.35`.
  std::string release;
  /// What it requires by itself.
  llvm::SmallVector<tables::Pin, 0> pins;
  /// So do the toolkit's other parts: their floor is that of the oldest line.
  bool toolkitFloats = false;
  /// The metadata of that very release was not read.
  bool extrapolated = false;
  /// Rows beside the tables, those of the requirements.
  const tables::UserTables *more = nullptr;

  bool isCuda() const { return !torch && framework.empty(); }
  /// `torch 2.6.0+cu126`, `torch 2.7.0, which vllm 0.9.0 requires`, `jax 0.4.35`, `CUDA 12.4`,
  /// `CUDA 12.4.1`.
  std::string describe() const;
  /// The number alone.
  std::string number() const;
};

using CandidateSet = llvm::SmallVector<Candidate, 0>;

/// Whether a requirement names toolkit releases (`cuda==12.4.1`) and not lines.
bool namesRelease(const DeclaredRequirement &requirement);

/// The known runtimes that satisfy every requirement, ascending; empty when none does. With torch
/// among the requirements, or what requires it, they are torch builds, those of PyPI unless a
/// requirement has a local label; with another framework, its releases. A requirement for CUDA
/// chooses among the lines that a framework allows. Two frameworks that are not bound to each other
/// by torch: see Together.h.
CandidateSet candidatesOf(llvm::ArrayRef<DeclaredRequirement> requirements);

/// Rows beside the tables that the requirements came with.
const tables::UserTables *moreOf(llvm::ArrayRef<DeclaredRequirement> requirements);

/// A label like `cu126` that a requirement asks for; empty: none.
llvm::StringRef tagOf(const DeclaredRequirement &requirement);

} // namespace cudacc::resolve
