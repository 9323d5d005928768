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

/// A part of an environment or a lock file (a "place") that may determine its CUDA line.
struct PlacePart {
  /// 0.0 if it determines none.
  versions::CudaVersion line;
  /// It is the CUDA runtime, whose version determines the toolkit release.
  bool isRuntime = false;
  llvm::StringRef dist;
  versions::Version version;
  /// Where it was found, for messages.
  std::string evidence;
};

/// A CUDA line that the place may have, and the evidence for it.
struct PlaceLine {
  versions::CudaVersion line;
  /// Toolkit releases that contain this version of the runtime; empty if the line is not from a
  /// runtime.
  llvm::SmallVector<tables::ToolkitRelease, 4> releases;
  std::string evidence;
  /// The distributions of that major, in the order of the parts.
  std::vector<std::string> dists = {};
};

/// One line per major, from the best evidence only: the runtime itself, else what \p torch was
/// built for (its line is 0.0 if there is no torch), else the lowest line of any part.
std::vector<PlaceLine> placeLines(llvm::ArrayRef<PlacePart> parts, const PlacePart &torch,
                                  const tables::UserTables *more = nullptr);

/// The line of \p found that satisfies the requirements. \p place: the requirement that names the
/// place. Errors: none or several of them do.
llvm::Expected<PlaceLine> choose(llvm::ArrayRef<DeclaredRequirement> requirements,
                                 const DeclaredRequirement &place, llvm::ArrayRef<PlaceLine> found);

/// The release of a framework in a place.
struct PlaceRelease {
  /// std::nullopt if it has none, or one of unknown version.
  std::optional<versions::Version> version;
  /// `torch 2.5.1` or `no torch`, and where that was read.
  std::string shown, where;
};
/// Checks that the place has every required framework in a release that its requirement allows,
/// torch first.
llvm::Error checkReleases(
    llvm::ArrayRef<DeclaredRequirement> requirements,
    llvm::function_ref<llvm::Expected<PlaceRelease>(const DeclaredRequirement &)> releaseOf);

/// Sets the target's torch, with the label of its build; std::nullopt if there is none or it is not
/// known.
void setTorch(core::Target &target, std::optional<versions::Version> torch);
void setLine(core::Target &target, const PlaceLine &line);

} // namespace cudacc::resolve
