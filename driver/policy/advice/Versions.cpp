// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Versions.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"

namespace cudacc::policy {

using versions::Version;

static Version versionAt(const tables::SymbolTable &table, size_t index) {
  return Version::parse(table.at(index).version).value_or(Version{});
}

std::string shortFrom(const tables::SymbolTable &table, size_t index) {
  Version whole = versionAt(table, index);
  if (whole.post || whole.isPreRelease())
    return whole.str();
  Version text;
  for (uint64_t part : whole.release) {
    text.release.push_back(part);
    if (text.release.size() >= 2 && (index == 0 || versionAt(table, index - 1) < text))
      break;
  }
  return text.str();
}

/// The ranges in which \p holds returns true.
static VersionRuns runsWhere(const tables::SymbolTable &table,
                             llvm::function_ref<bool(size_t)> holds) {
  VersionRuns runs;
  for (size_t i = 0; i < table.size(); ++i) {
    if (!holds(i))
      continue;
    if (!runs.empty() && runs.back().last + 1 == i)
      runs.back().last = i;
    else
      runs.push_back({i, i});
  }
  return runs;
}

VersionRuns runsWith(const tables::SymbolTable &table, llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<tables::SymbolTable::Answer> answers;
  for (llvm::StringRef name : names)
    answers.push_back(table.find(name));
  return runsWhere(table, [&](size_t index) {
    return llvm::all_of(answers, [&](const tables::SymbolTable::Answer &answer) {
      return table.exported(index, answer) == versions::Exported::Yes;
    });
  });
}

/// The minor version if the run ends with its last opened version, else the full version.
static std::string shortLast(const tables::SymbolTable &table, size_t index) {
  Version last = versionAt(table, index), next = versionAt(table, index + 1);
  bool minorEnds = last.at(0) != next.at(0) || last.at(1) != next.at(1);
  if (minorEnds)
    last.release.resize(2), last.post.reset();
  return last.str();
}

std::string describe(const tables::SymbolTable &table, const VersionRuns &runs) {
  std::string text;
  for (const VersionRun &run : runs) {
    if (!text.empty())
      text += ", and ";
    std::string from = shortFrom(table, run.first);
    bool open = run.last + 1 == table.size();
    if (open)
      text += from + (runs.size() > 1 ? " on" : "");
    else if (run.first == 0)
      text += shortLast(table, run.last) + " and older";
    else if (std::string last = shortLast(table, run.last); last == from)
      text += from;
    else
      text += fmt::format("{} to {}", from, last);
  }
  return text;
}

std::string goneSince(llvm::StringRef linkName, unsigned major, llvm::StringRef symbol) {
  std::optional<tables::SymbolVersion> gone;
  // Search downwards for the newest major that exported the symbol.
  for (; major != 0; --major) {
    auto sonames = tables::sonamesOf(linkName, major);
    auto table = sonames.empty() ? std::nullopt : tables::SymbolTable::find(sonames.back(), major);
    if (!table || table->size() == 0)
      return {};
    VersionRuns runs = runsWhere(*table, [&](size_t index) {
      return table->exported(index, symbol) != versions::Exported::No;
    });
    size_t first = runs.empty() ? 0 : runs.back().last + 1;
    if (first != table->size())
      gone = table->at(first);
    if (!runs.empty())
      break;
  }
  if (major == 0 || !gone)
    return {};
  return gone->toolkit.known() ? fmt::format("CUDA {}", gone->toolkit)
                               : fmt::format("version {}", gone->version);
}

} // namespace cudacc::policy
