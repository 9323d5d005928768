// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Torch.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/lookup/TextTable.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::tables {

using versions::CudaVersion;

std::string TorchRelease::str() const { return fmt::format("{}.{}.{}", major, minor, patch); }

static TorchRelease releaseOf(const rows::Torch &row, const UserTables *from) {
  auto [major, minor, patch] = row.number;
  return {major, minor, patch, row.defaultLine, row.withoutCuda, &row, from};
}

/// A release in a user's file replaces the built-in one: it includes all of its data.
static void overlay(const UserTables &more, std::vector<TorchRelease> &all) {
  for (const rows::Torch &added : more.torch) {
    auto it = llvm::find_if(
        all, [&](const TorchRelease &each) { return each.row->number >= added.number; });
    if (it != all.end() && it->row->number == added.number)
      *it = releaseOf(added, &more);
    else
      all.insert(it, releaseOf(added, &more));
  }
}

std::vector<TorchRelease> torchReleases(const UserTables *more) {
  static const auto builtIn = rows::readTable<rows::Torch>("torchReleases");
  std::vector<TorchRelease> all;
  all.reserve(builtIn.size());
  for (const rows::Torch &row : builtIn)
    all.push_back(releaseOf(row, nullptr));
  if (more)
    overlay(*more, all);
  return all;
}

static TorchLine lineOf(const TorchRelease &release, const rows::Line &row) {
  TorchLine result;
  result.cuda = row.cuda;
  result.tag = row.tag;
  result.isDefault = row.cuda == release.defaultLine;
  if (row.toolkit)
    result.toolkit =
        findToolkitRelease((*row.toolkit)[0], (*row.toolkit)[1], (*row.toolkit)[2], release.from);
  result.pinSet = row.pinSet;
  result.pinsKnown = row.pinSet != rows::noPins;
  result.from = release.from;
  return result;
}

llvm::SmallVector<TorchLine, 4> torchLines(const TorchRelease &release) {
  llvm::SmallVector<TorchLine, 4> lines;
  for (const rows::Line &row : release.row->lines)
    lines.push_back(lineOf(release, row));
  return lines;
}

TorchLine defaultTorchLine(const TorchRelease &release) {
  return lineOf(release, *release.row->find(release.defaultLine));
}

llvm::SmallVector<Pin, 20> torchPins(const TorchLine &line) {
  if (!line.pinsKnown)
    return {};
  if (size_t builtIn = rows::pinSets().size(); line.pinSet >= builtIn)
    return rows::pinsOf(line.from->pinSets[line.pinSet - builtIn].pins);
  return rows::pinsOf(rows::pinRowsOf(line.pinSet));
}

/// Computed once, because the matrix over all releases queries each of them.
bool isRequiredByTorch(llvm::StringRef dist) {
  static const llvm::StringSet<> required = [] {
    llvm::StringSet<> dists;
    for (const TorchRelease &release : torchReleases())
      for (const TorchLine &line : torchLines(release))
        for (const Pin &pin : torchPins(line))
          dists.insert(pin.dist);
    return dists;
  }();
  return required.contains(dist);
}

llvm::ArrayRef<llvm::StringLiteral> torchLibraryPatterns() {
  static constexpr llvm::StringLiteral patterns[] = {"libtorch.so*", "libtorch_*.so*", "libc10.so*",
                                                     "libc10_*.so*"};
  return patterns;
}

bool isTorchLibrary(llvm::StringRef file) {
  return llvm::any_of(torchLibraryPatterns(),
                      [&](llvm::StringRef pattern) { return matchesPattern(pattern, file); });
}

bool isGpuLabel(llvm::StringRef label) {
  return label.starts_with("rocm") || label.starts_with("xpu") ||
         (label.consume_front("cu") && !label.empty() && llvm::all_of(label, llvm::isDigit));
}

/// The first identifier of a nested name (Itanium ABI 5.1): `c10` for `_ZNK3c1010TensorImpl3dimEv`.
static llvm::StringRef outermostScope(llvm::StringRef symbol) {
  if (!symbol.consume_front("_Z"))
    return {};
  for (llvm::StringRef special : {"GV", "GR", "TI", "TS", "TV", "TT", "TH", "TW"})
    if (symbol.consume_front(special))
      break;
  // The name of a local entity begins with that of its function.
  symbol.consume_front("Z");
  if (!symbol.consume_front("N"))
    return {};
  symbol = symbol.ltrim("rVKRO");
  size_t length = 0;
  if (symbol.consumeInteger(10, length) || length > symbol.size())
    return {};
  return symbol.take_front(length);
}

bool isInTorchFashion(llvm::StringRef symbol) {
  static constexpr llvm::StringLiteral scopes[] = {"c10", "at", "torch", "caffe2", "c10d"};
  static constexpr llvm::StringLiteral begins[] = {"aoti_torch_", "torch_"};
  if (llvm::StringRef scope = outermostScope(symbol); !scope.empty())
    return llvm::is_contained(scopes, scope);
  if (llvm::any_of(begins, [&](llvm::StringRef each) { return symbol.starts_with(each); }))
    return true;
  return symbol.consume_front("THP") && !symbol.empty() && llvm::isUpper(symbol.front());
}

std::optional<TorchRelease> firstTorchWithLine(CudaVersion line, const UserTables *more) {
  for (const TorchRelease &each : torchReleases(more))
    if (each.defaultLine.major == line.major && each.defaultLine >= line)
      return each;
  return std::nullopt;
}

} // namespace cudacc::tables
