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
struct RuntimeCandidate {
  versions::CudaVersion line;
  /// The newest line that the runtime may have; `line` itself unless the line is a range.
  versions::CudaVersion newest;
  /// The toolkit release, if it is known or was named.
  std::optional<tables::ToolkitRelease> toolkit;
  std::optional<tables::TorchRelease> torch;
  /// Set together with `torch`.
  tables::TorchLine build;
  /// `torch` was declared with a local label.
  bool tagged = false;
  /// `jax 0.4.35`; with torch: the framework that requires it, if that was declared and torch was
  /// not.
  std::string framework;
  /// Release of the framework: `0.4.35`.
  std::string release;
  /// The versions that it pins itself.
  llvm::SmallVector<tables::Pin, 0> pins;
  /// The versions of the other toolkit components are a range too; their floor is that of `line`.
  bool toolkitFloats = false;
  /// The metadata of this release was not read.
  bool extrapolated = false;
  /// The user's own table rows, from the requirements; null if there are none.
  const tables::UserTables *more = nullptr;

  bool isCuda() const { return !torch && framework.empty(); }
  /// `torch 2.6.0+cu126`, `torch 2.7.0, which vllm 0.9.0 requires`, `jax 0.4.35`, `CUDA 12.4`,
  /// `CUDA 12.4.1`.
  std::string describe() const;
  /// The version alone: `2.6.0`, `12.4`.
  std::string number() const;
};

using CandidateSet = llvm::SmallVector<RuntimeCandidate, 0>;

/// Whether a requirement names a toolkit release (`cuda==12.4.1`) and not a line.
bool namesRelease(const DeclaredRequirement &requirement);

/// The known runtimes that satisfy every requirement, ascending; empty if there are none. If torch
/// is among the requirements, or a framework that requires it, the candidates are torch builds,
/// those of PyPI unless a requirement has a local label; for another framework they are its
/// releases. A requirement for CUDA chooses among the lines that a framework allows. For two
/// frameworks that are not both tied to torch see JointResolver.h.
CandidateSet candidatesOf(llvm::ArrayRef<DeclaredRequirement> requirements);

/// The user's table rows that the requirements have; null if there are none.
const tables::UserTables *moreOf(llvm::ArrayRef<DeclaredRequirement> requirements);

/// The local label that a requirement asks for (`cu126`); empty if none.
llvm::StringRef tagOf(const DeclaredRequirement &requirement);

} // namespace cudacc::resolve
