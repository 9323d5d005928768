// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Toolkit.h"
#include "driver/pipeline/Call.h"
#include "driver/plan/command/Coupled.h"
#include "driver/plan/command/RuntimePath.h"
#include "driver/policy/advice/LookAround.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// The libraries of a link that this process starts itself, and what else the link depends on.
struct LinkSurroundings {
  /// e_machine of the output; 0 if the note cannot be added to it (ELF32, or another processor).
  uint16_t machine = 0;
  std::vector<core::LinkedLibrary> libraries;
  /// Torch libraries on the command line; filled only if the target has torch.
  std::vector<core::FoundTorch> torchLibraries;
  /// The declared facts file could not be read; the other members are then not determined.
  std::optional<core::Finding> problem;
  /// Path of the output, absolute.
  std::string output;
  /// Those that the libraries of the link are coupled to.
  std::vector<plan::CoupledLibrary> coupled;
  /// Directories in which the link of a program finds the NEEDED libraries of its libraries.
  std::vector<std::string> folders;
  /// The output is a file that the system's loader starts or loads. A note would change the layout
  /// of raw images and kernels.
  bool isOrdinary = false;
};

/// What a shim's toolchain directory consists of, besides the call.
struct ShimParts {
  /// Identifies the cuda-cc binary that is copied: version, size, modification time.
  std::string program;
  /// Entries besides the compilers.
  std::vector<core::TreeEntry> entries;
};

/// What nvcc needs to link device code with the runtime's nvJitLink.
struct DeviceLinkerParts {
  /// As ShimParts::program.
  std::string program;
  core::ToolchainDirectory::DeviceLinker linker;
  /// Links to the toolkit's entries, except for its nvlink.
  std::vector<core::TreeEntry> entries;
};

/// What was found on disk for a call.
struct Found {
  /// The toolkit of nvcc, or the one that clang compiles CUDA with. \p isJudged is false for a
  /// clang toolkit of which only headers are known.
  std::optional<core::Toolkit> toolkit;
  bool isJudged = false;
  std::vector<core::FoundHeader> headers;
  std::vector<core::FoundTorch> torchHeaders;
  /// The host compiler, if it links or a record names it; std::nullopt also if it could not be
  /// probed.
  std::optional<core::HostCompiler> host;
  /// For nvcc: the host compiler that it starts.
  NvccHost nvccHost;
  /// For nvcc: its host compiler calls should go through a shim.
  bool wantsShim = false;
  /// std::nullopt if no shim is wanted, or if the shims of the toolchain directory in use can be
  /// taken.
  std::optional<ShimParts> shim;
  /// For nvcc: std::nullopt if nvlink links its device code, or if it links none.
  std::optional<DeviceLinkerParts> deviceLinker;
  /// std::nullopt if nothing is linked, or if a shim below nvcc makes the link.
  std::optional<LinkSurroundings> link;

  const core::Toolkit *judgedToolkit() const { return toolkit && isJudged ? &*toolkit : nullptr; }
  const core::HostCompiler *knownHost() const { return host ? &*host : nullptr; }
};

/// Only reads. \p place: directory for content-addressed files; null if there is none. Errors: the
/// toolkit could not be determined although a runtime is declared.
llvm::Expected<Found> find(System &system, cache::Store &store, const Call &call,
                           const core::Target &target, const std::string *place);

/// True if the shims of the call's toolchain directory stand in for exactly the compilers that nvcc
/// would start.
bool ownCompilersServe(const Call &call, const NvccHost &host);
/// There is a shim, or one can be created, at a path that nvcc accepts.
bool canShim(const Call &call, const Found &found, const std::string *place);
/// True for an nvcc link that cannot go through a shim, so that its output is checked by the
/// process in front of nvcc.
bool linksWithoutShim(const Call &call, const Found &found, const std::string *place);

/// Findings stop the call: a runtime is declared, and the mode is not `warn` or `off`.
bool isEnforced(const core::Target &target);
/// The libraries of the runtime that the link names.
plan::RuntimeUse runtimeUse(const Call &call, const core::Target &target,
                            llvm::ArrayRef<core::LinkedLibrary> libraries);
/// Toolkits on this machine, for fixes. Searching for them is slow.
std::vector<core::FoundToolkit> nearbyToolkits(System &system);
/// A declaration that one of them can build for, for fixes.
std::string runtimeForHere(System &system);

} // namespace cudacc::pipeline
