#include "driver/commands/target/TargetDiffText.h"
#include "driver/report/text/TargetTable.h"

namespace cudacc::commands {

using namespace report;

static std::string counted(size_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + (count == 1 ? what.str() : what.drop_back().str() + "ies");
}

/// "the same: CUDA 12.4, 24 libraries", "12 of 25 libraries differ, 1 only in A; CUDA 12.4 and
/// 12.6".
static std::string summary(const core::Target &a, const TargetDiff &diff) {
  if (diff.equal())
    return "the same: CUDA " + (a.line.known() ? a.line.str() : "unknown") + ", " +
           counted(diff.same, "library");
  size_t onlyA = 0, onlyB = 0;
  for (const LibraryDiff &each : diff.libraries) {
    onlyA += !each.b;
    onlyB += !each.a;
  }
  size_t both = diff.libraries.size() - onlyA - onlyB;
  std::string out = "different: " + std::to_string(both) + " of " +
                    counted(both + diff.same, "library") + " that both have";
  if (onlyA)
    out += ", " + std::to_string(onlyA) + " only in A";
  if (onlyB)
    out += ", " + std::to_string(onlyB) + " only in B";
  // All are below; what no library shows, too.
  for (const SettingDiff &each : diff.settings)
    if (each.name == "CUDA" || diff.libraries.empty())
      out += "; " + each.name + " " + (each.a.empty() ? "unknown" : printable(each.a)) + " and " +
             (each.b.empty() ? "unknown" : printable(each.b));
  return out;
}

static std::string versionOf(const core::TargetLibrary *row) {
  if (!row)
    return "none";
  std::string version = row->version.release.empty() ? "unknown" : row->version.str();
  return printable((row->floats ? ">=" : "") + version);
}

/// What a pair of equal versions does not show.
static std::string beside(const LibraryDiff &each) {
  if (!each.a || !each.b)
    return each.a ? "only in A" : "only in B";
  if (each.a->dist != each.b->dist)
    return printable(each.a->dist + " and " + each.b->dist);
  if (each.a->folder != each.b->folder)
    return printable(each.a->folder + " and " + each.b->folder);
  return "";
}

std::string targetDiffText(const core::Target &a, const core::Target &b, const TargetDiff &diff,
                           Style style) {
  std::string out = summary(a, diff) + "\n";
  out += "  A: " + wrapped(targetHead(a), 5, 5) + "\n";
  out += "  B: " + wrapped(targetHead(b), 5, 5) + "\n";
  if (diff.equal())
    return out;
  std::vector<std::vector<std::string>> rows = {{"", "A", "B", ""}};
  for (const SettingDiff &each : diff.settings)
    rows.push_back({each.name, each.a.empty() ? "none" : printable(each.a),
                    each.b.empty() ? "none" : printable(each.b), ""});
  for (const LibraryDiff &each : diff.libraries)
    rows.push_back({printable(each.soname), versionOf(each.a), versionOf(each.b), beside(each)});
  std::string text = table(rows, 2);
  auto [head, body] = llvm::StringRef(text).split('\n');
  return out + painted(head, Paint::Dim, style) + "\n" + body.str();
}

} // namespace cudacc::commands
