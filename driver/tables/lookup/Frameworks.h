// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/// CUDA requirements of frameworks other than torch, from their metadata.
namespace cudacc::tables {

namespace rows {
struct Framework;
}

/// A name by which a framework can be required: `jax[cuda12]`, `cupy-cuda12x`, `vllm`.
struct FrameworkName {
  /// Normalised as in PEP 503.
  llvm::StringRef name;
  /// All of these extras must be given for the framework to require CUDA libraries.
  llvm::SmallVector<llvm::StringRef, 2> extras;
  llvm::StringRef framework;
  /// CUDA major; 0 if it depends on the release.
  unsigned major = 0;

  static constexpr auto columns = std::tuple(&FrameworkName::name, &FrameworkName::framework,
                                             &FrameworkName::extras, &FrameworkName::major);

  /// `jax[cuda12]`.
  std::string str() const;
  /// The name alone determines the CUDA major; no version is needed.
  bool fixesMajor() const { return major != 0 && extras.empty(); }
};

enum class FrameworkPins : uint8_t {
  /// Exact versions.
  Exact,
  /// Minimum versions.
  Floor,
  /// A range of toolkits; the libraries are whatever is installed.
  Range,
  /// The toolkit the wheel was built with; the libraries come with the torch that it requires.
  BuiltWith,
  /// No requirements.
  None,
};

/// Releases of a framework that have the same requirements for one CUDA major.
struct FrameworkRun {
  /// The oldest release. The run extends to the next run's first release; releases in between that
  /// were not read are assumed to be the same.
  llvm::StringRef first;
  /// Releases whose metadata was read, ascending. Empty if none was.
  llvm::SmallVector<llvm::StringRef, 8> read;
  unsigned major = 0;
  /// Range of CUDA lines that are allowed, both ends included.
  versions::CudaVersion from, to;
  /// Toolkit release of the pins, or the one it was built with.
  std::optional<ToolkitRelease> toolkit;
  /// Version specifier for torch. Empty if there is none or it has no bound.
  llvm::StringRef torch;
  FrameworkPins kind = FrameworkPins::None;
  Confidence confidence = Confidence::Unverified;
  /// Toolkit libraries that are not pinned may be of any allowed line.
  bool toolkitFloats = false;
  /// The release has requirements on CUDA libraries, directly or through torch.
  bool requiresCuda = false;
  const rows::Framework *row = nullptr;
};

/// All names, sorted.
const std::vector<FrameworkName> &frameworkNames();
/// The variants of a name, such as `jax[cuda12]` and `jax[cuda13]`. Empty if it is no framework.
llvm::SmallVector<FrameworkName, 2> frameworksCalled(llvm::StringRef name);
/// Sorted by version. Runs of different majors may begin with the same release, if one wheel
/// supports several majors.
std::vector<FrameworkRun> frameworkRuns(const FrameworkName &name,
                                        const UserTables *more = nullptr);
/// Sorted by distribution, without torch and cuda-toolkit.
llvm::SmallVector<Pin, 20> frameworkPins(const FrameworkRun &run);

} // namespace cudacc::tables
