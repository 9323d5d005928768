#pragma once

#include "driver/resolve/Worlds.h"
#include <optional>
#include <vector>

/// Frameworks that are installed beside each other: one process has one copy of each library, and
/// an installer chooses it so that it suits all of them.
namespace cudacc::resolve {

/// A framework that was declared, with everything that is said about it and about CUDA.
struct Side {
  llvm::SmallVector<Wish, 2> wishes;
  Worlds worlds;
};

/// The wishes by framework, in the order of the declaration; a framework that requires torch stands
/// with torch. One side where there is one framework or none. Their worlds are not filled in.
std::vector<Side> sidesOf(llvm::ArrayRef<Wish> wishes);

/// Why two worlds cannot be installed together: "nvidia-cudnn-cu12: torch 2.5.1 pins 9.1.0.70, jax
/// 0.6.0 needs >=9.8,<10.0"; nothing: they can.
std::optional<std::string> clash(const World &one, const World &other);

/// Leaves of each side the worlds that go with one of every other side; a line that floats becomes
/// the oldest that all allow. The sides that have nothing in common are emptied; what says so is
/// the reason.
std::optional<std::string> agree(std::vector<Side> &sides);

} // namespace cudacc::resolve
