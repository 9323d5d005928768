// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/devicelink/ChooseLinker.h"

/// What the files of this folder share.
namespace cudacc::policy {

/// The inputs that a linker of one release does not take, or takes without a promise by NVIDIA.
struct Misfits {
  using Inputs = std::vector<const LinkImage *>;
  Inputs newer, otherMajor, unpromised;
  /// PTX whose ISA no table relates to the linker.
  Inputs unrelated;

  bool allTaken() const { return newer.empty() && otherMajor.empty() && unrelated.empty(); }
};
/// \p linker is 0.0 for a driver that is older than every table.
Misfits misfitsOf(llvm::ArrayRef<LinkImage> inputs, versions::CudaVersion linker);

/// Known and not below 12.3 (LD-3).
bool isUsable(const NvJitLinkFacts &nvJitLink);
/// The link cannot be given to the driver (LD-1, LD-4).
bool needsNvJitLink(const LinkQuestion &question);
inline bool isKnown(const DriverFacts &driver) { return driver.state == DriverFacts::State::Known; }

/// chooseLinker() without fixes.
LinkChoice decideLinker(const LinkQuestion &question);
/// Adds fixes to the errors of \p choice. Each was tried: with it the link is not refused, and the
/// driver loads the output.
void addLinkFixes(const LinkQuestion &question, LinkChoice &choice);
/// `nvJitLink 12.9`, `driver CUDA 13.0`.
std::string nvJitLinkName(const NvJitLinkFacts &nvJitLink);
std::string driverName(const DriverFacts &driver);
/// Why the link needs nvJitLink: `a.o is LTO-IR`. Empty if it does not.
std::string needText(const LinkQuestion &question);
/// The reasons for the facts alone: inputs of unknown version, nvJitLink, driver.
std::vector<std::string> factReasons(const LinkQuestion &question);

/// A finding with the facts that each has: what needs nvJitLink, nvJitLink, the driver.
core::Finding linkFinding(core::Code code, const LinkQuestion &question, std::string message);
/// The findings about inputs for \p linker, by its name.
std::vector<core::Finding> inputFindings(const LinkQuestion &question, const Misfits &misfits,
                                         const std::string &linker);
/// Why an nvJitLink that is there is not used: a warning, or an error if it cannot be determined
/// which release it is (PB-2, PB-3).
std::optional<core::Finding> unusableFinding(const LinkQuestion &question);

} // namespace cudacc::policy
