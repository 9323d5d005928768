// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/probe/python/InstalledPackages.h"
#include "driver/support/Paths.h"
#include "driver/versions/WheelName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// Bytes of METADATA that are read. The description, which comes last, is not needed.
static constexpr uint64_t mostRead = 1 << 20;
/// Device number of mounted sources; no disk has it.
static constexpr uint64_t sourcesDevice = UINT64_MAX - 2;

/// Machine of the wheel's platform tag; empty if it is neither of these.
static StringRef machineOf(StringRef file) {
  if (auto name = versions::WheelName::parse(support::nameOf(file)))
    file = name->platform;
  file.consume_back(".whl");
  for (StringRef machine : {"x86_64", "aarch64"})
    if (file.ends_with(machine))
      return machine;
  return {};
}

probe::DistributionMetadata readMetadata(const OpenedWheel &wheel,
                                         llvm::ArrayRef<std::string> extras) {
  for (const binary::WheelEntry &entry : wheel.entries) {
    auto [folder, name] = StringRef(entry.name).split('/');
    if (!folder.ends_with(".dist-info") || name != "METADATA")
      continue;
    auto file = llvm::expectedToOptional(binary::openEntry(*wheel.file, entry));
    if (!file)
      return {};
    std::string text(std::min((*file)->size(), mostRead), '\0');
    auto got = llvm::expectedToOptional((*file)->readAt(0, {text.data(), text.size()}));
    if (!got)
      return {};
    return probe::parseMetadata(StringRef(text).take_front(*got), machineOf(wheel.path), "",
                                extras);
  }
  return {};
}

std::map<std::string, std::vector<Requirement>> requirementsByExtra(const OpenedWheel &wheel) {
  std::map<std::string, std::vector<Requirement>> requirements;
  for (const std::string &extra : wheel.metadata.extras)
    requirements[extra] = readMetadata(wheel, extra).requirements;
  return requirements;
}

bool requiresTorch(const probe::DistributionMetadata &metadata) {
  return metadata.name != "torch" &&
         llvm::any_of(metadata.requirements,
                      [](const Requirement &requirement) { return requirement.name == "torch"; });
}

/// The release of a distribution in a runtime; std::nullopt if it has none, or may have any.
static std::optional<Version> releaseIn(const Target &target, StringRef dist) {
  if (dist == "torch")
    return target.torch.empty() ? std::nullopt : Version::parse(target.torch);
  for (const TargetLibrary &library : target.libraries)
    if (library.dist == dist && !library.floats)
      return library.version;
  return std::nullopt;
}

std::vector<std::string> excluding(const probe::DistributionMetadata &metadata,
                                   const Target &target) {
  std::vector<std::string> excluding;
  for (const Requirement &requirement : metadata.requirements) {
    auto release = releaseIn(target, requirement.name);
    // Only requirements that certainly apply exclude a runtime.
    if (!release || requirement.marker || requirement.specifiers.clauses.empty())
      continue;
    if (!requirement.specifiers.contains(*release, /*pre=*/true))
      excluding.push_back(requirement.name + requirement.specifiers.str());
  }
  return excluding;
}

InstalledPackage packageOf(const OpenedWheel &wheel, std::string site) {
  InstalledPackage package;
  package.name = wheel.metadata.name;
  package.version = wheel.metadata.version;
  package.required = wheel.metadata.required();
  package.site = std::move(site);
  for (const binary::WheelEntry &entry : wheel.entries)
    if (auto place = placeOfMember(entry.name); place && !StringRef(*place).starts_with("../"))
      probe::addFile(std::move(*place), package);
  return package;
}

void mountSources(const OpenedWheel &wheel, StringRef site, pipeline::MountedFiles &files) {
  for (size_t i = 0; i != wheel.entries.size(); ++i) {
    const binary::WheelEntry &entry = wheel.entries[i];
    auto place = placeOfMember(entry.name);
    if (!place || !StringRef(*place).ends_with(".py"))
      continue;
    FileId id;
    id.device = sourcesDevice;
    id.inode = i + 1;
    id.size = entry.size;
    files.mount(support::joinPath(site, *place), id,
                [&]() -> llvm::Expected<std::unique_ptr<ReadableFile>> {
                  return binary::openEntry(*wheel.file, entry);
                });
  }
}

} // namespace cudacc::commands
