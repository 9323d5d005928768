// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/FindLinker.h"
#include "driver/commands/link/LinkInputs.h"
#include "driver/commands/link/LinkRequest.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// The link for one architecture.
struct ArchLink {
  versions::Arch arch;
  /// The image of each input that is linked, in the order of LinkOutcome::inputs.
  std::vector<policy::LinkImage> inputs;
  bool lto = false;
  policy::LinkChoice choice;
  devlink::LinkResult result;
  /// nvJitLink's version, or the driver's; 0.0: nothing was linked.
  versions::CudaVersion linker;
};

struct WrittenFile {
  std::string path;
  /// All of them for a fatbin.
  std::vector<versions::Arch> archs;
  uint64_t size = 0;
};

/// Everything that `cuda-cc link` found out and did.
struct LinkOutcome {
  LinkRequest request;
  std::vector<DeviceInput> inputs;
  FoundLinkers linkers;
  std::vector<ArchLink> links;
  std::vector<core::Finding> findings;
  std::vector<WrittenFile> outputs;
  /// The fatbin that nvFatbin made; empty if it was not asked.
  std::string packed;
  /// What the libraries printed.
  std::string printed;
  uint64_t openMicroseconds = 0;
};

/// As defined in docs/schema/link.json.
llvm::json::Value linkJson(const LinkOutcome &outcome);
/// `--explain`: the decision of both policies for each architecture, and where they differ.
std::string linkExplanation(const LinkOutcome &outcome);
/// `--time`.
std::string linkTimes(const LinkOutcome &outcome);
/// The library's logs as it wrote them, each line ended.
std::string logsOf(const ArchLink &link);
/// The question that the decision for one architecture answers.
policy::LinkQuestion questionOf(const LinkOutcome &outcome, const ArchLink &link);

} // namespace cudacc::commands
