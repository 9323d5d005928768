// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Needs.h"
#include "driver/policy/advice/TorchThatServes.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using core::LibraryFloor;

void Needs::add(llvm::ArrayRef<LibraryFloor> more) {
  for (const LibraryFloor &floor : more) {
    if (floor.dist.empty() || !floor.known())
      continue;
    auto same =
        llvm::find_if(floors, [&](const LibraryFloor &each) { return each.dist == floor.dist; });
    if (same == floors.end()) {
      floors.push_back(floor);
      continue;
    }
    std::vector<std::string> exceptions = same->exceptions;
    llvm::append_range(exceptions, floor.exceptions);
    // Floors with the same version are equal in everything that is printed.
    *same = std::ranges::max(*same, floor, {}, &LibraryFloor::least);
    llvm::sort(exceptions);
    exceptions.erase(llvm::unique(exceptions), exceptions.end());
    same->exceptions = std::move(exceptions);
  }
}

static std::vector<const LibraryFloor *> byName(llvm::ArrayRef<LibraryFloor> floors) {
  std::vector<const LibraryFloor *> sorted;
  for (const LibraryFloor &floor : floors)
    sorted.push_back(&floor);
  std::ranges::sort(sorted, {}, &LibraryFloor::dist);
  return sorted;
}

void Needs::addAlternatives(llvm::ArrayRef<std::vector<LibraryFloor>> files) {
  std::vector<LibraryFloor> lowest;
  for (const std::vector<LibraryFloor> &file : files)
    for (const LibraryFloor &floor : file) {
      if (!floor.known())
        continue;
      auto same =
          llvm::find_if(lowest, [&](const LibraryFloor &each) { return each.dist == floor.dist; });
      if (same == lowest.end())
        lowest.push_back(floor);
      else
        *same = std::ranges::min(*same, floor, {}, &LibraryFloor::least);
    }
  add(lowest);
}

std::vector<std::string> Needs::cudaRequirements() const {
  std::vector<std::string> out;
  for (const LibraryFloor *floor : byName(floors)) {
    std::string text = floor->requirement;
    for (const std::string &each : floor->exceptions) {
      auto version = versions::Version::parse(each);
      std::string clause = "!=" + each;
      if (version && floor->least <= *version && text.find(clause) == std::string::npos)
        text += "," + clause;
    }
    out.push_back(std::move(text));
  }
  return out;
}

versions::TorchRange Needs::torchServing() const {
  return torch.known() ? torchThatServes(floors, torch) : torch;
}

std::vector<std::string> Needs::requirements() const {
  std::vector<std::string> out = cudaRequirements();
  if (std::string range = torchServing().specifier(); !range.empty())
    out.push_back("torch" + range);
  return out;
}

bool asksForMore(const versions::SpecifierSet &specifiers, const versions::Version &least,
                 bool pins) {
  using Op = versions::Specifier::Op;
  return llvm::any_of(specifiers.clauses, [&](const versions::Specifier &clause) {
    if (clause.op == Op::Greater)
      return least <= clause.version;
    bool bounds = clause.op == Op::GreaterEqual || clause.op == Op::Compatible ||
                  (pins && clause.op == Op::Equal);
    return bounds && least < clause.version;
  });
}

std::vector<HigherBound> Needs::higherBounds() const {
  std::vector<HigherBound> out;
  for (const LibraryFloor *floor : byName(floors))
    for (const versions::Requirement &requirement : declared)
      if (requirement.name == floor->dist &&
          asksForMore(requirement.specifiers, floor->least, /*pins=*/true))
        out.push_back(
            {fmt::format("{}{}", requirement.name, requirement.specifiers), floor->least});
  return out;
}

std::vector<std::string> Needs::declaredHigher() const {
  std::vector<std::string> out;
  for (const HigherBound &each : higherBounds())
    out.push_back(fmt::format("{}, by symbols >={}", each.declared, each.least));
  return out;
}

} // namespace cudacc::policy
