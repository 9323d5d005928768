#pragma once

#include "driver/core/Project.h"
#include "driver/core/Proposal.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// Declarations that a project speaks for, best first, lines not yet known: what its pyproject.toml
/// requires of a framework, then its \p locks (`uv.lock`), then \p environments (`env:.venv`, with
/// what each is). \p project may be null. A framework without a version, or for other systems
/// only, is passed over.
core::Proposal propose(const core::Project *project, llvm::ArrayRef<std::string> locks,
                       llvm::ArrayRef<std::pair<std::string, std::string>> environments);

} // namespace cudacc::policy
