// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

/// Frameworks other than torch: what their metadata says about CUDA libraries.
namespace cudacc::tables {

/// A name under which a framework is required: `jax[cuda12]`, `cupy-cuda12x`, `vllm`.
struct FrameworkName {
  /// Normalised after PEP 503.
  llvm::StringRef name;
  /// All of them have to be named for CUDA libraries to come with it.
  llvm::SmallVector<llvm::StringRef, 2> extras;
  llvm::StringRef framework;
  /// CUDA major; 0: each release has one of its own.
  unsigned major = 0;
  uint16_t index = 0;

  /// `jax[cuda12]`.
  std::string str() const;
  /// The name alone says for which CUDA major it is: no version is needed.
  bool fixesMajor() const { return major != 0 && extras.empty(); }
};

enum class FrameworkPins : uint8_t {
  /// Exact versions.
  Exact,
  /// The oldest that are allowed.
  Floor,
  /// A range of toolkits; the libraries are whatever is there.
  Range,
  /// What the wheel was built with; its libraries come with the torch that it requires.
  BuiltWith,
  /// Nothing.
  None,
};

/// Releases of a framework with the same requirements for one CUDA major.
struct FrameworkRun {
  /// The oldest; later releases that no other run begins with are taken to be as these.
  llvm::StringRef first;
  /// Releases whose metadata was read, ascending; empty: none was.
  llvm::SmallVector<llvm::StringRef, 8> read;
  unsigned major = 0;
  /// CUDA lines that it may have, both included.
  versions::CudaVersion from, to;
  /// Toolkit release of the pins, or the one it was built with.
  std::optional<ToolkitRelease> toolkit;
  /// Specifier on torch; empty: none, or one without a bound.
  llvm::StringRef torch;
  FrameworkPins kind = FrameworkPins::None;
  Confidence confidence = Confidence::Unverified;
  /// The parts of the toolkit that nothing pins are of any allowed line.
  bool toolkitFloats = false;
  /// It says something about CUDA libraries, if only through torch.
  bool tells = false;
  uint16_t index = 0;
  /// Null: a row of the tables.
  const UserTables *addedBy = nullptr;
};

/// Every name, in the order of the text.
std::vector<FrameworkName> frameworkNames();
/// The forms of one name, as `jax[cuda12]` and `jax[cuda13]`; empty: it is no framework.
llvm::SmallVector<FrameworkName, 2> frameworksCalled(llvm::StringRef name);
FrameworkName frameworkAt(uint16_t index);
/// Ascending by version. Runs of several majors may begin with the same release, where one wheel
/// serves several.
std::vector<FrameworkRun> frameworkRuns(const FrameworkName &name,
                                        const UserTables *more = nullptr);
/// Ordered by distribution; torch and cuda-toolkit are not among them.
llvm::SmallVector<Pin, 20> frameworkPins(const FrameworkRun &run);

} // namespace cudacc::tables
