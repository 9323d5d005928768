#pragma once

#include "driver/resolve/Forms.h"
#include "driver/tables/lookup/Toolkits.h"
#include "llvm/ADT/ArrayRef.h"
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

/// Every `cuda` requirement among the wishes holds for the line. A component serves several
/// releases: where one is named, one of them has to be it.
bool satisfies(llvm::ArrayRef<Wish> wishes, const PlaceLine &place);

/// Which of its lines a place stands for.
struct PlaceChoice {
  /// Those that satisfy the wishes; one is the answer.
  std::vector<PlaceLine> good;
  /// Where none or several do: what the place has, a fact per line.
  std::vector<core::Fact> has;
};
PlaceChoice choose(llvm::ArrayRef<Wish> wishes, llvm::ArrayRef<PlaceLine> found);

} // namespace cudacc::resolve
