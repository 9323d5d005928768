// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/TorchRange.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace cudacc::versions {

/// `2.8` for 2.8.0, the first release of its minor.
static std::string bound(llvm::StringRef release) {
  if (release.count('.') == 2)
    release.consume_back(".0");
  return release.str();
}

bool TorchRange::any() const {
  return llvm::any_of(releases, [](const Release &each) { return each.has == Exported::Yes; });
}

bool TorchRange::includes(llvm::StringRef release) const {
  return llvm::any_of(releases, [&](const Release &each) {
    return each.release == release && each.has == Exported::Yes;
  });
}

/// `>=2.8,<2.12` for the releases from \p first to \p last.
static std::string interval(const TorchRange &range, size_t first, size_t last) {
  std::string text = ">=" + bound(range.releases[first].release);
  if (last + 1 != range.releases.size())
    return fmt::format("{},<{}", text, bound(range.releases[last + 1].release));
  return range.isStable ? text : fmt::format("{},<={}", text, range.releases[last].release);
}

std::string TorchRange::text() const {
  std::vector<std::string> intervals, unread;
  for (size_t at = 0; at != releases.size(); ++at) {
    if (releases[at].has == Exported::Unknown)
      unread.push_back(releases[at].release);
    if (releases[at].has != Exported::Yes)
      continue;
    size_t first = at;
    while (at + 1 != releases.size() && releases[at + 1].has == Exported::Yes)
      ++at;
    intervals.push_back(interval(*this, first, at));
  }
  std::string text = intervals.empty() ? "none" : llvm::join(intervals, " or ");
  return unread.empty() ? text : fmt::format("{} (not known: {})", text, llvm::join(unread, ", "));
}

std::string TorchRange::specifier() const {
  auto has = [](const Release &each) { return each.has == Exported::Yes; };
  auto first = llvm::find_if(releases, has);
  if (first == releases.end())
    return {};
  size_t last = releases.size();
  while (!has(releases[last - 1]))
    --last;
  std::string text = interval(*this, first - releases.begin(), last - 1);
  for (size_t i = first - releases.begin(); i != last; ++i)
    if (!has(releases[i]))
      text += ",!=" + releases[i].release;
  return text;
}

void TorchRange::meet(const TorchRange &other) {
  if (!other.known())
    return;
  if (!known()) {
    *this = other;
    return;
  }
  imports += other.imports;
  isStable &= other.isStable;
  std::vector<Release> both;
  for (const Release &each : releases) {
    auto its = llvm::find_if(other.releases,
                             [&](const Release &one) { return one.release == each.release; });
    Exported has = its == other.releases.end() ? Exported::Unknown : its->has;
    // No in either file means No, even if the other is Unknown.
    if (each.has == Exported::No || has == Exported::Yes)
      has = each.has;
    both.push_back({each.release, has});
  }
  releases = std::move(both);
}

} // namespace cudacc::versions
