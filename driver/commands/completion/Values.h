// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/completion/Complete.h"

namespace cudacc::commands {

/// Adds the values that \p word may have, which begins at \p offset of the word being typed.
/// \p before stands in front of each: `--layout=`. \p kinds: see OptionInfo::values. Kinds are REQ
/// (a requirement), SM (a GPU architecture), CODE, CODE=SEVERITY, LIB, SUBCOMMAND, and names that
/// the shell completes: FILE, PATH, DIR, PROGRAM, HTML and BINARY (what `check` takes).
class Values {
public:
  Values(pipeline::System &system, const Arguments &arguments, Completions &out)
      : system(system), arguments(arguments), out(out) {}
  void add(llvm::StringRef kinds, llvm::StringRef before, llvm::StringRef word);

private:
  pipeline::System &system;
  const Arguments &arguments;
  Completions &out;

  void addKind(llvm::StringRef kind, llvm::StringRef before, llvm::StringRef word);
  bool addNames(llvm::StringRef kind, size_t offset);
  void addRequirements(llvm::StringRef before, llvm::StringRef word);
  void addReleases(llvm::StringRef before, llvm::StringRef name);
  void put(llvm::StringRef before, llvm::StringRef value, llvm::StringRef meaning = "");
};

/// What the help page of a subcommand says about an option. Empty if it says nothing.
std::string meaningOf(llvm::StringRef tool, llvm::StringRef option);

} // namespace cudacc::commands
