// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/JointResolver.h"
#include "driver/resolve/FrameworkCandidates.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

/// The key of a requirement's group; empty for CUDA.
static llvm::StringRef groupOf(const DeclaredRequirement &requirement) {
  if (requirement.kind == RequirementKind::Torch || isThroughTorch(requirement))
    return "torch";
  return requirement.kind == RequirementKind::Framework ? requirement.framework.framework : "";
}

std::vector<ConstraintGroup> constraintGroupsOf(llvm::ArrayRef<DeclaredRequirement> requirements) {
  std::vector<ConstraintGroup> groups;
  llvm::SmallVector<llvm::StringRef, 2> names;
  for (const DeclaredRequirement &requirement : requirements)
    if (llvm::StringRef name = groupOf(requirement);
        !name.empty() && !llvm::is_contained(names, name))
      names.push_back(name);
  for (llvm::StringRef name : names) {
    ConstraintGroup &group = groups.emplace_back();
    llvm::copy_if(requirements, std::back_inserter(group.requirements),
                  [&](const DeclaredRequirement &requirement) {
                    llvm::StringRef own = groupOf(requirement);
                    return own.empty() || own == name;
                  });
  }
  if (groups.empty())
    groups.emplace_back().requirements.append(requirements.begin(), requirements.end());
  return groups;
}

static std::string asks(const RuntimeCandidate &candidate, const tables::Pin &pin) {
  std::string version =
      pin.floats ? (pin.spec.empty() ? ">=" + pin.floor : pin.spec).str() : pin.floor.str();
  return fmt::format("{} {} {}", candidate.describe(), pin.floats ? "needs" : "pins", version);
}

/// Whether two pins of a distribution are compatible: the older one must be a range that contains
/// the floor of the newer one.
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

static bool allowsLine(const RuntimeCandidate &candidate, CudaVersion line) {
  return candidate.line <= line && line <= candidate.newest;
}

std::optional<std::string> clash(const RuntimeCandidate &one, const RuntimeCandidate &other) {
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
  auto range = [](const RuntimeCandidate &candidate) {
    return fmt::format(
        "{} is for CUDA {}{}", candidate.describe(), candidate.line,
        candidate.line == candidate.newest ? "" : fmt::format(" to {}", candidate.newest));
  };
  return fmt::format("{}, {}", range(one), range(other));
}

/// Drops candidates of \p group that are compatible with none of \p other. If none is left, returns
/// the reason for the last one dropped.
static std::optional<std::string> keepFitting(ConstraintGroup &group,
                                              const ConstraintGroup &other) {
  std::optional<std::string> reason;
  llvm::erase_if(group.candidates, [&](const RuntimeCandidate &candidate) {
    std::optional<std::string> last;
    for (const RuntimeCandidate &each : other.candidates) {
      last = clash(candidate, each);
      if (!last)
        return false;
    }
    reason = last;
    return true;
  });
  return group.candidates.empty() ? reason : std::nullopt;
}

/// Raises line ranges to what the other groups need.
static void raiseLines(std::vector<ConstraintGroup> &groups) {
  CudaVersion line;
  for (const ConstraintGroup &group : groups) {
    CudaVersion least = group.candidates.front().line;
    for (const RuntimeCandidate &candidate : group.candidates)
      least = std::min(least, candidate.line);
    line = std::max(line, least);
  }
  for (ConstraintGroup &group : groups)
    for (RuntimeCandidate &candidate : group.candidates)
      if (allowsLine(candidate, line))
        candidate.line = candidate.newest = line;
}

std::optional<std::string> agree(std::vector<ConstraintGroup> &groups) {
  // Twice: an earlier group may have been compatible only with candidates that the first pass
  // dropped later.
  for (int pass = 0; pass < 2; ++pass)
    for (ConstraintGroup &group : groups)
      for (const ConstraintGroup &other : groups)
        if (&group != &other)
          if (auto reason = keepFitting(group, other))
            return reason;
  raiseLines(groups);
  return std::nullopt;
}

} // namespace cudacc::resolve
