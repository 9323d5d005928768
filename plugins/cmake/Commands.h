// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "plugins/buildsys/Calls.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// Lines for sh, as a generator wrote them, into the model's commands: those that start a compiler
/// for CUDA or link. Targets that no description names are added to the model.
class Commands {
public:
  Commands(core::Files &files, audit::BuildModel &model);

  struct From {
    /// Where the line is run, absolute.
    llvm::StringRef directory;
    /// The target that the line is known to belong to; empty: its words tell.
    llvm::StringRef target;
    llvm::StringRef configuration;
    /// It is a rule of the generator's: what links in it links the target.
    bool isRule = false;
    /// It is the script that links `target`.
    bool isScript = false;
  };
  /// Response files of which nothing is left after the build stay what they are.
  llvm::Error add(llvm::StringRef line, const From &from);

  /// Lines with commands of the project whose target nobody knows.
  std::vector<std::string> unplaced() const;
  /// Such a line belongs to the target that makes \p output, absolute, if there is one.
  void place(llvm::StringRef line, llvm::StringRef output);

private:
  audit::BuildModel &model;
  buildsys::Calls calls;
  /// Targets by `configuration` 0 `name`, by artefact, and by what their own commands make.
  llvm::StringMap<size_t> byName, byArtefact, byGenerated;
  /// By line: commands without target.
  llvm::StringMap<std::vector<size_t>> lost;

  void index(size_t target);
  bool mayMatter(llvm::StringRef line) const;
  llvm::Error addCommand(std::vector<std::string> words, const From &from);
  void place(audit::Command &command, llvm::ArrayRef<std::string> words, const From &from);
  std::optional<size_t> linkedBy(const audit::Command &command, const From &from) const;
  size_t targetNamed(llvm::StringRef name, llvm::StringRef configuration);
};

} // namespace cudacc::cmake
