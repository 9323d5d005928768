// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Languages.h"
#include "driver/cli/Scanner.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudacc::core;
using llvm::StringRef;

namespace cudacc::cli {

/// True if \p file is compiled, false if it is passed to the linker.
bool Scanner::takeSource(StringRef file) {
  InputKind kind = kindOf(call.dialect, file, language);
  if (kind == InputKind::Link)
    return false;
  call.sources.push_back(file);
  call.cudaSources += kind == InputKind::Cuda;
  hasBarred |= kind == InputKind::Barred;
  hasHeader |= kind == InputKind::Header;
  hasRecordable |= kind == InputKind::Cuda || kind == InputKind::Source;
  return true;
}

void Scanner::finish() {
  call.dryRun |= seen(Action::DryRun);
  call.verbose |= call.dryRun;
  call.shared = seen(Action::Shared);
  call.staticLink = seen(Action::Static);
  call.nostdinc = seen(Action::NoStdInc);
  call.nostdlib = seen(Action::NoStdLib);
  call.freestanding = call.nostdlib || seen(Action::Freestanding);
  call.needsForwarding &= !seen(Action::Forward);
  if (call.dialect == Dialect::Nvcc) {
    llvm::erase_if(call.linkInputs, [&](const LinkInput &input) {
      return input.kind == LinkInput::Kind::File && !input.shared && takeSource(input.text);
    });
    call.kind = nvccKind();
  } else {
    call.kind = hostKind();
  }
  call.takesRecord = mayTakeRecord();
  call.lacksPhonyTargets = seen(Action::Depfile) && !seen(Action::PhonyTargets);
  call.hostLacksPhonyTargets = hostDepfile && !hostPhonyTargets;
  call.namesHeaders = seen(Action::NamesHeaders);
}

/// CMake queries nvcc's settings with `-v __cmake_determine_cuda`, a file that does not exist (R2).
bool Scanner::onlyCmakesProbe() const {
  return call.sources.empty() && call.linkInputs.size() == 1 &&
         call.linkInputs[0].text == "__cmake_determine_cuda" &&
         !files.stat(call.linkInputs[0].text).exists();
}

/// If several phases are requested, nvcc takes the earliest (13.0.88).
CallKind Scanner::nvccKind() const {
  bool hasFile = !call.sources.empty();
  for (const LinkInput &input : call.linkInputs)
    hasFile |= input.kind == LinkInput::Kind::File && !input.shared;
  if (seen(Action::Probe) || nestedProbe || call.dryRun || !hasFile || onlyCmakesProbe())
    return CallKind::Probe;
  if (seen(Action::Run))
    return CallKind::Run;
  if (seen(Action::Preprocess))
    return CallKind::Preprocess;
  if (seen(Action::NoObject) || seen(Action::Compile))
    return CallKind::Compile;
  if (seen(Action::DeviceLink))
    return CallKind::DeviceLink;
  if (seen(Action::Archive))
    return CallKind::Archive;
  return seen(Action::Relocatable) ? CallKind::RelocatableLink : CallKind::Link;
}

CallKind Scanner::hostKind() const {
  bool hasInput = !call.sources.empty() || !call.linkInputs.empty();
  if (seen(Action::Probe) || nestedProbe || call.dryRun || !hasInput)
    return CallKind::Probe;
  if (seen(Action::Preprocess))
    return CallKind::Preprocess;
  if (seen(Action::NoObject) || seen(Action::Compile))
    return CallKind::Compile;
  if (seen(Action::Archive))
    return CallKind::Archive;
  // Headers alone are compiled to a precompiled header, and nothing is linked.
  if (hasHeader && !hasBarred && !hasRecordable && call.linkInputs.empty())
    return CallKind::Compile;
  return seen(Action::Relocatable) ? CallKind::RelocatableLink : CallKind::Link;
}

bool Scanner::mayTakeRecord() const {
  bool compiles = call.kind == CallKind::Compile || call.kind == CallKind::Link ||
                  call.kind == CallKind::RelocatableLink || call.kind == CallKind::Archive;
  return compiles && hasRecordable && !hasBarred && !hasHeader && !seen(Action::NoObject) &&
         !seen(Action::ModuleUnit) && !seen(Action::NamesCommand);
}

} // namespace cudacc::cli
