#pragma once

#include "driver/commands/init/Project.h"
#include "driver/commands/init/Proposal.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::commands {

/// Declarations that a project speaks for, best first, lines not yet known: what its pyproject.toml
/// requires of a framework, then its \p locks (`uv.lock`), then \p environments (`env:.venv`, with
/// what each is). \p project may be null. A framework without a version, or for other systems
/// only, is passed over.
Proposal propose(const Project *project, llvm::ArrayRef<std::string> locks,
                 llvm::ArrayRef<std::pair<std::string, std::string>> environments);

} // namespace cudacc::commands
