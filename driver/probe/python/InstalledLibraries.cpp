// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/InstalledLibraries.h"
#include "driver/probe/python/Pip.h"
#include "driver/probe/python/Record.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

namespace {

/// A library listed in a RECORD.
struct Claim {
  std::string path;
  const InstalledDistribution *dist = nullptr;
  /// In bytes; std::nullopt if the line has none or if there is no RECORD.
  std::optional<uint64_t> size;
};

using Claims = llvm::SmallVector<Claim, 0>;

/// Per site directory; the wheels of a whole toolkit have some 120.
constexpr size_t mostLibraries = 4096;

} // namespace

/// Matches the last part of a path, such as `libcudart.so.12`.
static bool isSharedLibrary(StringRef name) {
  size_t at = name.find(".so");
  return name.starts_with("lib") && at != StringRef::npos &&
         (name.size() == at + 3 || name[at + 3] == '.');
}

static void addClaims(StringRef record, const SiteDirectory &site,
                      const InstalledDistribution &dist, Claims &claims, Files &files) {
  for (size_t at = record.find(".so"); at != StringRef::npos;) {
    size_t begin = record.rfind('\n', at);
    begin = begin == StringRef::npos ? 0 : begin + 1;
    size_t end = std::min(record.find('\n', at), record.size());
    auto [path, size] = splitRecordLine(record.slice(begin, end));
    if (claims.size() < mostLibraries && isSharedLibrary(nameOf(path)) &&
        path.find('\0') == std::string::npos)
      claims.push_back({normalizePath(joinPath(site.path, path), files), &dist, size});
    at = record.find(".so", end);
  }
}

/// Without a RECORD, the tables say which libraries this version of the distribution has.
static void assumeClaims(const SiteDirectory &site, const InstalledDistribution &dist,
                         Claims &claims, Files &files) {
  auto version = Version::parse(dist.version);
  if (!version)
    return;
  for (StringRef soname : tables::sonamesOf(dist.name, *version)) {
    StringRef folder = tables::folderOf(soname, dist.name, *version);
    std::string path = joinPath(joinPath(site.path, folder), soname);
    if (!folder.empty() && files.stat(path).kind == FileStatus::Kind::Regular)
      claims.push_back({std::move(path), &dist, std::nullopt});
  }
}

/// torch has its own reader; the thousands of files of other frameworks are not NVIDIA's.
static bool isFramework(const InstalledDistribution &dist) {
  return dist.name == "torch" ||
         (!StringRef(dist.name).starts_with("nvidia-") &&
          (!tables::frameworksCalled(dist.name).empty() || tables::hasVersionRules(dist.name)));
}

static Claims readClaims(const SiteDirectory &site, PythonEnvironment &environment, Files &files) {
  Claims claims;
  for (const InstalledDistribution &dist : environment.distributions) {
    if (dist.where != site.path || isFramework(dist))
      continue;
    std::string folder = joinPath(site.path, dist.metadata), path = joinPath(folder, "RECORD");
    look(folder, environment, files);
    auto record = files.read(path, largestMetadata);
    if (record) {
      addClaims(*record, site, dist, claims, files);
      continue;
    }
    Finding &problem = addProblem(environment, Code::UnreadableFile, Severity::Warning,
                                  fmt::format("RECORD of {} cannot be read", dist.name));
    problem.addFact("because", toFinding(record.takeError()).message);
    assumeClaims(site, dist, claims, files);
  }
  if (claims.size() == mostLibraries)
    addProblem(environment, Code::LimitReached, Severity::Error,
               fmt::format("more than {} libraries", mostLibraries));
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim &a, const Claim &b) { return a.path < b.path; });
  return claims;
}

static std::string titleOf(const InstalledDistribution &dist) {
  return fmt::format("{} {}", dist.name, dist.version);
}

/// The command that installs the same version over it.
static std::string installAgain(const InstalledDistribution &dist, const SiteDirectory &site,
                                const PythonEnvironment &environment, Files &files) {
  return fmt::format("{} --force-reinstall --no-deps {}=={}",
                     pipInstall(environment.prefix, site.path, files), dist.name, dist.version);
}

static void missing(const Claim &claim, const SiteDirectory &site, PythonEnvironment &environment,
                    Files &files) {
  Finding &problem =
      addProblem(environment, Code::UnreadableFile, Severity::Warning,
                 fmt::format("{} lacks its {}", titleOf(*claim.dist), support::nameOf(claim.path)));
  problem.library = support::nameOf(claim.path).str();
  problem.addFact("missing", claim.path);
  problem.addFix(installAgain(*claim.dist, site, environment, files));
}

/// The distribution whose RECORD has the file's size; null if there is none or more than one.
static const InstalledDistribution *ownerOf(llvm::ArrayRef<Claim> claims, uint64_t size) {
  const InstalledDistribution *owner = nullptr;
  for (const Claim &claim : claims) {
    if (claim.size.value_or(size) != size || claim.dist == owner)
      continue;
    if (owner)
      return nullptr;
    owner = claim.dist;
  }
  return owner;
}

/// The CUDA major of the installed torch, else of the runtime; 0 if there is none, or several.
static unsigned majorOf(const PythonEnvironment &environment) {
  if (environment.torch)
    if (auto cuda = CudaVersion::parse(environment.torch->cuda))
      return cuda->major;
  unsigned major = 0;
  for (const InstalledDistribution &dist : environment.distributions) {
    auto version = Version::parse(dist.version);
    if (!StringRef(dist.name).starts_with("nvidia-cuda-runtime") || !version)
      continue;
    unsigned its = unsigned(version->at(0));
    if (major && its != major)
      return 0;
    major = its;
  }
  return major;
}

/// One command for each of the distributions, the newest of the same name first, of which the one
/// for the environment's CUDA major comes alone if there is one.
static void addReplacements(llvm::ArrayRef<Claim> claims, const SiteDirectory &site,
                            PythonEnvironment &environment, Files &files, Finding &problem) {
  std::vector<std::string> names;
  for (const Claim &claim : claims)
    names.push_back(claim.dist->name);
  std::string ending = fmt::format("-cu{}", majorOf(environment));
  auto isRight = [&](const Claim &claim) { return StringRef(claim.dist->name).ends_with(ending); };
  bool isKnown = llvm::count_if(claims, isRight) == 1;
  for (const Claim &claim : llvm::reverse(claims))
    if (!isKnown || isRight(claim))
      problem.addFix(pipReplace(environment.prefix, site.path, names,
                                fmt::format("{}=={}", claim.dist->name, claim.dist->version),
                                files));
}

/// The finding that the same distributions claim another library; null if there is none yet.
static Finding *disputeOf(llvm::ArrayRef<Claim> claims, PythonEnvironment &environment) {
  std::string all;
  for (const Claim &claim : claims)
    support::appendItem(all, titleOf(*claim.dist));
  auto found = llvm::find_if(environment.problems, [&](const Finding &each) {
    std::string its;
    for (const Fact &fact : each.facts)
      if (fact.label == "claimed by")
        support::appendItem(its, StringRef(fact.text).split(',').first);
    return each.code == Code::EvidenceConflict && its == all;
  });
  return found == environment.problems.end() ? nullptr : &*found;
}

static void disputed(llvm::ArrayRef<Claim> claims, uint64_t size,
                     const InstalledDistribution *owner, const SiteDirectory &site,
                     PythonEnvironment &environment, Files &files) {
  StringRef name = nameOf(claims.front().path);
  bool several =
      llvm::any_of(claims, [&](const Claim &claim) { return claim.dist != claims.front().dist; });
  if (Finding *same = several ? disputeOf(claims, environment) : nullptr) {
    same->addFact("library", claims.front().path);
    if (!owner)
      same->severity = Severity::Error;
    return;
  }
  bool isShort = size < claims.front().size.value_or(0);
  Finding &problem =
      addProblem(environment, Code::EvidenceConflict, owner ? Severity::Warning : Severity::Error,
                 fmt::format("{} {}", name,
                             several   ? "is claimed by several distributions"
                             : isShort ? "is shorter than what was installed"
                                       : "is not the file that its distribution installed"));
  problem.library = name.str();
  problem.addFact("library", claims.front().path);
  for (const Claim &claim : claims)
    problem.addFact("claimed by", titleOf(*claim.dist) +
                                      (claim.size ? fmt::format(", {} bytes", *claim.size) : ""));
  if (owner)
    problem.addFact("taken as", titleOf(*owner) + ", by its size");
  if (several) {
    addReplacements(claims, site, environment, files, problem);
  } else {
    const InstalledDistribution &dist = *claims.front().dist;
    problem.addFact("found", fmt::format("{} bytes", size));
    problem.addFix(installAgain(dist, site, environment, files));
  }
}

static void addLibrary(llvm::ArrayRef<Claim> claims, const SiteDirectory &site,
                       PythonEnvironment &environment, Files &files) {
  const std::string &path = claims.front().path;
  FileStatus status = files.stat(path);
  if (status.kind != FileStatus::Kind::Regular)
    return missing(claims.front(), site, environment, files);
  const InstalledDistribution *owner = ownerOf(claims, status.id.size);
  bool several =
      llvm::any_of(claims, [&](const Claim &claim) { return claim.dist != claims.front().dist; });
  if (several || !owner)
    disputed(claims, status.id.size, owner, site, environment, files);
  InstalledLibrary library;
  library.soname = nameOf(path).str();
  library.path = path;
  library.folder = pathBelow(parentOf(path), site.path).str();
  if (owner) {
    library.dist = owner->name;
    library.version = owner->version;
    library.metadata = owner->metadata;
  } else if (llvm::all_of(claims, [&](const Claim &claim) {
               return claim.dist->name == claims.front().dist->name;
             })) {
    library.dist = claims.front().dist->name;
  }
  environment.libraries.push_back(std::move(library));
}

/// Adds the libraries in NVIDIA's directories that no RECORD lists.
static llvm::Error addStrays(const SiteDirectory &site, size_t from, PythonEnvironment &environment,
                             Files &files) {
  std::string root = joinPath(site.path, "nvidia");
  auto parts = listDirectory(root, environment, files);
  if (!parts)
    return parts.takeError();
  if (!*parts)
    return llvm::Error::success();
  size_t claimed = environment.libraries.size();
  for (const std::string &part : **parts) {
    std::string folder = joinPath(root, part + "/lib");
    auto names = listDirectory(folder, environment, files);
    if (!names)
      return names.takeError();
    for (const std::string &name : names->value_or(std::vector<std::string>())) {
      std::string path = joinPath(folder, name);
      auto known = llvm::ArrayRef(environment.libraries).take_front(claimed).drop_front(from);
      if (!isSharedLibrary(name) || !tables::libraryByFileName(name) ||
          environment.libraries.size() - from >= mostLibraries ||
          llvm::any_of(known, [&](const InstalledLibrary &each) { return each.path == path; }))
        continue;
      Finding &problem = addProblem(environment, Code::ToolkitVersionUnknown, Severity::Error,
                                    "nothing that is installed claims " + name);
      problem.library = name;
      problem.addFact("library", path);
      environment.libraries.push_back(
          {name, path, fmt::format("nvidia/{}/lib", part), "", "", "", false});
    }
  }
  return llvm::Error::success();
}

/// Reports copies that Python, but not every loader, finds only after another one: of two site
/// directories the earlier one wins.
static void noteShadowed(size_t from, PythonEnvironment &environment) {
  auto earlier = llvm::ArrayRef(environment.libraries).take_front(from);
  for (const InstalledLibrary &each : llvm::ArrayRef(environment.libraries).drop_front(from)) {
    auto it = llvm::find_if(earlier, [&](const InstalledLibrary &other) {
      return other.soname == each.soname && other.dist == each.dist;
    });
    if (it == earlier.end() || it->version == each.version)
      continue;
    Finding &problem = addProblem(environment, Code::EvidenceConflict, Severity::Warning,
                                  "two site directories have " + each.soname);
    problem.library = each.soname;
    problem.addFact("taken", fmt::format("{} at {}", it->version, it->path));
    problem.addFact("behind it", fmt::format("{} at {}", each.version, each.path));
  }
}

llvm::Error addInstalledLibraries(const SiteDirectory &site, PythonEnvironment &environment,
                                  Files &files) {
  size_t from = environment.libraries.size();
  Claims claims = readClaims(site, environment, files);
  llvm::ArrayRef<Claim> rest = claims;
  while (!rest.empty()) {
    auto same =
        rest.take_while([&](const Claim &claim) { return claim.path == rest.front().path; });
    addLibrary(same, site, environment, files);
    rest = rest.drop_front(same.size());
  }
  if (llvm::Error error = addStrays(site, from, environment, files))
    return error;
  noteShadowed(from, environment);
  return llvm::Error::success();
}

} // namespace cudacc::probe
