#include "driver/probe/python/InstalledLibraries.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

/// The value of a header at the beginning of METADATA (PEP 566); the long description behind them
/// is not read.
static std::string headerOf(StringRef text, StringRef name) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.rtrim('\r');
    if (line.empty())
      return "";
    if (line.consume_front(name) && line.consume_front(":"))
      return line.trim().str();
    text = rest;
  }
  return "";
}

/// Name and version from METADATA; empty where it does not say.
static InstalledDistribution fromMetadata(StringRef path, Files &files) {
  InstalledDistribution dist;
  auto file = llvm::expectedToOptional(files.open(path));
  if (!file)
    return dist;
  std::string head(std::min<uint64_t>((*file)->size(), 64 << 10), '\0');
  auto got = llvm::expectedToOptional(
      (*file)->readAt(0, llvm::MutableArrayRef<char>(head.data(), head.size())));
  if (!got)
    return dist;
  head.resize(*got);
  dist.name = Requirement::normalise(headerOf(head, "Name"));
  dist.version = headerOf(head, "Version");
  return dist;
}

/// Also frameworks, since a declaration may name their release beside the environment.
static bool bringsCuda(StringRef name, const std::optional<Version> &version) {
  if (name.starts_with("nvidia-") || name == "torch" || !tables::frameworksCalled(name).empty())
    return true;
  return version && !tables::sonamesOf(name, *version).empty();
}

static void noteTwice(const InstalledDistribution &first, const InstalledDistribution &second,
                      PythonEnvironment &environment) {
  Finding problem = environmentProblem(Code::EvidenceConflict, Severity::Warning,
                                       first.name + " is installed twice", environment);
  problem.facts.push_back({"first", joinPath(first.where, first.metadata)});
  problem.facts.push_back({"second", joinPath(second.where, second.metadata)});
  problem.fixes.push_back("pip install --force-reinstall " + first.name);
  environment.problems.push_back(std::move(problem));
}

void findDistributions(const SiteDirectory &site, PythonEnvironment &environment, Files &files) {
  size_t from = environment.distributions.size();
  for (const std::string &folder : site.names) {
    StringRef stem = folder;
    if (!stem.consume_back(".dist-info"))
      continue;
    auto [name, text] = stem.rsplit('-');
    auto version = Version::parse(text);
    InstalledDistribution dist{Requirement::normalise(name), text.str(), folder, site.path};
    // Installers write both into the name (PEP 427); where one did not, the file has them.
    bool ours = bringsCuda(dist.name, version);
    if (!version && StringRef(dist.name).starts_with("nvidia")) {
      InstalledDistribution said = fromMetadata(joinPath(site.path, folder + "/METADATA"), files);
      dist.name = said.name;
      dist.version = Version::parse(said.version) ? said.version : "";
      ours = bringsCuda(dist.name, Version::parse(dist.version));
    }
    if (!ours)
      continue;
    auto same = llvm::find_if(llvm::drop_begin(environment.distributions, from),
                              [&](const auto &each) { return each.name == dist.name; });
    if (same != environment.distributions.end())
      noteTwice(*same, dist, environment);
    environment.distributions.push_back(std::move(dist));
  }
}

} // namespace cudacc::probe
