// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/link/FindLinker.h"
#include "driver/commands/link/LinkInputs.h"
#include "driver/commands/link/LinkRequest.h"
#include "driver/core/Target.h"
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

/// What the helper program is asked to do for those links. The job borrows the bytes of the
/// outcome's inputs.
devlink::Job jobFor(const LinkOutcome &outcome, policy::LinkBackend backend,
                    llvm::ArrayRef<ArchLink *> links);

/// The linked cubins in one fatbin: what nvFatbin packed, else what the toolkit's `fatbinary`
/// packs. Empty if there is neither.
llvm::Expected<std::string> packFatbin(pipeline::System &system, const LinkOutcome &outcome);

/// `kernels.sm_90.cubin` of `kernels.fatbin`.
std::string pathForArch(llvm::StringRef path, versions::Arch arch);

/// An input without an image for \p arch.
core::Finding uncovered(const DeviceInput &input, versions::Arch arch);
/// A link that the library refused: its log, the input if it is known, and what is known about the
/// message.
core::Finding linkFailed(const LinkOutcome &outcome, const ArchLink &link,
                         policy::LinkBackend backend);
/// nvFatbin at \p packer failed.
core::Finding packFailed(llvm::StringRef packer, llvm::StringRef because);
/// The driver cannot link here.
core::Finding driverFailed(const LinkOutcome &outcome, const ArchLink &link,
                           llvm::StringRef because);

/// Whether what was linked loads on the declared runtime and the driver of the deployment, after
/// the declared enforcement, severities and waivers. \p target is null without a declared runtime.
std::vector<core::Finding> judgeLinked(const LinkOutcome &outcome, const ArchLink &link,
                                       const core::Declaration &declaration,
                                       const core::Target *target);

/// Appends those that \p findings does not have yet: several architectures share most of them.
void addDistinct(std::vector<core::Finding> &findings, llvm::ArrayRef<core::Finding> more);

} // namespace cudacc::commands
