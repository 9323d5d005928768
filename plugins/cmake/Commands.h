// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "plugins/buildsys/Calls.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::cmake {

/// Adds the shell lines that a generator wrote to the model's commands: those that start a compiler
/// for CUDA, or link. Targets without a description are added to the model.
class CMakeCommands {
public:
  CMakeCommands(core::Files &files, audit::BuildModel &model);

  struct From {
    /// Directory that the line runs in, absolute.
    llvm::StringRef directory;
    /// The target of the line if known; empty to determine it from the words.
    llvm::StringRef target;
    llvm::StringRef configuration;
    /// A rule of the generator, whose links make the target.
    bool isRule = false;
    /// The script that links `target`.
    bool isScript = false;
  };
  /// Words naming response files that no longer exist after the build stay unexpanded.
  llvm::Error add(llvm::StringRef line, const From &from);

  /// Lines of custom commands whose target is unknown.
  std::vector<std::string> unplaced() const;
  /// Assigns such a line to the target that makes \p output (absolute), if there is one.
  void place(llvm::StringRef line, llvm::StringRef output);

private:
  audit::BuildModel &model;
  buildsys::Calls calls;
  /// Targets by `configuration` NUL `name`, by artefact, and by outputs of their custom commands.
  llvm::StringMap<size_t> byName, byArtefact, byGenerated;
  /// Commands without a target, by line.
  llvm::StringMap<std::vector<size_t>> lost;

  void index(size_t target);
  bool mayMatter(llvm::StringRef line) const;
  llvm::Error addCommand(std::vector<std::string> words, const From &from);
  void place(audit::BuildCommand &command, llvm::ArrayRef<std::string> words, const From &from);
  std::optional<size_t> linkedBy(const audit::BuildCommand &command, const From &from) const;
  size_t targetNamed(llvm::StringRef name, llvm::StringRef configuration);
};

} // namespace cudacc::cmake
