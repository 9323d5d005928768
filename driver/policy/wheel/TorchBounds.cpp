// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Requirements.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::TorchRelease;

/// `cu130` of a version `1.0+pt29.cu130`.
static std::string tagOf(const Version &version) {
  for (StringRef segment : version.local)
    if (StringRef number = segment;
        number.consume_front("cu") && number.size() >= 2 && llvm::all_of(number, llvm::isDigit))
      return segment.str();
  return {};
}

/// Of torch's own version; empty if the build is PyPI's.
static std::string tagOfTorch(StringRef torch, const tables::UserTables *more) {
  auto version = Version::parse(torch);
  std::string tag = version ? tagOf(*version) : "";
  for (const TorchRelease &release : tables::torchReleases(more))
    if (fmt::format("{}+{}", release.str(), tag) == torch)
      return tables::defaultTorchLine(release).tag == tag ? "" : tag;
  return tag;
}

std::string torchTagOf(StringRef version, llvm::ArrayRef<Requirement> declared,
                       llvm::ArrayRef<std::string> torches, const tables::UserTables *more) {
  for (const Requirement &requirement : declared)
    for (const Specifier &clause : requirement.specifiers.clauses)
      if (requirement.name == "torch" && clause.op == Specifier::Op::Equal)
        if (std::string tag = tagOf(clause.version); !tag.empty())
          return tag;
  if (auto own = Version::parse(version))
    if (std::string tag = tagOf(*own); !tag.empty())
      return tag;
  std::string tag = torches.empty() ? "" : tagOfTorch(torches.front(), more);
  bool isOne = llvm::all_of(torches, [&](StringRef each) { return tagOfTorch(each, more) == tag; });
  return isOne ? tag : "";
}

std::vector<HigherBound> higherTorchBounds(const WheelCase &wheel, const tables::UserTables *more) {
  if (wheel.lines.size() > 1)
    return {};
  std::vector<LibraryFloor> floors;
  if (!wheel.lines.empty())
    floors = wheel.lines.front().floors;
  TorchRange range = torchThatServes(floors, wheel.torch, wheel.torchTag, more);
  auto oldest = llvm::find_if(
      range.releases, [](const TorchRange::Release &each) { return each.has == Exported::Yes; });
  if (oldest == range.releases.end())
    return {};
  Version least = *Version::parse(oldest->release);
  std::vector<HigherBound> higher;
  for (const Requirement &each : wheel.declared)
    if (each.name == "torch" && asksForMore(each.specifiers, least, /*pins=*/false))
      higher.push_back({fmt::format("torch{}", each.specifiers), least});
  return higher;
}

} // namespace cudacc::policy
