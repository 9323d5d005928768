// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/InstalledLibraries.h"
#include "driver/probe/python/Metadata.h"
#include "driver/probe/python/Pip.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

/// Reads only the first 64 KiB of the file.
static DistributionMetadata readMetadata(StringRef path, Files &files) {
  auto head = llvm::expectedToOptional(readStart(files, path, 64 << 10));
  return head ? parseMetadata(*head, "", "") : DistributionMetadata();
}

/// Frameworks count too, since a declaration may name their release beside the environment, and so
/// do those that check versions of libraries.
static bool bringsCuda(StringRef name, const std::optional<Version> &version) {
  if (name.starts_with("nvidia-") || name == "torch" || !tables::frameworksCalled(name).empty() ||
      tables::hasVersionRules(name))
    return true;
  return version && !tables::sonamesOf(name, *version).empty();
}

/// By its tags. Those of a build on the user's machine are `linux_x86_64`; so were torch's before
/// 2.7, but what requires NVIDIA's wheels in any case was built for an index.
static bool isPublished(StringRef folder, PythonEnvironment &environment, Files &files) {
  auto textOf = [&](StringRef name) {
    std::string path = joinPath(folder, name);
    look(path, environment, files);
    return llvm::expectedToOptional(files.read(path, 64 << 10)).value_or("");
  };
  if (StringRef(textOf("INSTALLER")).trim() == "conda")
    return false;
  std::string wheel = textOf("WHEEL");
  for (StringRef line : llvm::split(wheel, '\n')) {
    StringRef platform = line.trim().rsplit('-').second;
    if (!line.starts_with("Tag:") || !platform.ends_with("_x86_64"))
      continue;
    return platform.starts_with("manylinux") ||
           llvm::any_of(readMetadata(joinPath(folder, "METADATA"), files).required(),
                        [](StringRef name) { return name.starts_with("nvidia-"); });
  }
  return false;
}

/// pip and uv remove one of them at a time, and not all of its files before both are gone.
static void noteTwice(const InstalledDistribution &first, const InstalledDistribution &second,
                      const SiteDirectory &site, PythonEnvironment &environment, Files &files) {
  Finding &problem = addProblem(environment, Code::EvidenceConflict, Severity::Warning,
                                first.name + " is installed twice");
  problem.addFact("first", joinPath(first.where, first.metadata));
  problem.addFact("second", joinPath(second.where, second.metadata));
  for (const InstalledDistribution *each : {&second, &first})
    problem.addFix(pipReplace(environment.prefix, site.path, {first.name, first.name},
                              fmt::format("{}=={}", each->name, each->version), files));
}

void findDistributions(const SiteDirectory &site, PythonEnvironment &environment, Files &files) {
  size_t from = environment.distributions.size();
  for (const std::string &folder : site.names) {
    StringRef stem = folder;
    if (!stem.consume_back(".dist-info"))
      continue;
    auto [name, text] = stem.rsplit('-');
    if (!Requirement::isName(name))
      continue;
    auto version = Version::parse(text);
    InstalledDistribution dist{Requirement::normalise(name), text.str(), folder, site.path};
    // PEP 427 puts name and version into the directory's name; if they are not, METADATA has them.
    bool ours = bringsCuda(dist.name, version);
    if (!version && StringRef(dist.name).starts_with("nvidia")) {
      DistributionMetadata said = readMetadata(joinPath(site.path, folder + "/METADATA"), files);
      dist.name = said.name;
      dist.version = Version::parse(said.version) ? said.version : "";
      ours = bringsCuda(dist.name, Version::parse(dist.version));
    }
    if (!ours)
      continue;
    auto same = llvm::find_if(llvm::drop_begin(environment.distributions, from),
                              [&](const auto &each) { return each.name == dist.name; });
    if (same != environment.distributions.end())
      noteTwice(*same, dist, site, environment, files);
    dist.isPublished = tables::hasVersionRules(dist.name) &&
                       isPublished(joinPath(site.path, folder), environment, files);
    environment.distributions.push_back(std::move(dist));
  }
}

} // namespace cudacc::probe
