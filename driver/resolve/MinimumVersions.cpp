// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/MinimumVersions.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

/// The toolkit release that gives the versions of libraries that nothing pins: the named release,
/// or the first of the line.
static tables::ToolkitRelease floorOf(const RuntimeCandidate &candidate, bool named) {
  return named && candidate.toolkit ? *candidate.toolkit
                                    : *tables::firstRelease(candidate.line, candidate.more);
}

/// Keeps the libraries that both have, each in the older version. Both are ordered by SONAME.
static void weaken(std::vector<MinimumVersion> &so, const std::vector<tables::RuntimeLibrary> &next,
                   const RuntimeCandidate &candidate) {
  auto it = next.begin();
  llvm::erase_if(so, [&](MinimumVersion &each) {
    while (it != next.end() && it->soname < each.library.soname)
      ++it;
    if (it == next.end() || it->soname != each.library.soname)
      return true;
    if (it->folder != each.library.folder && !llvm::is_contained(each.otherFolders, it->folder))
      each.otherFolders.push_back(it->folder);
    if (tables::isOlder(*it, each.library)) {
      llvm::StringRef folder = each.library.folder;
      each.library = *it;
      each.library.folder = folder;
      each.candidate = &candidate;
    }
    return false;
  });
}

/// Whether both are torch builds with the same pins.
static bool isAlike(const RuntimeCandidate &candidate, const RuntimeCandidate &last) {
  return candidate.torch && last.torch && last.line == candidate.line &&
         candidate.build.pinsKnown && last.build.pinSet == candidate.build.pinSet;
}

std::vector<MinimumVersion> minimumVersionsOf(const CandidateSet &candidates, bool named) {
  std::vector<MinimumVersion> minimum;
  const RuntimeCandidate *last = nullptr;
  for (const RuntimeCandidate &candidate : candidates) {
    if (last && isAlike(candidate, *last))
      continue;
    auto libraries =
        tables::runtimeLibraries(floorOf(candidate, named), candidate.pins, candidate.more);
    if (!last) {
      minimum.reserve(libraries.size());
      for (const tables::RuntimeLibrary &library : libraries)
        minimum.push_back({library, &candidate, {}});
    } else {
      weaken(minimum, libraries, candidate);
    }
    last = &candidate;
    // The floor of a CUDA range is its lowest line (CN-2). All releases of a framework are
    // compared, since each has pins of its own.
    if (candidate.isCuda())
      break;
  }
  return minimum;
}

/// Whether \p one is at least as strict: a requirement with a version bound, else the newer
/// version, else any requirement instead of none, else an exact version instead of a floor.
static bool saysMore(const MinimumVersion &one, const MinimumVersion &other) {
  if (one.library.bounded != other.library.bounded)
    return one.library.bounded;
  if (tables::isOlder(one.library, other.library) || tables::isOlder(other.library, one.library))
    return tables::isOlder(other.library, one.library);
  if (one.library.pinned != other.library.pinned)
    return one.library.pinned;
  return !one.library.floats || other.library.floats;
}

std::vector<MinimumVersion> jointVersions(std::vector<MinimumVersion> one,
                                          std::vector<MinimumVersion> other) {
  std::vector<MinimumVersion> all;
  auto a = one.begin(), b = other.begin();
  while (a != one.end() || b != other.end()) {
    bool onlyA = b == other.end() || (a != one.end() && a->library.soname < b->library.soname);
    bool onlyB = a == one.end() || (!onlyA && b->library.soname < a->library.soname);
    if (onlyA || onlyB) {
      all.push_back(std::move(onlyA ? *a++ : *b++));
      continue;
    }
    all.push_back(std::move(saysMore(*a, *b) ? *a : *b));
    ++a, ++b;
  }
  return all;
}

/// The origin of a library whose version is that of the line, or of the named toolkit release.
static std::string toolkitOrigin(const RuntimeCandidate &candidate, bool named) {
  if (named && candidate.toolkit)
    return fmt::format("part of CUDA {}", *candidate.toolkit);
  return fmt::format("floor of CUDA {}", candidate.line);
}

static bool floats(const MinimumVersion &minimum) {
  return minimum.library.pinned ? minimum.library.floats : minimum.candidate->toolkitFloats;
}

static std::string originOf(const MinimumVersion &minimum, bool named) {
  const RuntimeCandidate &candidate = *minimum.candidate;
  if (!minimum.library.bounded) {
    std::string floor = toolkitOrigin(candidate, named);
    std::string doubt = candidate.extrapolated ? " (secondary source)" : "";
    return floats(minimum) ? fmt::format("floats in {}, {}{}", candidate.describe(), floor, doubt)
                           : floor;
  }
  std::string text = minimum.library.floats
                         ? fmt::format("floats in {}, floor", candidate.describe())
                         : "pinned by " + candidate.describe();
  if (minimum.library.confidence == tables::Confidence::Secondary)
    text += " (secondary source)";
  if (minimum.library.confidence == tables::Confidence::Unverified)
    text += " (unverified)";
  return text;
}

namespace {

/// Caches the text of each origin: there are few origins and many rows.
class Origins {
public:
  explicit Origins(bool named) : named(named) {}
  const std::string &of(const MinimumVersion &minimum) {
    for (const auto &[like, text] : known)
      if (like->candidate == minimum.candidate && like->library.pinned == minimum.library.pinned &&
          like->library.bounded == minimum.library.bounded &&
          like->library.floats == minimum.library.floats &&
          like->library.confidence == minimum.library.confidence)
        return text;
    return known.emplace_back(&minimum, originOf(minimum, named)).second;
  }

private:
  bool named;
  llvm::SmallVector<std::pair<const MinimumVersion *, std::string>, 4> known;
};

} // namespace

static void fill(TargetLibrary &row, const MinimumVersion &minimum, Origins &origins) {
  const tables::RuntimeLibrary &library = minimum.library;
  row.soname = library.soname;
  row.dist = library.dist;
  row.version = *Version::parse(library.version);
  row.cuda = library.cuda;
  row.floats = floats(minimum);
  row.origin = origins.of(minimum);
  row.folder = library.folder;
  for (llvm::StringRef folder : minimum.otherFolders)
    row.otherFolders.push_back(folder.str());
}

std::vector<TargetLibrary> rowsOf(llvm::ArrayRef<MinimumVersion> minimum, bool named) {
  std::vector<TargetLibrary> rows(minimum.size());
  Origins origins(named);
  for (auto [row, each] : llvm::zip(rows, minimum))
    fill(row, each, origins);
  return rows;
}

} // namespace cudacc::resolve
