// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/policy/devicelink/ChooseLinker.h"
#include "driver/versions/Arch.h"

namespace cudacc::commands {

enum class LinkEmit : uint8_t { Cubin, Ptx, LtoIr, Fatbin };
/// `cubin`, as in `--emit`.
llvm::StringRef str(LinkEmit emit);

struct LinkArguments : Arguments {
  /// All options but `--for`, in order, with their values.
  std::vector<std::pair<std::string, std::string>> kept;
};

/// The command line of `cuda-cc link`.
struct LinkRequest {
  /// Files; `-` is stdin.
  std::vector<std::string> inputs;
  /// `-` is stdout. Empty: not given, see outputOf().
  std::string output;
  /// As given; empty: what the inputs have in common.
  std::vector<versions::Arch> archs;
  LinkEmit emit = LinkEmit::Cubin;
  bool lto = false, explains = false, times = false;
  std::optional<policy::LinkBackend> backend;
  policy::LinkPolicy policy = policy::LinkPolicy::DirectionAware;
  /// The other options as nvJitLink spells them, without `-arch`, `-lto` and `-ptx`.
  std::vector<std::string> options;
  /// As the user wrote them: options that the driver does not have, and that it ignores.
  std::vector<std::string> onlyNvJitLink, ignoredByDriver;
};

/// Whether the driver ignores an option of LinkRequest::options (LD-9).
bool isIgnoredByDriver(llvm::StringRef option);

/// Sets the architectures to link for. Several have one file in common, a fatbin. Errors: Usage,
/// for an output that holds one architecture only.
llvm::Error setArchs(LinkRequest &request, std::vector<versions::Arch> archs);
/// `output`, else `a.cubin` and so on, by what is written.
std::string outputOf(const LinkRequest &request);

/// Errors: Usage.
llvm::Expected<LinkRequest> readLinkRequest(const LinkArguments &arguments);

} // namespace cudacc::commands
