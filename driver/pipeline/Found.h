// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Toolkit.h"
#include "driver/pipeline/Call.h"
#include "driver/plan/command/RuntimePath.h"
#include "driver/policy/advice/LookAround.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// What a link that this process makes itself has on its line, and around it.
struct LinkSurroundings {
  /// The e_machine the link makes; 0: one that our note cannot go into (ELF32, or another
  /// processor).
  uint16_t machine = 0;
  std::vector<core::LinkedLibrary> libraries;
  /// On the line, where the runtime has torch.
  std::vector<core::FoundTorch> torchLibraries;
  /// The declared facts file could not be read: nothing else is known.
  std::optional<core::Finding> problem;
  /// What the libraries are coupled to, by SONAME; a path that is empty: no file of it was found.
  std::vector<std::pair<std::string, std::string>> coupled;
  /// Where a program's link finds what the libraries on its line need themselves.
  std::vector<std::string> folders;
  /// What is made is a file that the system's loader starts or loads. Raw images grow by the
  /// distance to our note, and kernels have their own layout.
  bool isOrdinary = false;
  /// Beginning of paths for response files that are edited. One output has one link at a time.
  std::string scratch;
};

/// What the toolchain directory of a shim is made of, beside the call.
struct ShimParts {
  /// Identifies the cuda-cc that is copied: version, size, time.
  std::string program;
  /// Files beside the compilers.
  std::vector<core::TreeEntry> entries;
};

/// What the disk has for a call.
struct Found {
  /// nvcc's, or the one that clang compiles CUDA with. \p isJudged: not of a clang that has headers
  /// alone.
  std::optional<core::Toolkit> toolkit;
  bool isJudged = false;
  std::vector<core::FoundHeader> headers;
  std::vector<core::FoundTorch> torchHeaders;
  /// Of a link by it, and where a record names it: the host compiler, unless it did not answer.
  std::optional<core::HostCompiler> host;
  /// Of nvcc: what it starts.
  NvccHost nvccHost;
  /// Of nvcc: its host calls are to lead through us.
  bool wantsShim = false;
  /// Nothing: none is wanted, or the compilers of the directory that the call is made in serve.
  std::optional<ShimParts> shim;
  /// Nothing: nothing is linked, or by a shim below nvcc.
  std::optional<LinkSurroundings> link;

  const core::Toolkit *judgedToolkit() const { return toolkit && isJudged ? &*toolkit : nullptr; }
  const core::HostCompiler *knownHost() const { return host ? &*host : nullptr; }
};

/// Reads only. \p place: for what is kept by content; null: there is none. Error: the toolkit of a
/// declared runtime could not be determined.
llvm::Expected<Found> find(System &system, cache::Store &store, const Call &call,
                           const core::Target &target, const std::string *place);

/// A finding stops the call: something is declared, and the mode is not `warn` or `off`.
bool isEnforced(const core::Target &target);
/// What of the runtime the link names.
plan::RuntimeUse runtimeUse(const Call &call, const core::Target &target,
                            llvm::ArrayRef<core::LinkedLibrary> libraries);
/// Toolkits of this machine, for fixes; searching for them is slow.
std::vector<core::FoundToolkit> nearbyToolkits(System &system);

} // namespace cudacc::pipeline
