// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/tables/lookup/Toolkits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace cudacc::resolve {

/// What a place, an environment or a lock, has that tells a CUDA line.
struct PlacePart {
  /// 0.0: it tells none.
  versions::CudaVersion line;
  /// The CUDA runtime, whose releases are the place's.
  bool isRuntime = false;
  llvm::StringRef dist;
  versions::Version version;
  /// Where it stands, for messages.
  std::string evidence;
};

/// A line that the place may stand for, and what says so.
struct PlaceLine {
  versions::CudaVersion line;
  /// Toolkit releases that have this version of the runtime; empty where no runtime tells.
  llvm::SmallVector<tables::ToolkitRelease, 4> releases;
  std::string evidence;
};

/// One per major, best evidence only: the runtime itself, else what \p torch was built for (its
/// line 0.0: there is none), else the lowest line of any part.
std::vector<PlaceLine> placeLines(llvm::ArrayRef<PlacePart> parts, const PlacePart &torch,
                                  const tables::UserTables *more = nullptr);

/// The line of \p found that satisfies the requirements. \p place is the requirement that named the
/// place. Error: none or several of them do.
llvm::Expected<PlaceLine> choose(llvm::ArrayRef<DeclaredRequirement> requirements,
                                 const DeclaredRequirement &place, llvm::ArrayRef<PlaceLine> found);

/// The release that a place has of a framework.
struct PlaceRelease {
  /// Nothing: it has none, or one of unknown number.
  std::optional<versions::Version> version;
  /// `torch 2.5.1`, `no torch`; and where that was read.
  std::string shown, where;
};
/// Every framework among the requirements, torch first, is there in a release that it allows.
llvm::Error checkReleases(
    llvm::ArrayRef<DeclaredRequirement> requirements,
    llvm::function_ref<llvm::Expected<PlaceRelease>(const DeclaredRequirement &)> releaseOf);

/// Torch as a place has it, with the label of its build; nothing: none, or not known.
void setTorch(core::Target &target, std::optional<versions::Version> torch);
void setLine(core::Target &target, const PlaceLine &line);

} // namespace cudacc::resolve
