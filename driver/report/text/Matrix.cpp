// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Check.h"
#include "driver/report/text/CheckParts.h"
#include "driver/support/Demangled.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

namespace cudacc::report {

using core::Judgement;

namespace {

/// A runtime and the worst judgement on it.
struct Release {
  /// `torch`, `2.5.1`. The name is empty if the runtime is not a single release.
  llvm::StringRef name, version;
  const Judgement *worst = nullptr;
  /// Total of all files.
  size_t warnings = 0;
  core::LeastDriver driver;
  /// Requirements in the metadata that exclude the runtime. Empty if there are none.
  std::vector<std::string> excludedBy;
};

/// Adjacent releases of one name with equal content.
struct Row {
  const Release *first = nullptr, *last = nullptr;
  std::string verdict, driver, missing;
};

} // namespace

static size_t warningsOf(const Judgement &judgement) {
  return llvm::count_if(judgement.verdict.findings, [](const core::Finding &finding) {
    return finding.severity == core::Severity::Warning;
  });
}

/// Sets \p least to the newer of two driver versions.
static void raise(std::string &least, const std::string &other) {
  auto has = versions::Version::parse(least), asked = versions::Version::parse(other);
  if (asked && (!has || *has < *asked))
    least = other;
}

static void addTo(Release &release, const Judgement &judgement) {
  release.warnings += warningsOf(judgement);
  raise(release.driver.code, judgement.driver.code);
  raise(release.driver.ptx, judgement.driver.ptx);
  release.driver.isa = std::max(release.driver.isa, judgement.driver.isa);
  for (const std::string &each : judgement.excludedBy)
    if (!llvm::is_contained(release.excludedBy, each))
      release.excludedBy.push_back(each);
}

static std::vector<Release> releasesOf(llvm::ArrayRef<Judgement> judgements) {
  std::vector<Release> releases;
  for (const Judgement &judgement : judgements) {
    auto same = llvm::find_if(releases, [&](const Release &release) {
      return release.worst->runtime == judgement.runtime;
    });
    if (same != releases.end()) {
      if (badness(judgement.verdict.outcome()) > badness(same->worst->verdict.outcome()))
        same->worst = &judgement;
      addTo(*same, judgement);
      continue;
    }
    auto [name, version] = llvm::StringRef(judgement.runtime).split("==");
    releases.push_back({name, version, &judgement, 0, {}, {}});
    addTo(releases.back(), judgement);
  }
  return releases;
}

/// Columns for a name in a table; JSON and the lines of a single file have all of it.
static constexpr size_t widestName = 48;

/// \p skip is set for several files: the length of the path prefix that was printed before.
static std::string missing(const Judgement &judgement, std::optional<size_t> skip) {
  const core::Finding *finding = decisive(judgement.verdict);
  if (!finding)
    return {};
  std::string text = support::shortName(finding->symbol, widestName);
  if (text.empty())
    text = messageOf(*finding);
  return printable(text) + (skip ? fmt::format(" ({})", subject(judgement, *skip)) : "");
}

static std::string verdictOf(const Release &release) {
  std::string text = core::str(release.worst->verdict.outcome());
  if (release.warnings)
    text += ", " + count(release.warnings, "warning");
  if (!release.excludedBy.empty())
    text += ", not by its metadata";
  return text;
}

static std::string branchOf(llvm::StringRef driver) { return driver.split('.').first.str(); }

/// The driver branches: `525`, `525, 575 for PTX`.
static std::string driverOf(const Release &release) {
  std::string text = branchOf(release.driver.code), ptx = branchOf(release.driver.ptx);
  if (release.driver.isa.known() && ptx.empty())
    return fmt::format("{}{}? for PTX", text, text.empty() ? "" : ", ");
  unsigned code = 0, its = 0;
  llvm::StringRef(text).getAsInteger(10, code);
  llvm::StringRef(ptx).getAsInteger(10, its);
  return its > code ? fmt::format("{}{}{} for PTX", text, text.empty() ? "" : ", ", ptx) : text;
}

/// \p byLine: do not merge rows of different CUDA lines. Not needed if the line is the version.
static std::vector<Row> rowsOf(llvm::ArrayRef<Release> releases, std::optional<size_t> skip,
                               bool byLine) {
  std::vector<Row> rows;
  for (const Release &release : releases) {
    std::string text = missing(*release.worst, skip), verdict = verdictOf(release);
    if (text.empty() && !release.excludedBy.empty())
      text = "it asks for " + printable(llvm::join(release.excludedBy, ", "));
    std::string driver = driverOf(release);
    const Row *last = rows.empty() ? nullptr : &rows.back();
    bool same = last && last->missing == text && last->verdict == verdict &&
                last->driver == driver &&
                (!byLine || last->first->worst->line == release.worst->line);
    if (same)
      rows.back().last = &release;
    else
      rows.push_back({&release, &release, std::move(verdict), std::move(driver), std::move(text)});
  }
  return rows;
}

static std::string tableOf(llvm::StringRef name, llvm::ArrayRef<Release> releases,
                           std::optional<size_t> skip, Style style) {
  bool isLine = name == "cuda";
  std::vector<Row> rows = rowsOf(releases, skip, !isLine);
  bool hasDrivers = llvm::any_of(rows, [](const Row &row) { return !row.driver.empty(); });
  std::vector<std::vector<std::string>> cells;
  cells.push_back({isLine ? "CUDA" : printable(name)});
  if (!isLine)
    cells.back().push_back("CUDA");
  if (hasDrivers)
    cells.back().push_back("driver");
  cells.back().insert(cells.back().end(), {"verdict", "first missing name"});
  for (const Row &row : rows) {
    std::string versions = printable(row.first->version);
    if (row.last != row.first)
      versions += " to " + printable(row.last->version);
    cells.push_back({versions});
    versions::CudaVersion line = row.first->worst->line;
    if (!isLine)
      cells.back().push_back(line.known() ? line.str() : "?");
    if (hasDrivers)
      cells.back().push_back(row.driver);
    cells.back().push_back(row.verdict);
    cells.back().push_back(row.missing);
  }
  std::string text = table(cells, indent);
  return paintedTable(text, true, text.find("verdict"), style);
}

/// What the file needs; the same on every runtime of its CUDA major.
static std::string headline(llvm::ArrayRef<Judgement> judgements, size_t runtimes,
                            bool severalFiles, const MetadataLines &metadata) {
  if (severalFiles)
    return fmt::format("{} against {}: {}", count(judgements.size() / runtimes, "file"),
                       count(runtimes, "runtime"), counts(judgements));
  const Judgement *known = &judgements.front();
  for (const Judgement &judgement : judgements)
    if (known->floor.empty() && !judgement.floor.empty())
      known = &judgement;
  // Equal for all runtimes.
  std::vector<std::string> floors = floorTexts(known->floor);
  if (!metadata.torch.empty())
    floors.push_back("torch " + metadata.torch);
  if (!floors.empty())
    return fmt::format("{} needs {}", subject(*known), llvm::join(floors, ", "));
  return fmt::format("{} against {}: {}", subject(*known), count(runtimes, "runtime"),
                     counts(judgements));
}

/// A table for each name: torch, cuda.
static std::string tablesOf(llvm::ArrayRef<Release> releases, std::optional<size_t> skip,
                            Style style) {
  std::string out;
  for (llvm::ArrayRef<Release> left = releases; !left.empty();) {
    llvm::StringRef name = left.front().name;
    size_t length = 1;
    while (length != left.size() && left[length].name == name)
      ++length;
    out += tableOf(name, left.take_front(length), skip, style);
    left = left.drop_front(length);
  }
  return out;
}

/// Lines below the tables: requirements for the metadata, and those it already has.
static std::string metadataText(const MetadataLines &metadata) {
  std::string out;
  // This case appears neither in the headline nor in the requirements.
  if (!metadata.noTorch.empty())
    out += fmt::format("{:{}}torch: {}\n", "", indent, metadata.noTorch);
  for (const std::string &text : metadata.higher)
    out += fmt::format("  metadata asks for more: {}\n", printable(text));
  for (const std::string &text : metadata.requirements)
    out += fmt::format("Requires-Dist: {}\n", printable(text));
  return out;
}

std::string matrix(llvm::ArrayRef<Judgement> judgements, Style style,
                   const MetadataLines &metadata) {
  if (judgements.empty())
    return {};
  bool severalFiles = llvm::any_of(judgements, [&](const Judgement &each) {
    bool sameGroup = !each.alternatives.empty() && each.alternatives == judgements[0].alternatives;
    return each.path != judgements[0].path && !sameGroup;
  });
  std::vector<Release> releases = releasesOf(judgements);
  std::string out =
      wrapped(headline(judgements, releases.size(), severalFiles, metadata), 0, indent) + "\n";
  std::optional<size_t> skip;
  if (severalFiles) {
    llvm::StringRef folder = commonFolder(judgements);
    skip = folder.size();
    if (!folder.empty())
      out += fmt::format("  in {}\n", printable(folder));
  }
  return out + tablesOf(releases, skip, style) + metadataText(metadata);
}

std::string releaseTables(llvm::ArrayRef<Judgement> judgements, Style style) {
  return tablesOf(releasesOf(judgements), {}, style);
}

} // namespace cudacc::report
