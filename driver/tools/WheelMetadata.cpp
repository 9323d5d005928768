#include "driver/tools/WheelMetadata.h"
#include "driver/probe/InstalledPackages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tools {

using namespace core;
using llvm::StringRef;

/// Of a description nothing is needed, and it stands last.
static constexpr uint64_t mostRead = 1 << 20;

WheelMetadata parseMetadata(StringRef text, StringRef machine) {
  WheelMetadata metadata;
  MarkerEnvironment environment = MarkerEnvironment::linux(machine);
  if (machine.empty())
    environment.values.erase("platform_machine");
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.rtrim('\r');
    // The description follows.
    if (line.empty())
      break;
    auto [key, value] = line.split(':');
    value = value.trim();
    if (key.equals_insensitive("Name"))
      metadata.name = Requirement::normalise(value);
    else if (key.equals_insensitive("Version"))
      metadata.version = value.str();
    if (!key.equals_insensitive("Requires-Dist"))
      continue;
    auto requirement = Requirement::parse(value);
    if (!requirement)
      continue;
    Truth holds = requirement->marker ? requirement->marker->evaluate(environment) : Truth::True;
    if (holds == Truth::False)
      continue;
    if (holds == Truth::True)
      requirement->marker.reset();
    metadata.requirements.push_back(std::move(*requirement));
  }
  return metadata;
}

/// By its platform tag.
static StringRef machineOf(StringRef file) {
  file.consume_back(".whl");
  for (StringRef machine : {"x86_64", "aarch64"})
    if (file.ends_with(machine))
      return machine;
  return {};
}

static std::string metadataOf(const OpenedWheel &wheel) {
  for (const elf::WheelEntry &entry : wheel.entries) {
    auto [folder, name] = StringRef(entry.name).split('/');
    if (!folder.ends_with(".dist-info") || name != "METADATA")
      continue;
    auto file = elf::openEntry(*wheel.file, entry);
    if (!file) {
      llvm::consumeError(file.takeError());
      return {};
    }
    std::string text(std::min((*file)->size(), mostRead), '\0');
    auto got = (*file)->readAt(0, {text.data(), text.size()});
    if (!got) {
      llvm::consumeError(got.takeError());
      return {};
    }
    text.resize(*got);
    return text;
  }
  return {};
}

WheelMetadata readMetadata(const OpenedWheel &wheel) {
  return parseMetadata(metadataOf(wheel), machineOf(wheel.path));
}

InstalledPackage packageOf(const OpenedWheel &wheel, StringRef site, StringRef machine,
                           StringRef python) {
  InstalledPackage package;
  package.site = site.str();
  probe::readMetadata(metadataOf(wheel), machine, python, package);
  for (const elf::WheelEntry &entry : wheel.entries)
    if (auto place = placeOfMember(entry.name))
      probe::addFile(std::move(*place), package);
  return package;
}

bool WheelMetadata::requiresTorch() const {
  return name != "torch" && llvm::any_of(requirements, [](const Requirement &requirement) {
           return requirement.name == "torch";
         });
}

/// The release that a runtime has of a distribution; nothing: none, or it may be any.
static std::optional<Version> releaseIn(const Target &target, StringRef dist) {
  if (dist == "torch")
    return target.torch.empty() ? std::nullopt : Version::parse(target.torch);
  for (const TargetLibrary &library : target.libraries)
    if (library.dist == dist && !library.floats)
      return library.version;
  return std::nullopt;
}

std::vector<std::string> WheelMetadata::excluding(const Target &target) const {
  std::vector<std::string> excluding;
  for (const Requirement &requirement : requirements) {
    auto release = releaseIn(target, requirement.name);
    // Only what certainly holds excludes.
    if (!release || requirement.marker || requirement.specifiers.clauses.empty())
      continue;
    if (!requirement.specifiers.contains(*release, /*pre=*/true))
      excluding.push_back(requirement.name + requirement.specifiers.str());
  }
  return excluding;
}

} // namespace cudacc::tools
