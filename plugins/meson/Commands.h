// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "plugins/buildsys/Calls.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace cudacc::meson {

/// Adds the shell lines that Meson wrote for Ninja to the commands of a model whose targets are
/// described: those that start a compiler for CUDA, or link.
class MesonCommands {
public:
  MesonCommands(core::Files &files, audit::BuildModel &model);
  llvm::Error add(llvm::StringRef line);

private:
  audit::BuildModel &model;
  buildsys::Calls calls;
  llvm::StringMap<size_t> byArtefact;

  bool mayMatter(llvm::StringRef line) const;
  std::optional<size_t> ownerOf(llvm::StringRef path) const;
  bool isRule(std::optional<size_t> target) const;
  llvm::Error addCommand(std::vector<std::string> words);
};

} // namespace cudacc::meson
