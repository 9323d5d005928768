// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/SpecifierRelation.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::versions {

/// Sets change their answer only at the versions that their clauses name, right behind those, and
/// where a prefix ends.
static void addPoints(const SpecifierSet &set, std::vector<Version> &points) {
  for (const Specifier &clause : set.clauses) {
    Version at = clause.version;
    points.push_back(at);
    at = Version();
    at.epoch = clause.version.epoch;
    at.release = clause.version.release;
    points.push_back(at);
    for (size_t length = 1; length <= clause.version.release.size(); ++length) {
      Version end = at;
      end.release.resize(length);
      points.push_back(end);
      ++end.release.back();
      points.push_back(end);
    }
    // Right behind the version: more numbers, of which no clause names any.
    Version behind = at;
    behind.release.resize(behind.release.size() + 4);
    behind.release.push_back(1);
    points.push_back(behind);
  }
}

static std::vector<Version> pointsOf(const SpecifierSet &one, const SpecifierSet &other) {
  std::vector<Version> points;
  points.emplace_back().release = {0};
  addPoints(one, points);
  addPoints(other, points);
  return points;
}

bool overlap(const SpecifierSet &one, const SpecifierSet &other) {
  return llvm::any_of(pointsOf(one, other), [&](const Version &point) {
    return one.contains(point, /*pre=*/true) && other.contains(point, /*pre=*/true);
  });
}

bool implies(const SpecifierSet &narrow, const SpecifierSet &wide) {
  return llvm::none_of(pointsOf(narrow, wide), [&](const Version &point) {
    return narrow.contains(point, /*pre=*/true) && !wide.contains(point, /*pre=*/true);
  });
}

} // namespace cudacc::versions
