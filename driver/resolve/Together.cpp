#include "driver/resolve/Together.h"
#include "driver/resolve/FrameworkWorlds.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

/// What keeps the wishes of one framework together; empty: a wish for CUDA.
static llvm::StringRef sideOf(const Wish &wish) {
  if (wish.form == Form::Torch || isThroughTorch(wish))
    return "torch";
  return wish.form == Form::Framework ? wish.framework.framework : "";
}

std::vector<Side> sidesOf(llvm::ArrayRef<Wish> wishes) {
  std::vector<Side> sides;
  llvm::SmallVector<llvm::StringRef, 2> names;
  for (const Wish &wish : wishes)
    if (llvm::StringRef name = sideOf(wish); !name.empty() && !llvm::is_contained(names, name))
      names.push_back(name);
  for (llvm::StringRef name : names) {
    Side &side = sides.emplace_back();
    llvm::copy_if(wishes, std::back_inserter(side.wishes), [&](const Wish &wish) {
      llvm::StringRef own = sideOf(wish);
      return own.empty() || own == name;
    });
  }
  if (sides.empty())
    sides.emplace_back().wishes.append(wishes.begin(), wishes.end());
  return sides;
}

static std::string asks(const World &world, const tables::Pin &pin) {
  std::string version =
      pin.floats ? (pin.spec.empty() ? ">=" + pin.floor : pin.spec).str() : pin.floor.str();
  return fmt::format("{} {} {}", world.describe(), pin.floats ? "needs" : "pins", version);
}

/// The newer floor, or the exact version, has to suit the other.
static bool suit(const tables::Pin &one, const tables::Pin &other) {
  auto a = Version::parse(one.floor), b = Version::parse(other.floor);
  if (!a || !b || *a == *b)
    return true;
  const tables::Pin &older = *a < *b ? one : other;
  if (!older.floats)
    return false;
  auto set = SpecifierSet::parse(older.spec);
  return !set || set->contains(*a < *b ? *b : *a);
}

static bool allowsLine(const World &world, CudaVersion line) {
  return world.line <= line && line <= world.newest;
}

std::optional<std::string> clash(const World &one, const World &other) {
  if (one.line.major != other.line.major)
    return fmt::format("{} is CUDA {}, {} is CUDA {}", one.describe(), one.line.major,
                       other.describe(), other.line.major);
  for (const tables::Pin &pin : one.pins)
    for (const tables::Pin &its : other.pins)
      if (pin.dist == its.dist && !suit(pin, its))
        return fmt::format("{}: {}, {}", pin.dist, asks(one, pin), asks(other, its));
  bool fixed = one.line == one.newest && other.line == other.newest;
  CudaVersion line = std::max(one.line, other.line);
  if (fixed || (allowsLine(one, line) && allowsLine(other, line)))
    return std::nullopt;
  auto range = [](const World &world) {
    return fmt::format("{} is for CUDA {}{}", world.describe(), world.line,
                       world.line == world.newest ? "" : fmt::format(" to {}", world.newest));
  };
  return fmt::format("{}, {}", range(one), range(other));
}

/// Drops of \p side what goes with nothing of \p other. The reason of the last that was dropped.
static std::optional<std::string> keepFitting(Side &side, const Side &other) {
  std::optional<std::string> reason;
  llvm::erase_if(side.worlds, [&](const World &world) {
    std::optional<std::string> last;
    for (const World &each : other.worlds) {
      last = clash(world, each);
      if (!last)
        return false;
    }
    reason = last;
    return true;
  });
  return side.worlds.empty() ? reason : std::nullopt;
}

/// A line that floats is as new as the others need it.
static void settleLine(std::vector<Side> &sides) {
  CudaVersion line;
  for (const Side &side : sides) {
    CudaVersion least = side.worlds.front().line;
    for (const World &world : side.worlds)
      least = std::min(least, world.line);
    line = std::max(line, least);
  }
  for (Side &side : sides)
    for (World &world : side.worlds)
      if (allowsLine(world, line))
        world.line = world.newest = line;
}

std::optional<std::string> agree(std::vector<Side> &sides) {
  // Twice: what the first pass drops from a later side may have been all that an earlier one fits.
  for (int pass = 0; pass < 2; ++pass)
    for (Side &side : sides)
      for (const Side &other : sides)
        if (&side != &other)
          if (auto reason = keepFitting(side, other))
            return reason;
  settleLine(sides);
  return std::nullopt;
}

} // namespace cudacc::resolve
