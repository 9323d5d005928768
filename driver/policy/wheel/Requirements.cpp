// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Requirements.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

std::optional<RequiresMode> parseRequiresMode(StringRef text) {
  return llvm::StringSwitch<std::optional<RequiresMode>>(text)
      .Case("nvidia", RequiresMode::Nvidia)
      .Case("torch", RequiresMode::Torch)
      .Case("none", RequiresMode::None)
      .Default(std::nullopt);
}

StringRef str(RequiresMode mode) {
  static constexpr StringRef names[] = {"nvidia", "torch", "none"};
  return names[size_t(mode)];
}

RequiresMode modeOf(const WheelCase &wheel) {
  bool withTorch = wheel.needsTorch || llvm::any_of(wheel.declared, [](const Requirement &each) {
                     return each.name == "torch";
                   });
  return wheel.mode.value_or(withTorch ? RequiresMode::Torch : RequiresMode::Nvidia);
}

namespace {

class Requiring {
public:
  Requiring(const WheelCase &wheel, const tables::UserTables *more) : wheel(wheel), more(more) {}
  WheelRequirements run();

private:
  const WheelCase &wheel;
  const tables::UserTables *more;
  WheelRequirements result;

  void requireWheels(bool besideTorch);
  void requireTorch();
  void addUnknownTag();
  /// Adds to the last finding which builds of torch it is about, and one of others that serves.
  void addBuilds(llvm::ArrayRef<LibraryFloor> floors);
  /// Adds \p requirement, which \p reason explains, unless METADATA states it already.
  void require(const std::string &requirement, StringRef extra, const Fact &reason);
  bool isStated(const Requirement &wanted, StringRef extra, const Fact &reason);
  void addUnknown(const LibraryFloor &floor);
  void addOpen(bool besideTorch);
};

} // namespace

/// Returns whether METADATA states what is wanted, and adds a finding if it excludes that.
bool Requiring::isStated(const Requirement &wanted, StringRef extra, const Fact &reason) {
  bool stated = false;
  auto ofExtra = wheel.declaredByExtra.find(extra.str());
  for (const Requirement &each :
       ofExtra == wheel.declaredByExtra.end() ? wheel.declared : ofExtra->second) {
    if (each.name != wanted.name)
      continue;
    if (!overlap(each.specifiers, wanted.specifiers)) {
      Finding finding;
      finding.code = Code::RequirementContradicts;
      finding.message =
          fmt::format("the metadata exclude every {} that the files load with", wanted.name);
      finding.facts = {{"metadata", fmt::format("Requires-Dist: {}", each.text)},
                       {"files need", wanted.text},
                       reason};
      finding.fixes = {fmt::format("require {}", wanted.text)};
      result.findings.push_back(std::move(finding));
    }
    // A marker that may be false leaves the rest open.
    stated |= !each.marker && implies(each.specifiers, wanted.specifiers);
  }
  return stated;
}

void Requiring::require(const std::string &requirement, StringRef extra, const Fact &reason) {
  if (isStated(*Requirement::parse(requirement), extra, reason)) {
    result.stated.push_back(requirement);
    return;
  }
  // Installers of other systems read the metadata of one wheel for all.
  std::string marker = "sys_platform == \"linux\"";
  if (!extra.empty())
    marker += fmt::format(" and extra == \"{}\"", extra);
  std::string line = fmt::format("{}; {}", requirement, marker);
  if (!llvm::is_contained(result.added, line))
    result.added.push_back(std::move(line));
}

void Requiring::addUnknown(const LibraryFloor &floor) {
  Finding finding;
  finding.code = Code::NoRequirement;
  finding.message = fmt::format("no wheel is known that serves {}", floor.soname);
  if (!floor.deciding.empty())
    finding.facts.push_back({"no version has", llvm::join(floor.deciding, ", ")});
  if (!floor.unknown.empty())
    finding.facts.push_back({"not in the tables", llvm::join(floor.unknown, ", ")});
  finding.fixes = {"--requires none, and write Requires-Dist by hand"};
  result.findings.push_back(std::move(finding));
}

void Requiring::addOpen(bool besideTorch) {
  for (const auto &[soname, dists] : wheel.open) {
    if (besideTorch && llvm::all_of(dists, tables::isRequiredByTorch))
      continue;
    Finding finding;
    finding.code = Code::NoRequirement;
    finding.message = fmt::format("the CUDA major is not determined for {}", soname);
    finding.facts = {{"brought by", llvm::join(dists, ", ")}};
    finding.fixes = {"name the runtime: --runtime cuda==MAJOR.MINOR"};
    result.findings.push_back(std::move(finding));
  }
}

void Requiring::requireWheels(bool besideTorch) {
  for (const WheelLine &line : wheel.lines) {
    bool any = false;
    for (const LibraryFloor &floor : line.floors) {
      // What comes with the driver is in no wheel.
      if (tables::isDriverLibrary(floor.soname))
        continue;
      if (besideTorch && tables::isRequiredByTorch(floor.dist))
        continue;
      if (floor.requirement.empty()) {
        addUnknown(floor);
        continue;
      }
      any = true;
      require(floor.requirement, line.extra, {"because of", floor.soname});
    }
    if (any && !line.extra.empty() && !wheel.declaredByExtra.count(line.extra) &&
        !llvm::is_contained(result.extras, line.extra))
      result.extras.push_back(line.extra);
  }
}

void Requiring::addBuilds(llvm::ArrayRef<LibraryFloor> floors) {
  Finding &finding = result.findings.back();
  finding.addFact("builds of torch",
                  wheel.torchTag.empty() ? "those of PyPI" : fmt::format("+{}", wheel.torchTag));
  if (!wheel.torchTag.empty())
    return;
  std::string other = otherBuildThatServes(floors, wheel.torch, wheel.declared, more);
  if (other.empty())
    return;
  finding.addFact("but", fmt::format("torch {}, of PyTorch's own index, brings it", other));
  finding.addFix(fmt::format("for that index: cuda-cc wheel repair --runtime torch=={}", other));
}

void Requiring::addUnknownTag() {
  Finding finding;
  finding.code = Code::NoRequirement;
  finding.message = fmt::format("no build of torch with the label +{} is known", wheel.torchTag);
  finding.fixes = {"--requires none, and write Requires-Dist by hand"};
  result.findings.push_back(std::move(finding));
}

void Requiring::requireTorch() {
  std::vector<LibraryFloor> floors;
  if (wheel.lines.size() == 1)
    floors = wheel.lines.front().floors;
  bool isOfTorch = llvm::any_of(
      floors, [](const LibraryFloor &each) { return tables::isRequiredByTorch(each.dist); });
  // Neither names nor libraries: any torch serves.
  if (!wheel.torch.known() && !isOfTorch)
    return require("torch", "", {"because of", "torch's libraries"});
  if (!isKnownTag(wheel.torchTag, more))
    return addUnknownTag();
  TorchRange range = torchThatServes(floors, wheel.torch, wheel.torchTag, more);
  Fact reason{"because of", "torch's names and the CUDA libraries that it brings"};
  if (range.any()) {
    size_t before = result.findings.size();
    require(fmt::format("torch{}", range.specifier()), "", reason);
    if (result.findings.size() != before)
      addBuilds(floors);
    return;
  }
  Finding finding;
  finding.code = Code::RequirementContradicts;
  finding.message = "no release of torch brings what the files need";
  if (wheel.torch.known())
    finding.facts.push_back({"torch's names", fmt::format("torch{}", wheel.torch.specifier())});
  for (const LibraryFloor &floor : floors)
    if (tables::isRequiredByTorch(floor.dist))
      finding.facts.push_back({"files need", floor.requirement});
  if (wheel.torch.known())
    finding.fixes = {fmt::format("build with the CUDA of torch{}", wheel.torch.specifier())};
  else
    finding.fixes = {"cuda-cc wheel repair --requires nvidia"};
  result.findings.push_back(std::move(finding));
  addBuilds(floors);
}

WheelRequirements Requiring::run() {
  result.mode = modeOf(wheel);
  if (result.mode == RequiresMode::None)
    return std::move(result);
  requireWheels(result.mode == RequiresMode::Torch);
  addOpen(result.mode == RequiresMode::Torch);
  llvm::sort(result.added);
  if (result.mode == RequiresMode::Torch)
    requireTorch();
  return std::move(result);
}

WheelRequirements requirementsOf(const WheelCase &wheel, const tables::UserTables *more) {
  return Requiring(wheel, more).run();
}

} // namespace cudacc::policy
