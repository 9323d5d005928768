#pragma once

#include "driver/facts/Torch.h"
#include "driver/policy/Forms.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::policy {

/// One runtime that a declaration allows: a torch build, or a CUDA line or release alone.
struct World {
  core::CudaVersion line;
  /// The toolkit release behind it, when it is known or was named.
  std::optional<facts::ToolkitRelease> toolkit;
  std::optional<facts::TorchRelease> torch;
  /// Set with `torch`.
  facts::TorchLine build;
  /// `torch` stands with a local label in the declaration.
  bool tagged = false;

  /// `torch 2.6.0+cu126`, `CUDA 12.4`, `CUDA 12.4.1`.
  std::string describe() const;
};

using Worlds = llvm::SmallVector<World, 0>;

/// Whether a wish names toolkit releases (`cuda==12.4.1`) and not lines.
bool namesRelease(const Wish &wish);

/// The known runtimes that satisfy every wish, ascending; empty when none does. With torch among
/// the wishes they are torch builds, those of PyPI unless a wish has a local label.
Worlds worldsOf(llvm::ArrayRef<Wish> wishes);

/// A label like `cu126` that a wish asks for; empty: none.
llvm::StringRef tagOf(const Wish &wish);

} // namespace cudacc::policy
