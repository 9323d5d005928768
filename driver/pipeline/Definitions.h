// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/Installed.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudacc::pipeline {

/// The symbols that a file's dependencies outside NVIDIA's libraries define, direct and indirect.
/// The dependencies are read at the first query.
class Definitions {
public:
  /// Path that the process would load for a library name; std::nullopt if unknown.
  using PathOf = llvm::function_ref<std::optional<std::string>(llvm::StringRef name)>;

  /// True for libraries to skip, together with their dependencies.
  using PassesOver = llvm::function_ref<bool(llvm::StringRef name)>;

  /// Keeps references to all arguments.
  Definitions(core::Files &files, const core::BinaryFacts &facts, PathOf pathOf,
              PassesOver passesOver = nullptr)
      : files(files), exports(files), facts(facts), pathOf(pathOf), passesOver(passesOver) {}

  /// Unknown if no library that was read defines it and one could not be read.
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
