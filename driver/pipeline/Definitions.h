// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/Installed.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudacc::pipeline {

/// What the dependencies of a file that are none of NVIDIA's define, theirs included. They are read
/// once a name is asked for.
class Definitions {
public:
  /// Path of a library of that name, as the process has it; nothing: not known.
  using PathOf = llvm::function_ref<std::optional<std::string>(llvm::StringRef name)>;

  /// Whether the libraries of a name are passed over, with what they lead to.
  using PassesOver = llvm::function_ref<bool(llvm::StringRef name)>;

  /// All are referred to.
  Definitions(core::Files &files, const core::BinaryFacts &facts, PathOf pathOf,
              PassesOver passesOver = nullptr)
      : files(files), exports(files), facts(facts), pathOf(pathOf), passesOver(passesOver) {}

  /// Unknown: none that was read defines it, and one could not be read.
  versions::Exported operator()(llvm::StringRef symbol);

private:
  core::Files &files;
  Installed exports;
  const core::BinaryFacts &facts;
  PathOf pathOf;
  PassesOver passesOver;
  std::vector<core::TargetLibrary> libraries;
  bool isRead = false, isComplete = true;

  void read();
};

} // namespace cudacc::pipeline
