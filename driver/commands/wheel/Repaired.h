// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/policy/wheel/Requirements.h"
#include "driver/policy/wheel/Variant.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace cudacc::commands {

/// What `wheel repair` did with a wheel.
struct Repaired {
  /// Paths as printed.
  std::string input, output;
  uint64_t inputSize = 0, outputSize = 0;
  /// Of the distribution.
  std::string name, version;
  /// As declared, or as the manifests say; and their CUDA lines.
  std::vector<std::string> runtimes;
  std::vector<versions::CudaVersion> cuda;
  /// What the files need, by line.
  std::vector<policy::WheelLine> lines;
  versions::TorchRange torch;
  /// WheelCase::torchTag.
  std::string torchTag;
  /// NEEDED names that others bring.
  std::vector<std::string> external;
  /// Copies of such libraries that were removed, by their paths in the wheel.
  std::vector<std::string> removed;
  /// Libraries that auditwheel copied into the wheel.
  std::vector<std::string> grafted;
  /// Of these, as RECORD has them.
  std::map<std::string, std::string> digests;
  /// Files into which libcudart_static.a was linked, as far as that is determined: by their symbol
  /// tables or manifests.
  std::vector<std::string> staticCudart;
  policy::WheelRequirements requirements;
  std::vector<core::Judgement> judgements;
  /// Files, by their paths in the wheel, of which none of the runtimes loads one: others of several
  /// CUDA lines.
  std::vector<std::string> unjudged;
  /// What the variant of `--variant` asks of a system, and the path of the list beside it.
  std::optional<policy::VariantProperties> variant;
  std::string variantIndex;
};

/// The texts of `dist-info/cuda-target.json` (docs/schema/cuda-target.json) and
/// `dist-info/sboms/cuda-cc.cdx.json` (CycloneDX 1.4, as auditwheel's own): the wheels that bring
/// CUDA's libraries, copies that auditwheel made, and a static cudart. They depend on the wheel,
/// the runtimes and auditwheel alone.
std::string cudaTargetText(const Repaired &repaired);
std::string sbomText(const Repaired &repaired);

/// The report. \p finding: what is wrong, if the result was not accepted.
std::string repairText(const Repaired &repaired);
/// docs/schema/wheel-repair.json.
llvm::json::Value repairJson(const Repaired &repaired);

} // namespace cudacc::commands
