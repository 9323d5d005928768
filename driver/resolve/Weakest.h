#pragma once

#include "driver/core/Target.h"
#include "driver/resolve/Worlds.h"
#include "driver/tables/lookup/Runtime.h"
#include <vector>

namespace cudacc::resolve {

/// The weakest version of a library so far, and the world that has it.
struct Weakest {
  tables::RuntimeLibrary library;
  const World *world = nullptr;
  llvm::SmallVector<llvm::StringRef, 0> otherFolders;
};

/// Of each library that all worlds have the oldest version, by soname. \p named: their toolkit
/// releases count, else the first of the line does. Refers to the worlds.
std::vector<Weakest> weakestOf(const Worlds &worlds, bool named);

/// What two frameworks bring that are installed together: of a library that both require the newer
/// version, which either allows.
std::vector<Weakest> together(std::vector<Weakest> one, std::vector<Weakest> other);

/// Rows of a target, each with where its version comes from.
std::vector<core::TargetLibrary> rowsOf(llvm::ArrayRef<Weakest> weakest, bool named);

} // namespace cudacc::resolve
