#pragma once

#include "driver/facts/Torch.h"
#include <vector>

namespace cudacc::facts {

/// One library of a runtime, joined from the tables of torch, toolkits and wheels.
struct RuntimeLibrary {
  llvm::StringRef soname, dist, version, folder;
  /// Place of the version in the order of PEP 440 among the versions of the tables.
  uint16_t rank = 0;
  /// Line of that version; 0.0 for parts that no toolkit numbers.
  core::CudaVersion cuda;
  /// The version comes from the torch line's requirements, not from the toolkit release.
  bool pinned = false;
  bool floats = false;
  Confidence confidence = Confidence::Verified;
};

/// The libraries that \p floor has, each replaced by what \p line requires (null: no torch), and
/// the libraries that only \p line requires. By soname, each once.
std::vector<RuntimeLibrary> runtimeLibraries(const ToolkitRelease &floor, const TorchLine *line);

} // namespace cudacc::facts
